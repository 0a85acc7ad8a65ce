// internal
import { warnFewVerdictTasks, writeCount, type AttributionRow, type MarkovCheck } from "../../core/index.js";
import type { ChainSide } from "./chain-side.js";

/** Says whether a check finds that the past matters beyond turn, mode and kind of task. */
export function isRejected({ pValue }: MarkovCheck): boolean {
  return pValue <= 0.05;
}

/** Returns the sides whose turns say nothing of errors. */
export function listUnknownModes(a: ChainSide, b: ChainSide): ("a" | "b")[] {
  return [...(a.knowsModes ? [] : ["a" as const]), ...(b.knowsModes ? [] : ["b" as const])];
}

/** Returns what the model behind shares from logs does not bear out: thin support, and a past that matters. */
export function listModelWarnings(
  a: ChainSide,
  b: ChainSide,
  rows: readonly AttributionRow[],
  markov: readonly MarkovCheck[],
): string[] {
  const warnings: string[] = [];
  const known = listUnknownModes(a, b).length === 0;
  const thin = rows.filter((row) => known && !row.isIdentified).map((row) => row.maxTurns);
  if (thin.length > 0) {
    warnings.push(
      `Not identified at T=${thin.join(", ")}: 5 % or more of a hybrid's turns rest on fewer than 20 observations of one policy in tasks of that kind`,
    );
  }
  const rejected = markov.filter(isRejected);
  if (rejected.length > 0) {
    const whom = rejected
      .map(({ policy, pValue }) => `"${policy === "a" ? a.label : b.label}" (p = ${pValue.toFixed(3)})`)
      .join(" and ");
    warnings.push(
      `What happens next to ${whom} depends on more than turn, mode and kind of task: shares from logs are leads without a verdict; play the hybrids to check (--estimator interventional)`,
    );
  }
  return warnings;
}

/** Returns what the episodes lack, whichever way shares are estimated. */
export function listDataWarnings(a: ChainSide, b: ChainSide, unitCount: number): string[] {
  const warnings: string[] = [];
  const sides = [a, b];
  const signals = sides.reduce((sum, { labelSources }) => sum + labelSources.signals, 0);
  const all = sides.reduce(
    (sum, { labelSources: { judge, distance, signals: own } }) => sum + judge + distance + own,
    0,
  );
  const unknown = listUnknownModes(a, b);
  if (unknown.length > 0) {
    const whom = unknown.map((side) => `"${side === "a" ? a.label : b.label}"`).join(" or ");
    warnings.push(
      `Not identified: no turn of ${whom} tells of an error (none has "distanceBefore" and "distanceAfter", "regret", or a flag such as "toolError"), so decisions and recovery cannot be told apart; tell errors by a rule of your own (--rule FILE), label turns and name the field (--label-field NAME), or play both in an env with an oracle (--estimator interventional)`,
    );
  } else if (signals > 0) {
    warnings.push(
      `${Math.round((100 * signals) / all)} % of turns have no oracle distance: errors there are only those the env signals (invalid actions, tool errors), so decision and recovery mix`,
    );
  }
  for (const { label, lostCount, excludedCount, truncatedCount } of sides) {
    if (lostCount > 0)
      warnings.push(
        `${writeCount(lostCount, "episode")} of "${label}" ${lostCount === 1 ? "was" : "were"} solved and lost again; the chain counts success that stays`,
      );
    if (excludedCount > 0)
      warnings.push(
        `${writeCount(excludedCount, "episode")} of "${label}" ended in an error or without a known outcome: left out at every T`,
      );
    if (truncatedCount > 0) {
      warnings.push(
        `${writeCount(truncatedCount, "episode")} of "${label}" ended by another limit than turns, which leaves the chain in the last turn like a wrong end`,
      );
    }
  }
  return [...warnings, ...warnFewVerdictTasks(unitCount)];
}
