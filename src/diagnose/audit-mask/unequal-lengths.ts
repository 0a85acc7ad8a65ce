import type { Rule, TokenSample } from "../../core/index.js";
import { findLengthFaults } from "./length-faults.js";
import { tokenFinding } from "./mask-finding.js";
import { exampleSample } from "./mask-rule.js";

/** Lists beside the ids that have another length. */
export const unequalLengthsRule: Rule<TokenSample> = {
  id: "unequal-lengths",
  severity: "error",
  description: "Finds masks, log-probs or roles that do not have one entry for each token.",
  rationale:
    "A list that is too short or too long is padded or cut somewhere later, and then says something about other tokens than it was made for. No other rule judges such a sample.",
  remedy: "Build ids, masks and log-probs together, turn by turn, and cut them together",
  thresholds: {},
  examples: [
    {
      name: "one entry for each token",
      subject: exampleSample("ask go end", { roles: "uaa", loss: "011" }),
      messages: [],
    },
    {
      name: "a loss mask that lacks the last token",
      subject: exampleSample("ask go end", { loss: "01" }),
      messages: ["lists do not fit the 3 ids: lossMask has 2 entries"],
    },
  ],
  check(sample) {
    const faults = findLengthFaults(sample);
    if (faults.length === 0) return [];
    const words = faults.map(({ name, length }) => `${name} has ${length} entries`).join(", ");
    return [
      tokenFinding(sample, [], `lists do not fit the ${sample.ids.length} ids: ${words}`, {
        lengths: Object.fromEntries(faults.map(({ name, length }) => [name, length])),
      }),
    ];
  },
};
