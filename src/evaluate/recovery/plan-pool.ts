import {
  usageError,
  type Budget,
  type ContextMode,
  type Disclosure,
  type ErrorPool,
  type ErrorPrefix,
  type PoolEntryBase,
  type TerminalRule,
} from "../../core/index.js";
import { canCut, deriveSeed, type EpisodePrefix, type PlannedEpisode } from "../../rollout/index.js";

/**
 * From where a pool entry is played on: before the known error (`before`), before a random visited turn (`visited`),
 * after the error (`error`), after the best action in its place (`clean`).
 */
export type PoolArm = "before" | "visited" | "error" | "clean";
const armOrder: readonly PoolArm[] = ["before", "visited", "error", "clean"];
const contextOrder: readonly ContextMode[] = ["full", "summary", "state_only"];

/** What is played from a pool. */
export interface PoolPlanConfig {
  readonly policyIds: readonly string[];
  readonly arms: readonly PoolArm[];
  readonly contexts: readonly ContextMode[];
  /** Turns allowed from the prefix on, each a whole number from 1. */
  readonly budgets: readonly number[];
  readonly limits?: Omit<Budget, "maxTurns">;
  /** Episodes of each entry, arm, context and policy. */
  readonly samples: number;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  readonly seed: number;
}

/** Says whether an agent can still succeed after the error: it is no trap and did not end the episode. */
export function isRecoverable({ label, error }: ErrorPrefix): boolean {
  return label !== "trap" && error.ended === undefined;
}

/** Returns the beginning that an arm of an entry is played from; `undefined` where the entry has no such arm. */
function getStart(
  entry: ErrorPool["prefixes"][number] | ErrorPool["visited"][number],
  arm: PoolArm,
): Omit<EpisodePrefix, "context"> | undefined {
  const { id, before } = entry;
  if (arm === "before" || arm === "visited") {
    if ((arm === "visited") !== (entry.kind === "visited")) return undefined;
    return { id, arm, ...before };
  }
  if (entry.kind !== "error" || !isRecoverable(entry)) return undefined;
  const played = entry[arm];
  if (played === undefined || played.ended !== undefined) return undefined;
  const { turn, observation, snapshot } = played;
  return { id, arm, turns: [...before.turns, turn], observation, ...(snapshot === undefined ? {} : { snapshot }) };
}

/** Returns the position of each entry among those of its task: what keeps sample indexes apart. */
function rankEntries(entries: readonly PoolEntryBase[]): Map<PoolEntryBase, number> {
  const counts = new Map<string, number>();
  return new Map(
    entries.map((entry) => {
      const rank = counts.get(entry.task.hash) ?? 0;
      counts.set(entry.task.hash, rank + 1);
      return [entry, rank];
    }),
  );
}

function checkConfig({ budgets, samples, policyIds }: PoolPlanConfig): void {
  for (const budget of budgets) {
    if (Number.isInteger(budget) && budget >= 1) continue;
    throw usageError(`Cannot play from a prefix with ${budget} turns left: a whole number from 1 is needed`);
  }
  if (policyIds.length === 0 || budgets.length === 0 || !(samples >= 1)) {
    throw usageError("Cannot play a pool without policies, turns left and at least one sample");
  }
}

/**
 * Yields every episode to play from a pool, samples outermost. The budget counts from the prefix. Where budgets can be
 * cut, only the largest is run. Luck after the prefix is drawn anew for each sample, and is the same for all policies,
 * arms and contexts; in an env that cannot be taken up in a state it is that of the recorded seed.
 *
 * @throws {TurnwiseError} (usage) for a budget that is no whole number from 1, or nothing to play.
 */
export function* planPool(
  pool: Pick<ErrorPool, "prefixes" | "visited">,
  config: PoolPlanConfig,
): Generator<PlannedEpisode> {
  checkConfig(config);
  const { policyIds, arms, contexts, limits = {}, samples, disclosure, terminalRule, seed } = config;
  const sorted = [...new Set(config.budgets)].sort((a, b) => a - b);
  const budgets = canCut(disclosure, terminalRule) ? sorted.slice(-1) : sorted;
  const entries = [...pool.prefixes, ...pool.visited];
  const ranks = rankEntries(entries);
  for (let sample = 0; sample < samples; sample += 1) {
    for (const entry of entries) {
      for (const arm of arms) {
        const start = getStart(entry, arm);
        if (start === undefined) continue;
        const envSeed = start.snapshot === undefined ? entry.envSeed : deriveSeed(seed, "env", entry.id, sample);
        for (const context of contexts) {
          const place =
            ((ranks.get(entry) ?? 0) * armOrder.length + armOrder.indexOf(arm)) * contextOrder.length +
            contextOrder.indexOf(context);
          for (const maxTurns of budgets) {
            for (const policyId of policyIds) {
              yield {
                policyId,
                task: entry.task,
                sampleIndex: place * samples + sample,
                budget: { ...limits, maxTurns },
                disclosure,
                terminalRule,
                envSeed,
                samplingSeed: deriveSeed(
                  seed,
                  "sampling",
                  policyId,
                  entry.id,
                  arm,
                  context,
                  sample,
                  maxTurns,
                  disclosure,
                ),
                groupId: `${entry.id}/${arm}/${context}`,
                prefix: { ...start, context },
              };
            }
          }
        }
      }
    }
  }
}

/** Returns how many episodes {@linkcode planPool} yields. */
export function countPoolPlan(pool: Pick<ErrorPool, "prefixes" | "visited">, config: PoolPlanConfig): number {
  const single = { ...config, samples: 1, policyIds: ["one"] };
  let count = 0;
  for (const _episode of planPool(pool, single)) count += 1;
  return count * config.samples * config.policyIds.length;
}
