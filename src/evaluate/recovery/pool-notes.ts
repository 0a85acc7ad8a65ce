// internal
import type { ErrorPool, ErrorPrefix } from "../../core/index.js";
import { getClusters } from "../task-surface.js";

/** Returns how many tasks (or families) are resampled for figures over these prefixes. */
export function countUnits(prefixes: readonly ErrorPrefix[]): number {
  const tasks = new Map(prefixes.map(({ task }) => [task.hash, task]));
  const clusters = getClusters([...tasks.values()].map(({ hash: taskHash, family }) => ({ taskHash, family })));
  return clusters === undefined ? tasks.size : new Set(clusters).size;
}

/** Returns the note on how well the judge told the errors of a pool, or nothing where no judge did. */
export function describeJudge({ card: { judge } }: ErrorPool): string[] {
  if (judge === undefined) return [];
  const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;
  const { id, sensitivity, specificity, checkedCount } = judge;
  return [
    `The known errors were told by "${id}", which finds ${percent(sensitivity)} of errors and leaves ${percent(specificity)} of clean turns alone (${checkedCount} turns checked by people): some prefixes here are no errors`,
  ];
}
