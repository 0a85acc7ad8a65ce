import { createMetricLog, type MetricLog, type MetricRow, type RuleFinding } from "../../core/index.js";
import { logRule } from "./log-rule.js";
import { placeRow } from "./series.js";

interface Return {
  readonly from: number;
  readonly row: MetricRow;
}

/** Returns the rows whose update is below the one before. */
function listReturns(rows: readonly MetricRow[]): Return[] {
  return rows.flatMap((row, i) =>
    i > 0 && row.updateIndex < rows[i - 1].updateIndex ? [{ from: rows[i - 1].updateIndex, row }] : [],
  );
}

/** Returns the rows that state a metric again that the row before, of the same update, has stated. */
function listDoubles(rows: readonly MetricRow[]): MetricRow[] {
  return rows.filter((row, i) => i > 0 && row.updateIndex === rows[i - 1].updateIndex);
}

function describeReturn(log: MetricLog, { from, row }: Return): RuleFinding {
  const isFromStart = row.updateIndex <= log.rows[0].updateIndex;
  const message = isFromStart
    ? `updates begin again at ${row.updateIndex} after ${from}: the run was restarted without its checkpoint, or another run was written to the same file`
    : `updates go back from ${from} to ${row.updateIndex}: the run was resumed from a checkpoint, and what was written after it stands twice`;
  return {
    severity: isFromStart ? "error" : "warning",
    message,
    place: placeRow(log, row),
    evidence: { from, to: row.updateIndex },
  };
}

/** Updates that repeat or go back. */
export const repeatedUpdatesRule = logRule({
  id: "repeated-updates",
  severity: "warning",
  description: "Finds updates that stand twice or go back.",
  rationale:
    "A resumed run writes the updates after its checkpoint again, and plain averages count them twice; runs mixed in one file make every curve meaningless. The other rules count only the later value of an update. Whether the optimiser state was restored too is not in a log.",
  remedy:
    "Keep one file per run; cut the file at the checkpoint's update when resuming, or keep only the later value of each update",
  thresholds: {
    maxReturns: { default: 5, description: "returns above which runs count as interleaved, reported as one error" },
  },
  examples: [
    {
      name: "updates that only grow are sound, gaps included",
      subject: createMetricLog({ loss: [3, 2, 1] }, { updateIndices: [1, 2, 10] }),
      messages: [],
    },
    {
      name: "a run resumed from its checkpoint",
      subject: createMetricLog({ loss: [5, 4, 3, 2, 3, 2, 1] }, { updateIndices: [1, 2, 3, 4, 3, 4, 5] }),
      messages: [
        "updates go back from 4 to 3: the run was resumed from a checkpoint, and what was written after it stands twice",
      ],
    },
    {
      name: "two runs in one file",
      subject: createMetricLog({ loss: [5, 4, 5, 4] }, { updateIndices: [1, 2, 1, 2] }),
      messages: [
        "updates begin again at 1 after 2: the run was restarted without its checkpoint, or another run was written to the same file",
      ],
    },
    {
      name: "an update that is written twice in a row",
      subject: createMetricLog({ loss: [5, 4, 3] }, { updateIndices: [1, 2, 2] }),
      messages: ["1 updates stand twice in a row, the first is 2"],
    },
    {
      name: "two processes that write by turns",
      subject: createMetricLog(
        { loss: [9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3] },
        { updateIndices: [1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] },
      ),
      messages: ["updates go back 6 times: several runs or processes write to the same file by turns"],
    },
  ],
  check(log, { maxReturns }) {
    const returns = listReturns(log.rows);
    const doubles = listDoubles(log.rows);
    const findings: RuleFinding[] = [];
    if (returns.length > maxReturns) {
      const message = `updates go back ${returns.length} times: several runs or processes write to the same file by turns`;
      findings.push({
        severity: "error",
        message,
        place: placeRow(log, returns[0].row),
        evidence: { returnCount: returns.length },
      });
    } else findings.push(...returns.map((found) => describeReturn(log, found)));
    if (doubles.length > 0) {
      const message = `${doubles.length} updates stand twice in a row, the first is ${doubles[0].updateIndex}`;
      findings.push({ message, place: placeRow(log, doubles[0]), evidence: { count: doubles.length } });
    }
    return findings;
  },
});
