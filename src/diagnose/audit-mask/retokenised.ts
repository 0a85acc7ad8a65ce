import type { RuleFinding } from "../../core/index.js";
import { tokenFinding } from "./mask-finding.js";
import { exampleSample, maskRule } from "./mask-rule.js";
import { isTurnRow, locateTurns } from "./provenance.js";

/** Sampled ids that the training sequence does not hold. */
export const retokenisedRule = maskRule({
  id: "retokenised",
  severity: "error",
  description: "Finds turns whose sampled ids do not stand in the training sequence as they were drawn.",
  rationale:
    "Text that is decoded, edited and encoded again becomes other ids: the sequence that is trained was never sampled, and its recorded log-probs belong to other tokens. Cutting or rewriting an action after sampling has the same effect.",
  remedy: "Train on the ids the sampler returned: token in, token out",
  thresholds: {},
  examples: [
    {
      name: "the sampled ids stand in the sequence",
      subject: exampleSample("a b c d", { loss: "0110" }, { ids: [1, 2, 3, 4], turns: [{ ids: [2, 3] }] }),
      messages: [],
    },
    {
      name: "two ids became one",
      subject: exampleSample("a b cd e", { loss: "0110" }, { ids: [1, 2, 9, 4], turns: [{ ids: [2, 3, 4] }] }),
      messages: [
        "the ids sampled in turn 1 do not stand in the training sequence: 1 of 3 agree from token 1 on, then id 3 was sampled and id 9 is trained",
      ],
    },
    {
      name: "the turn was cut after sampling",
      subject: exampleSample("a b", { loss: "01" }, { ids: [1, 2], turns: [{ ids: [2, 3, 4] }] }),
      messages: [
        "the ids sampled in turn 1 do not stand in the training sequence: 1 of 3 agree from token 1 on, then the sequence ends",
      ],
    },
    {
      name: "nothing of the turn is left",
      subject: exampleSample("a b", { loss: "01" }, { ids: [1, 2], turns: [{ ids: [7, 8] }] }),
      messages: ["the ids sampled in turn 1 do not stand in the training sequence: none of 2 agrees"],
    },
  ],
  findGap: ({ turns = [] }) => (turns.length === 0 ? "the sample does not state the ids the sampler drew" : undefined),
  check(sample) {
    const { ids } = sample;
    if (isTurnRow(sample)) return []; // it is the last turn as it was shown and drawn; earlier turns have rows of their own
    const { turns = [] } = sample;
    const matches = locateTurns(sample, turns);
    return turns.flatMap((turn, i): RuleFinding[] => {
      const { start, length } = matches[i];
      if (length === turn.ids.length) return [];
      const at = start + length;
      const next =
        at < ids.length
          ? `then id ${turn.ids[length]} was sampled and id ${ids[at]} is trained`
          : "then the sequence ends";
      const how =
        length === 0
          ? `none of ${turn.ids.length} agrees`
          : `${length} of ${turn.ids.length} agree from token ${start} on, ${next}`;
      const positions = [Math.min(at, ids.length - 1)];
      return [
        tokenFinding(
          sample,
          positions,
          `the ids sampled in turn ${i + 1} do not stand in the training sequence: ${how}`,
          { turn: i + 1, agreeing: length, sampledCount: turn.ids.length },
        ),
      ];
    });
  },
});
