import type { BudgetPlan, BudgetPlanRow, Env, Policy, Task, Trajectory } from "../core/index.js";
import { runLockstep, type LockstepEntry } from "../rollout/index.js";
import type { RecordedSequence } from "./episode-stream.js";

/** A policy that keeps the tokens it sampled. */
export interface SamplingPolicy extends Policy {
  getSequence(taskHash: string, samplingSeed: number): RecordedSequence | undefined;
  endEpisodes(): Promise<void>;
}

/** One episode of a group, with the tokens it consists of. */
export interface PlayedEpisode {
  readonly trajectory: Trajectory;
  /** Absent when nothing was sampled: the episode failed before its first action. */
  readonly sequence?: RecordedSequence;
}

/** The episodes of one row of the plan. */
export interface PlayedGroup {
  readonly row: BudgetPlanRow;
  readonly episodes: readonly PlayedEpisode[];
}

/** What groups are played in. */
export interface GroupSetting {
  readonly env: Env;
  readonly policy: SamplingPolicy;
  /** By hash. */
  readonly tasks: ReadonlyMap<string, Task>;
  readonly plan: Pick<BudgetPlan, "disclosure" | "terminalRule">;
  readonly signal?: AbortSignal;
}

function listEntries({ env, tasks, plan, signal }: GroupSetting, row: BudgetPlanRow): LockstepEntry[] {
  const task = tasks.get(row.taskHash);
  if (task === undefined) {
    throw new RangeError(`Cannot play group "${row.group}": its task ${row.taskId} is not among the tasks given`);
  }
  return row.samplingSeeds.map((samplingSeed, sampleIndex) => ({
    env,
    task,
    options: {
      budget: { maxTurns: row.maxTurns },
      disclosure: plan.disclosure,
      terminalRule: plan.terminalRule,
      sampleIndex,
      envSeed: row.envSeed,
      samplingSeed,
      groupId: row.group,
      ...(signal === undefined ? {} : { signal }),
    },
  }));
}

/**
 * Plays the groups in lockstep, all episodes of all rows in one batch, and returns them with their tokens. The policy
 * forgets its episodes before and after, as its weights are about to change.
 *
 * @throws {RangeError} when a row names a task that is not given.
 */
export async function playGroups(setting: GroupSetting, rows: readonly BudgetPlanRow[]): Promise<PlayedGroup[]> {
  const { policy } = setting;
  await policy.endEpisodes();
  const entries = rows.map((row) => listEntries(setting, row));
  const played = await runLockstep(policy, entries.flat());
  const groups: PlayedGroup[] = [];
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const episodes = entries[index].map((_, member): PlayedEpisode => {
      const trajectory = played[at + member];
      const sequence = policy.getSequence(row.taskHash, row.samplingSeeds[member]);
      return { trajectory, ...(sequence === undefined ? {} : { sequence }) };
    });
    at += episodes.length;
    groups.push({ row, episodes });
  }
  await policy.endEpisodes();
  return groups;
}
