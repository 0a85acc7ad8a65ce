import type { Rule, TokenSample } from "../../core/index.js";
import { tokenFinding } from "./mask-finding.js";
import { exampleSample } from "./mask-rule.js";

/** Fields that are there and cannot be used. */
export const unusableFieldRule: Rule<TokenSample> = {
  id: "unusable-field",
  severity: "warning",
  description: "Finds masks, turns, roles and divisors that a record states and that cannot be used.",
  rationale:
    "A field of a wrong type or with impossible values says nothing, and rules that need it list it as missing. Where the loss mask or the ids themselves are such a field, no rule judges the sample and the finding is an error. What the trainer made of the values is not known.",
  remedy: "Write the field as the guide says; check where the values come from",
  thresholds: {},
  examples: [
    {
      name: "every field can be used",
      subject: exampleSample("ask go end", { roles: "uaa", loss: "011" }),
      messages: [],
    },
    {
      name: "turns that are no turns",
      subject: exampleSample(
        "ask go end",
        { loss: "011" },
        { unusable: [{ name: "turns", reason: "it is no list of turns" }] },
      ),
      messages: ['"turns" cannot be used: it is no list of turns'],
    },
    {
      name: "a loss mask with other values than 0 and 1",
      subject: exampleSample(
        "ask go end",
        { loss: "000" },
        {
          unusable: [{ name: "lossMask", reason: "entry 1 is 2, where 0 and 1 are allowed", isEssential: true }],
        },
      ),
      messages: ['"lossMask" cannot be used, so the sample is not judged: entry 1 is 2, where 0 and 1 are allowed'],
    },
  ],
  check: (sample) =>
    (sample.unusable ?? []).map(({ name, reason, isEssential = false }) => ({
      ...tokenFinding(
        sample,
        [],
        `"${name}" cannot be used${isEssential ? ", so the sample is not judged" : ""}: ${reason}`,
        { field: name },
      ),
      ...(isEssential ? { severity: "error" } : {}),
    })),
};
