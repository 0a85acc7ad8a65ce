// internal
import type { PublishDocument } from "../document.js";
import { parseDocument } from "../parse/parse-document.js";
import { buildReviewPacket } from "./packet.js";
import type { ReviewPass } from "./passes.js";
import type { ReviewResponse, ReviewResponseFinding } from "./response.js";

/** A small document with something for every pass. */
export const sampleMarkdown = `---
id: sample
kind: tutorial
lang: en
title: A small lesson
---

# A small lesson

## 1 Signs

The loss falls when the reward rises, as shown in arXiv 2001.00001.

$$
L = -R + \\gamma V
$$

Here $a = b + c$ holds, and the first method is faster than the second one.

\`\`\`python
import math
total = math.sqrt(4)
print(total)
\`\`\`

## 2 Questions

<details>
<summary>Q1: Is a larger step faster?</summary>

Yes, it is faster, but it is less stable.

</details>
`;

/** Returns a document from Markdown. */
export function parseSample(markdown = sampleMarkdown): PublishDocument {
  return parseDocument(markdown, { file: "sample.md" });
}

/** Returns a response that checks everything in a pass, with the given findings. */
export function answerAll(
  document: PublishDocument,
  pass: ReviewPass,
  findings: readonly Partial<ReviewResponseFinding>[] = [],
): ReviewResponse {
  const { items } = buildReviewPacket(document, pass);
  return {
    schema: "review-response/1",
    pass,
    coverage: items.map(({ id }) => ({ item: id, status: "checked", method: "derived" })),
    findings: findings.map((finding) => ({
      category: "formula.sign",
      severity: "major",
      location: { quote: { prefix: "", exact: "L = -R", suffix: "" } },
      says: "the reward counts negatively",
      problem: "the sign is that of the loss",
      evidence: { kind: "derivation", detail: "set V to 0 and vary R" },
      other_occurrences: [],
      ...finding,
    })),
    limits: [],
  };
}
