import type { RuleFinding, SampledTurn } from "../../core/index.js";
import { tokenFinding } from "./mask-finding.js";
import { exampleSample, maskRule } from "./mask-rule.js";
import { isTurnRow } from "./provenance.js";

/** Returns the first position at which `next` differs from what should be its beginning, or `undefined`. */
function findDifference(beginning: readonly number[], next: readonly number[]): number | undefined {
  const at = beginning.findIndex((id, i) => next[i] !== id);
  return at === -1 ? undefined : at;
}

function describeBreak(before: SampledTurn, next: readonly number[], at: number, turn: number): string {
  const promptLength = before.promptIds?.length ?? 0;
  if (at < promptLength)
    return `the prompt of turn ${turn + 1} differs from the one of turn ${turn} at its token ${at}`;
  const sampledAt = at - promptLength;
  // Ids that vanish between two that stay are what a template drops: reasoning of earlier turns.
  const rest = before.ids.slice(sampledAt);
  const kept = rest.findIndex(
    (id, i) => i > 0 && id === next[at] && (rest[i + 1] === undefined || rest[i + 1] === next[at + 1]),
  );
  const what = kept === -1 ? "changed from" : `lost ${kept} sampled tokens at`;
  return `turn ${turn + 1} does not begin with what turn ${turn} ended with: it ${what} token ${sampledAt} of the ${before.ids.length} sampled in turn ${turn}`;
}

/** Turns whose prompt is not the sequence so far. */
export const prefixBrokenRule = maskRule({
  id: "prefix-broken",
  severity: "error",
  description: "Finds turns whose prompt does not begin with the prompt and the sampled tokens of the turn before.",
  rationale:
    "A template that drops earlier reasoning, strips spaces or renders tool calls anew makes the policy act on another text than the one that is trained: joined into one sequence, the log-probs belong to contexts that never were. Training each turn as a row of its own is the sound form then.",
  remedy: "Send token ids on from turn to turn, keep earlier reasoning in the template, or train one row per turn",
  thresholds: {},
  examples: [
    {
      name: "each prompt goes on from the turn before",
      subject: exampleSample(
        "a b c d e",
        { loss: "01001" },
        {
          turns: [
            { promptIds: [1], ids: [2, 3] },
            { promptIds: [1, 2, 3, 4], ids: [5] },
          ],
        },
      ),
      messages: [],
    },
    {
      name: "the template drops the reasoning of the turn before",
      subject: exampleSample(
        "a b c d e",
        { loss: "01001" },
        {
          turns: [
            { promptIds: [1], ids: [7, 8, 9, 2, 3] },
            { promptIds: [1, 2, 3, 4], ids: [5] },
          ],
        },
      ),
      messages: [
        "turn 2 does not begin with what turn 1 ended with: it lost 3 sampled tokens at token 0 of the 5 sampled in turn 1",
      ],
    },
    {
      name: "the prompt itself changes, as with a date or a budget line in it",
      subject: exampleSample(
        "a b c d e",
        { loss: "01001" },
        {
          turns: [
            { promptIds: [1, 6], ids: [2] },
            { promptIds: [1, 5, 2, 4], ids: [5] },
          ],
        },
      ),
      messages: ["the prompt of turn 2 differs from the one of turn 1 at its token 1"],
    },
    {
      name: "a row for one turn is sound although it cannot be joined with the turn before",
      subject: exampleSample(
        "a b c d",
        { loss: "0001" },
        {
          ids: [1, 3, 4, 5],
          turns: [
            { promptIds: [1], ids: [2, 3] },
            { promptIds: [1, 3, 4], ids: [5] },
          ],
        },
      ),
      messages: [
        "turn 2 does not begin with what turn 1 ended with: it lost 1 sampled tokens at token 0 of the 2 sampled in turn 1; the turn is a row of its own, which is sound, and cannot be joined",
      ],
    },
  ],
  findGap: ({ turns = [] }) =>
    turns.filter(({ promptIds }) => promptIds !== undefined).length < 2
      ? "the sample states fewer than 2 turns with the ids they were shown"
      : undefined,
  check(sample) {
    const { turns = [] } = sample;
    const isRow = isTurnRow(sample);
    return turns.flatMap((turn, i): RuleFinding[] => {
      const before = turns[i - 1];
      if (before?.promptIds === undefined || turn.promptIds === undefined) return [];
      const at = findDifference([...before.promptIds, ...before.ids], turn.promptIds);
      if (at === undefined) return [];
      const positions = at < sample.ids.length ? [at] : [];
      const message = describeBreak(before, turn.promptIds, at, i);
      const evidence = { turn: i + 1, position: at };
      if (!isRow) return [tokenFinding(sample, positions, message, evidence)];
      return [
        {
          ...tokenFinding(
            sample,
            positions,
            `${message}; the turn is a row of its own, which is sound, and cannot be joined`,
            evidence,
          ),
          severity: "note",
        },
      ];
    });
  },
});
