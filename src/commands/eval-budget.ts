import { join } from "node:path";
import {
  errorMessage,
  hashJson,
  mostBudgetTurns,
  usageError,
  type Budget,
  type Disclosure,
  type Env,
  type Policy,
  type Scorer,
  type Split,
  type SuiteRequest,
  type Task,
  type TerminalRule,
} from "../core/index.js";
import { systemClock } from "../chat/index.js";
import {
  countPlanned,
  getPlannedKey,
  getRunBudgets,
  planEpisodes,
  runEpisodes,
  type PlanConfig,
  type PlannedEpisode,
  type RunProgress,
} from "../rollout/index.js";
import {
  createRunManifest,
  createRunStore,
  isInShard,
  type RunManifest,
  type RunManifestFields,
} from "../records/index.js";
import { analyze, type AnalysisOptions } from "./analyze.js";
import { announceRun } from "./announce-run.js";
import type { ChatSettings } from "./chat-settings.js";
import { drawTasks } from "./draw-tasks.js";
import { getPackageVersion } from "./package-version.js";
import { readTaskFile } from "./read-task-file.js";
import { resolveEnv } from "./resolve-env.js";
import { resolveGrader } from "./resolve-grader.js";
import { resolvePolicies } from "./resolve-policy.js";
import type { RunEvents, RunStop } from "./run-events.js";
import { checkAnswered } from "./check-answered.js";
import { checkPlayers } from "./check-players.js";
import { createRunSource } from "./run-source.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** What `turnwise eval budget` does. */
export interface EvalBudgetOptions extends AnalysisOptions {
  /** An env, its name, or a module file; see {@linkcode resolveEnv}. */
  readonly env: string | Env;
  /** Policies, or their specifications; see {@linkcode resolvePolicy}. The first one is the reference of comparisons. */
  readonly policies: readonly (string | Policy)[];
  /** Turn budgets T; default 1, 2, 4, 8, 16. */
  readonly budgets?: readonly number[];
  /** Episodes of each task, policy and setting; default 16. */
  readonly samples?: number;
  /** Default `hidden`. Several are run one after the other. */
  readonly disclosures?: readonly Disclosure[];
  /** Default `act`. */
  readonly terminalRule?: TerminalRule;
  /** Module file with a scorer that judges each episode in place of the env's grade; see {@linkcode resolveGrader}. */
  readonly scorer?: string;
  /** Limits beside turns. */
  readonly limits?: Omit<Budget, "maxTurns">;
  /** Tasks drawn from the env; default 50. */
  readonly taskCount?: number;
  /** Difficulty level; default 1. */
  readonly difficulty?: number;
  /** Default `eval`. */
  readonly split?: Split;
  /** A file with tasks, one JSON object a line, in place of drawn ones. */
  readonly taskFile?: string;
  /** Seed of tasks, envs and sampling; default 1. */
  readonly seed?: number;
  /** Episodes in flight; default 16. */
  readonly concurrency?: number;
  /** Episodes stepped together for a policy that batches; default 32. */
  readonly batchSize?: number;
  /** Most episodes to play in this call. */
  readonly limit?: number;
  /** Play only this part of the plan (`index` from 1); join the parts with `merge`. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** Run folder; default `turnwise-runs/ENV-HASH`, so that the same command continues. */
  readonly output?: string;
  readonly title?: string;
  readonly question?: string;
  readonly chat?: ChatSettings;
  readonly environment?: { readonly [name: string]: string | undefined };
  readonly events?: RunEvents;
  readonly stop?: RunStop;
}

/** What a budget evaluation did. */
export interface EvalBudgetResult {
  readonly folder: string;
  readonly progress: RunProgress;
  /** Episodes of the plan that are not finished: left by `limit`, a stop, or errors. */
  readonly remaining: number;
  /** Absent while no episode can be counted, and for a shard. */
  readonly written?: WrittenReport;
}

interface ResolvedRun {
  readonly env: Env;
  readonly policies: readonly Policy[];
  readonly tasks: readonly Task[];
  readonly plans: readonly PlanConfig[];
  readonly scorer: Scorer | undefined;
}

