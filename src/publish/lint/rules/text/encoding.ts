import { problemRule } from "../../problem-rule.js";

/** Files in another encoding. */
export const textEncodingRule = problemRule({
  id: "text.encoding",
  severity: "error",
  description: "Finds files that hold bytes which are not UTF-8.",
  rationale: "Such bytes are shown as a black mark, and what they meant is lost.",
  remedy: "Save the file as UTF-8",
  examples: [
    { name: "UTF-8", markdown: "Café", messages: [] },
    {
      name: "Latin-1",
      isLatin1: true,
      markdown: "Café",
      messages: ["The file holds bytes that are not UTF-8: they are shown as \uFFFD"],
    },
  ],
});
