import { lintRule } from "../../lint-rule.js";

/** Waivers that cannot be applied. */
export const waiverInvalidRule = lintRule({
  id: "waiver.invalid",
  severity: "error",
  description: "Finds waivers without a reason, or of rules that do not exist.",
  rationale: "A waiver is a decision somebody answers for; without a reason it is not applied.",
  remedy: "Write `<!-- lint-allow rule: reason -->`",
  examples: [
    { name: "a reason", markdown: "<!-- lint-allow marker.open: asked the authors -->\nTODO ask.", messages: [] },
    {
      name: "no reason, and no such rule",
      markdown: "<!-- lint-allow marker.open -->\nText <!-- lint-allow marker.closed: why not -->",
      messages: [
        "The waiver of marker.open gives no reason",
        "The waiver names the rule marker.closed, which does not exist",
      ],
    },
  ],
  // What became of the waivers is known only after the other rules have run: the engine reports it.
  check: () => [],
});