/** Returns the policies that are played, made from those that were named. */
export type PolicyExpansion = (named: readonly Policy[]) => readonly Policy[];

async function resolveRun(options: EvalBudgetOptions, expand: PolicyExpansion): Promise<ResolvedRun> {
  const {
    budgets = [1, 2, 4, 8, 16],
    samples = 16,
    disclosures = ["hidden"],
    terminalRule = "act",
    seed = 1,
  } = options;
  const { taskCount = 50, difficulty = 1, split = "eval", limits = {} } = options;
  checkBudgets(budgets, terminalRule);
  const widest = Math.max(0, ...(options.sampleCounts ?? []));
  if (widest > samples) {
    throw usageError(
      `Cannot estimate pass@${widest} with ${samples} ${samples === 1 ? "sample" : "samples"} a task: k above n is not extrapolated`,
      `Ask for k up to ${samples}, or play more samples`,
    );
  }
  const env = typeof options.env === "string" ? await resolveEnv(options.env) : options.env;
  const policies = expand(await resolvePlayers(env, options));
  checkPlayers(env, policies);
  if (terminalRule === "answer_only" && env.closing === undefined) {
    throw usageError(`Cannot play env "${env.id}" with terminal rule "answer_only": it takes no closing answer`);
  }
  const tasks =
    options.taskFile === undefined
      ? drawSuite(env, { split, level: difficulty, taskCount, seed })
      : await readTaskFile(options.taskFile, env.id);
  const policyIds = policies.map((policy) => policy.id);
  const plans = [...new Set(disclosures)].map((disclosure) => ({
    policyIds,
    tasks,
    sampleCount: samples,
    turnBudgets: budgets,
    limits,
    disclosure,
    terminalRule,
    seed,
  }));
  const scorer = options.scorer === undefined ? undefined : await resolveGrader(options.scorer);
  return { env, policies, tasks, plans, scorer };
}

/** Returns the policies that were named, for an env. */
export async function resolvePlayers(
  env: Env,
  options: Pick<EvalBudgetOptions, "policies" | "chat" | "events" | "environment">,
): Promise<Policy[]> {
  const { chat, events, environment = process.env } = options;
  const policies = await resolvePolicies(options.policies, {
    environment,
    ...(chat === undefined ? {} : { chat }),
    ...(events === undefined ? {} : { events }),
  });
  checkPlayers(env, policies);
  return policies;
}

function checkBudgets(budgets: readonly number[], terminalRule: TerminalRule): void {
  const least = terminalRule === "answer_only" ? 0 : 1;
  const wrong = budgets.filter((budget) => !Number.isInteger(budget) || budget < least || budget > mostBudgetTurns);
  if (wrong.length === 0 && budgets.length > 0) return;
  throw usageError(
    `Cannot play with turn budgets ${budgets.join(", ") || "(none)"}: each must be a whole number from ${least} to ${mostBudgetTurns} with terminal rule "${terminalRule}"`,
    least === 0 ? undefined : "T=0 asks for an answer without a turn; it needs --terminal-rule answer_only",
  );
}

function drawSuite(env: Env, request: SuiteRequest): readonly Task[] {
  const tasks = drawTasks(env, request);
  if (tasks.length === 0)
    throw usageError(`Cannot play env "${env.id}": it made no "${request.split}" tasks at level ${request.level}`);
  return tasks;
}

function describeRun(run: ResolvedRun, options: EvalBudgetOptions): RunManifestFields {
  const { env, policies, tasks, plans, scorer } = run;
  const { seed = 1, difficulty = 1, split = "eval", limits = {}, shard } = options;
  const [plan] = plans;
  const budgets = [...new Set(plans.flatMap(getRunBudgets))].map((maxTurns) => ({ ...limits, maxTurns }));
  return {
    kind: "eval",
    config: { env: env.id, ...(scorer === undefined ? {} : { scorer: `${scorer.id} ${scorer.version}` }) },
    seeds: { run: seed },
    suite: {
      envId: env.id,
      envVersion: env.version,
      ...(options.taskFile === undefined ? { split, level: difficulty, seed } : {}),
      taskCount: tasks.length,
      tasksHash: hashJson(tasks.map((task) => task.hash)),
    },
    policies: policies.map(({ id, checkpoint, config }) => ({
      id,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      config,
    })),
    budgets,
    disclosures: plans.map((one) => one.disclosure),
    terminalRule: plan.terminalRule,
    samples: plan.sampleCount,
    plannedEpisodes: countEpisodes(plans, shard),
    ...(shard === undefined ? {} : { shard: { number: shard.index, count: shard.count } }),
  };
}

