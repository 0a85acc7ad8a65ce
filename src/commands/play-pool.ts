import { join } from "node:path";
import { inputError, usageError, type Env, type ErrorPool, type Policy, type Trajectory } from "../core/index.js";
import { countPoolPlan, planPool, type PoolPlanConfig } from "../evaluate/index.js";
import { createRunManifest, readPool, readRun } from "../records/index.js";
import { canCut } from "../rollout/index.js";
import { playPlan, resolvePlayers, type EvalBudgetOptions, type PlayedRun } from "./eval-budget.js";
import { getPackageVersion } from "./package-version.js";
import { resolveEnv } from "./resolve-env.js";

/** What both evaluations from a pool take. */
export interface PoolPlayOptions extends Pick<
  EvalBudgetOptions,
  "policies" | "chat" | "environment" | "events" | "stop" | "concurrency" | "limit" | "limits" | "output" | "title"
> {
  /** Env name or module file; default: the env that the pool names. */
  readonly env?: string;
  /** Seed of luck and sampling; default 1. */
  readonly seed?: number;
  /** Coverage of intervals and bands; default .95. */
  readonly level?: number;
  /** Bootstrap resamples of tasks; default 2,000. */
  readonly replicates?: number;
  /** Seed of the resampling; default 1. */
  readonly bootstrapSeed?: number;
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
}

/** A pool that was played. */
export interface PlayedPoolRun extends PlayedRun {
  readonly pool: ErrorPool;
  readonly env: Env;
  readonly configHash: string;
  read(): AsyncIterable<Trajectory>;
}

/** Returns the settings of figures that the options give. */
export function toFigureOptions({ level, replicates, bootstrapSeed, margin }: PoolPlayOptions) {
  return {
    ...(level === undefined ? {} : { level }),
    ...(replicates === undefined ? {} : { replicates }),
    ...(bootstrapSeed === undefined ? {} : { seed: bootstrapSeed }),
    ...(margin === undefined ? {} : { margin }),
  };
}

function checkEnv(env: Env, { card }: ErrorPool, folder: string): void {
  if (env.id === card.env.id && env.version === card.env.version) return;
  throw inputError(
    `Cannot play the pool in "${folder}": it was made in env "${card.env.id}" ${card.env.version}, and the env at hand is "${env.id}" ${env.version}`,
    "Build the pool again from runs of this version, or name the env that made it with --env",
  );
}

function describeRun(pool: ErrorPool, env: Env, policies: readonly Policy[], config: PoolPlanConfig, kind: string) {
  const { budgets, limits = {}, disclosure, terminalRule, samples, seed, arms, contexts } = config;
  const run = canCut(disclosure, terminalRule) ? [Math.max(...budgets)] : [...new Set(budgets)].sort((a, b) => a - b);
  return {
    kind: "eval" as const,
    config: { env: env.id, evaluation: kind, pool: pool.card.poolHash, arms, contexts },
    seeds: { run: seed },
    suite: { envId: env.id, envVersion: env.version, taskCount: pool.card.taskCount },
    policies: policies.map(({ id, checkpoint, config: own }) => ({
      id,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      config: own,
    })),
    budgets: run.map((maxTurns) => ({ ...limits, maxTurns })),
    disclosures: [disclosure],
    terminalRule,
    samples,
    plannedEpisodes: countPoolPlan(pool, config),
  };
}

/**
 * Plays policies from the states of a pool, continuing what the folder already holds.
 *
 * @throws {TurnwiseError} (usage) for policies or budgets that cannot be played; (input) for a pool that was changed or
 * is of another env version, and when the folder holds another run.
 */
export async function playPool(
  poolFolder: string,
  options: PoolPlayOptions,
  kind: "recovery" | "steps",
  createConfig: (pool: ErrorPool) => Omit<PoolPlanConfig, "policyIds" | "seed" | "limits">,
): Promise<PlayedPoolRun> {
  const pool = await readPool(poolFolder);
  const env = await resolveEnv(options.env ?? pool.card.env.id);
  checkEnv(env, pool, poolFolder);
  const policies = await resolvePlayers(env, options);
  const { seed = 1, limits = {} } = options;
  const wanted = createConfig(pool);
  if (wanted.terminalRule === "answer_only" && env.closing === undefined) {
    throw usageError(`Cannot play env "${env.id}" with terminal rule "answer_only": it takes no closing answer`);
  }
  const config: PoolPlanConfig = {
    ...wanted,
    policyIds: policies.map((policy) => policy.id),
    seed,
    limits,
  };
  const manifest = createRunManifest(describeRun(pool, env, policies, config, kind), {
    now: new Date(),
    turnwiseVersion: getPackageVersion(),
  });
  const folder = options.output ?? join("turnwise-runs", `${kind}-${env.id}-${manifest.configHash.slice(0, 8)}`);
  const played = await playPlan({ env, policies, plan: planPool(pool, config), manifest, folder }, options);
  const run = await readRun(folder);
  return { ...played, pool, env, configHash: manifest.configHash, read: () => run.read() };
}
