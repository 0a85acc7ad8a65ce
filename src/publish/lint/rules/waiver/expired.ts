import { lintRule } from "../../lint-rule.js";

/** Waivers past their date. */
export const waiverExpiredRule = lintRule({
  id: "waiver.expired",
  severity: "warning",
  description: "Finds waivers past their date; they are not applied.",
  rationale: "The finding was excused for a time, and the time is over.",
  remedy: "Settle the finding, or renew the waiver",
  examples: [
    {
      name: "a date to come",
      today: "2030-01-01",
      markdown: "<!-- lint-allow marker.open until 2030-06-01: asked -->\nTODO ask.",
      messages: [],
    },
    {
      name: "a date past",
      today: "2030-07-01",
      markdown: "<!-- lint-allow marker.open until 2030-06-01: asked -->\nTODO ask.",
      messages: ["The waiver of marker.open ended on 2030-06-01"],
    },
  ],
  // What became of the waivers is known only after the other rules have run: the engine reports it.
  check: () => [],
});