/** Yields the episodes of the plans, restricted to the shard if there is one. */
function* planShard(plans: readonly PlanConfig[], shard: EvalBudgetOptions["shard"]): Generator<PlannedEpisode> {
  for (const plan of plans) {
    for (const episode of planEpisodes(plan)) {
      if (shard === undefined || isInShard(getPlannedKey(episode), shard.index, shard.count)) yield episode;
    }
  }
}

function countEpisodes(plans: readonly PlanConfig[], shard: EvalBudgetOptions["shard"]): number {
  if (shard === undefined) return plans.reduce((sum, plan) => sum + countPlanned(plan), 0);
  let count = 0;
  for (const _episode of planShard(plans, shard)) count += 1;
  return count;
}

/** A run that was played, as far as it came. */
export interface PlayedRun {
  readonly folder: string;
  readonly progress: RunProgress;
  readonly remaining: number;
  readonly plannedEpisodes: number;
  readonly envId: string;
  readonly policyIds: readonly string[];
}

/**
 * Plays the episodes of a run that its folder does not hold yet. `expand` makes the policies that are played from those
 * that were named; by default they are the same.
 *
 * @throws {TurnwiseError} as {@linkcode evalBudget} does.
 */
export async function playRun(
  options: EvalBudgetOptions,
  expand: PolicyExpansion = (named) => named,
): Promise<PlayedRun> {
  const { shard } = options;
  const run = await resolveRun(options, expand);
  const { env, policies, plans, scorer } = run;
  const manifest = createRunManifest(describeRun(run, options), {
    now: new Date(),
    turnwiseVersion: getPackageVersion(),
  });
  const announced = announceRun(policies, plans, { limit: options.limit, shardCount: shard?.count });
  if (announced !== undefined) options.events?.onMessage?.(announced);
  const part = shard === undefined ? "" : `-${shard.index}of${shard.count}`;
  const folder = options.output ?? join("turnwise-runs", `${env.id}-${manifest.configHash.slice(0, 8)}${part}`);
  return playPlan({ env, policies, plan: planShard(plans, shard), manifest, folder, scorer }, options);
}

/** Episodes to play and where they are kept. */
export interface PlanToPlay {
  readonly env: Env;
  readonly policies: readonly Policy[];
  readonly plan: Iterable<PlannedEpisode>;
  readonly manifest: RunManifest;
  readonly folder: string;
  /** Judges each episode in place of the env's grade. */
  readonly scorer?: Scorer;
}

/** How a plan is played: what does not change the episodes. */
export type PlayOptions = Pick<EvalBudgetOptions, "concurrency" | "batchSize" | "limit" | "limits" | "events" | "stop">;

/** Releases a policy; one of the user's that fails in this has played all the same. */
async function closePolicy(policy: Policy, events: RunEvents | undefined): Promise<void> {
  try {
    await policy.close?.();
  } catch (error) {
    events?.onMessage?.(`Closing policy "${policy.id}" failed: ${errorMessage(error)}`);
  }
}

/**
 * Plays the episodes of a plan that the folder does not hold yet, and closes the policies.
 *
 * @throws {TurnwiseError} (input) when the folder holds a run with other settings or cannot be written.
 */
