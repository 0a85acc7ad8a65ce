import {
  inputError,
  type BudgetPlan,
  type BudgetPlanRow,
  type Env,
  type Policy,
  type Scorer,
  type Task,
  type Trajectory,
} from "../core/index.js";
import { applyScorer, runLockstep, type LockstepEntry } from "../rollout/index.js";
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
  readonly plan: Pick<BudgetPlan, "env" | "disclosure" | "terminalRule">;
  /** Judges each episode in place of the env's grade. */
  readonly scorer?: Scorer;
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
 * Throws an input error when the env is another one, or another version, than the plan was made for: what would be
 * learnt is not what was planned, and figures before and after could not be compared.
 */
export function checkPlannedEnv({ id, version }: Pick<Env, "id" | "version">, plan: Pick<BudgetPlan, "env">): void {
  if (id === plan.env.id && version === plan.env.version) return;
  throw inputError(
    `Cannot train in env "${id}" version "${version}": the plan was made for "${plan.env.id}" version "${plan.env.version}"`,
    "Go back to that version, or begin a run of its own with the new one",
  );
}

/**
 * Plays the groups in lockstep, all episodes of all rows in one batch, and returns them with their tokens. The policy
 * forgets its episodes before and after, as its weights are about to change.
 *
 * @throws {RangeError} when a row names a task that is not given.
 * @throws {TurnwiseError} (input) when the env is not the one that was planned for, before or after playing.
 */
export async function playGroups(setting: GroupSetting, rows: readonly BudgetPlanRow[]): Promise<PlayedGroup[]> {
  const { env, plan, policy, scorer, signal } = setting;
  checkPlannedEnv(env, plan);
  await policy.endEpisodes();
  const entries = rows.map((row) => listEntries(setting, row));
  const played = await runLockstep(policy, entries.flat());
  // A module that is loaded anew, or a server behind the env, may change while episodes are played.
  checkPlannedEnv(env, plan);
  const groups: PlayedGroup[] = [];
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const episodes: PlayedEpisode[] = [];
    for (const [member, samplingSeed] of row.samplingSeeds.entries()) {
      const trajectory = played[at + member];
      const judged = scorer === undefined ? trajectory : await applyScorer(trajectory, scorer, signal);
      const sequence = policy.getSequence(row.taskHash, samplingSeed);
      episodes.push({ trajectory: judged, ...(sequence === undefined ? {} : { sequence }) });
    }
    at += entries[index].length;
    groups.push({ row, episodes });
  }
  await policy.endEpisodes();
  return groups;
}
