import { problemRule } from "../../problem-rule.js";

/** Marked words whose class has no meaning. */
export const spanUnknownClassRule = problemRule({
  id: "span.unknown-class",
  severity: "warning",
  description: "Finds marked words whose class has no meaning.",
  rationale: "The mark is ignored, and with it for instance that a statement is speculative.",
  remedy: "Correct the class; the message lists the allowed ones",
  examples: [
    { name: "a known class", markdown: "[It may work]{.speculative}.", messages: [] },
    {
      name: "an unknown class",
      markdown: "[It may work]{.speculativ}.",
      messages: [
        'The mark ".speculativ" is unknown: allowed are .public, .undisclosed, .speculative, .needs-verify, .hedged, .illustrative',
      ],
    },
  ],
});
