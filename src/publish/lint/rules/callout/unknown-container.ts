import { problemRule } from "../../problem-rule.js";

/** Containers whose name has no meaning. */
export const calloutUnknownContainerRule = problemRule({
  id: "callout.unknown-container",
  severity: "warning",
  description: "Finds containers whose name has no meaning.",
  rationale: "The container is shown as plain text.",
  remedy: "Use info, warn, good, bad or one of their other names",
  examples: [
    { name: "a known name", markdown: ":::warn\nText\n:::", messages: [] },
    {
      name: "an unknown name",
      markdown: ":::wran\nText\n:::",
      messages: ['The container "wran" is unknown: its lines are shown as text'],
    },
  ],
});
