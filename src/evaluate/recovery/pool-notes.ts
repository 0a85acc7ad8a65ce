// internal
import { writeCount, type ErrorPool } from "../../core/index.js";

/** Returns the note on how well the judge told the errors of a pool, or nothing where no judge did. */
export function describeJudge({ card: { judge } }: ErrorPool): string[] {
  if (judge === undefined) return [];
  const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;
  const { id, sensitivity, specificity, checkedCount } = judge;
  return [
    `The known errors were told by "${id}", which finds ${percent(sensitivity)} of errors and leaves ${percent(specificity)} of clean turns alone (${writeCount(checkedCount, "turn")} checked by people): some prefixes here are no errors`,
  ];
}
