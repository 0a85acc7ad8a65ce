import { lintRule } from "../../lint-rule.js";

/** Waivers that excuse nothing. */
export const waiverUnusedRule = lintRule({
  id: "waiver.unused",
  severity: "warning",
  description: "Finds waivers that no finding needs.",
  rationale: "What they excused is gone; kept, they would hide the next one.",
  remedy: "Remove the waiver",
  examples: [
    {
      name: "a waiver in use",
      markdown: "<!-- lint-allow marker.open: asked the authors -->\nTODO ask.",
      messages: [],
    },
    {
      name: "a waiver without a finding",
      markdown: "<!-- lint-allow marker.open: asked the authors -->\nAll known.",
      messages: ["The waiver of marker.open excuses nothing"],
    },
  ],
  // What became of the waivers is known only after the other rules have run: the engine reports it.
  check: () => [],
});