export async function playPlan(
  { env, policies, plan, manifest, folder, scorer }: PlanToPlay,
  options: PlayOptions,
): Promise<PlayedRun> {
  const { concurrency = 16, batchSize, limit, events, stop } = options;
  const store = await createRunStore(folder, manifest);
  const repairs = store.problems.map((problem) => `Found in "${folder}" and played again: ${problem.message}`);
  for (const repair of repairs) events?.onMessage?.(repair);
  // Timing is recorded where time passes for a reason: a scripted episode is the same bytes each time.
  const isTimed = options.limits?.maxSeconds !== undefined || policies.some((policy) => policy.needsOracle !== true);
  const startedAt = Date.now();
  // A call that waits for nothing leaves the process nothing to do, and it would exit without a word.
  const alive = setInterval(() => undefined, 60_000);
  let progress: RunProgress;
  try {
    progress = await runEpisodes(env, policies, plan, store, {
      planned: manifest.plannedEpisodes ?? 0,
      concurrency,
      ...(batchSize === undefined ? {} : { batchSize }),
      ...(limit === undefined ? {} : { limit }),
      ...(scorer === undefined ? {} : { scorer }),
      ...(isTimed ? { now: () => (Date.now() - startedAt) / 1000, sleep: systemClock.sleep } : {}),
      ...(stop?.drain === undefined ? {} : { drainSignal: stop.drain }),
      ...(stop?.abort === undefined ? {} : { abortSignal: stop.abort }),
      onProgress: (state) => events?.onProgress?.(state),
    });
  } finally {
    clearInterval(alive);
    await store.close();
    for (const policy of policies) await closePolicy(policy, events);
  }
  const finished = progress.kept + progress.played - progress.errored;
  const plannedEpisodes = manifest.plannedEpisodes ?? 0;
  const policyIds = policies.map((policy) => policy.id);
  return { folder, progress, remaining: plannedEpisodes - finished, plannedEpisodes, envId: env.id, policyIds };
}

/** Says why outcomes are unknown: they leave the denominator, which flatters an env that only grades its ends. */
function warnUnknown({ unknown }: RunProgress): string[] {
  if (unknown === 0) return [];
  return [
    `${unknown} episodes ended without a grade of the state they had reached: the env gave no solvedAfter. Their outcome is unknown and not counted, which flatters the rates; give solvedAfter with every step`,
  ];
}

/** Names limits that never applied because nothing told what was used. */
function warnLimits({ played, cost, tokens }: RunProgress, { limits = {} }: EvalBudgetOptions): string[] {
  if (played === 0) return [];
  return [
    ...(limits.maxCost !== undefined && cost === 0
      ? ["No costs are known, so the cost limit never applied: give prices with --prices"]
      : []),
    ...(limits.maxTokens !== undefined && tokens === 0
      ? ["No tokens are counted by the policy, so the token limit never applied"]
      : []),
  ];
}

/** Returns the warning that a report of an unfinished run carries. */
export function warnMissing({ remaining, plannedEpisodes }: PlayedRun): { readonly warnings?: readonly string[] } {
  if (remaining === 0) return {};
  return {
    warnings: [`${remaining} of ${plannedEpisodes} planned episodes are missing; run the same command to continue`],
  };
}

/**
 * Plays policies in an env under turn budgets, continuing what the run folder already holds, and writes the run and
 * its report.
 *
 * @throws {TurnwiseError} (usage) for settings that cannot be played; (input) for files that cannot be used, and when
 * the folder holds a run with other settings.
 */
export async function evalBudget(options: EvalBudgetOptions): Promise<EvalBudgetResult> {
  const played = await playRun(options);
  const { folder, progress, remaining } = played;
  if (remaining === played.plannedEpisodes || options.shard !== undefined) return { folder, progress, remaining };
  const source = await createRunSource(folder);
  // Episodes that ended in an error are played again in each call, so a policy without an answer has erred in this one.
  if (progress.errored > 0) await checkAnswered("evaluate", source.read(), played.policyIds);
  const analysis = await analyze([source], options);
  const report = await createReport([source], analysis, {
    title: options.title ?? `${played.envId}: ${played.policyIds.join(" and ")}`,
    ...(options.question === undefined ? {} : { question: options.question }),
    warnings: [...(warnMissing(played).warnings ?? []), ...warnUnknown(progress), ...warnLimits(progress, options)],
  });
  return { folder, progress, remaining, written: await writeReport(join(folder, "report"), report) };
}
