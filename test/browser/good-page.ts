import {
  createEvidenceResolver,
  createReferenceResolver,
  parseDocument,
  renderDocumentPage,
  renderEvidence,
  type CheckPageOptions,
  type PageReference,
  type PageVerdicts,
  type PublishDocument,
  type RenderPageOptions,
} from "../../src/publish/index.js";

/** A document that holds every part of the dialect once. */
export const goodSource = `---
id: budgets
kind: tutorial
lang: en
title: Budgets of an agent
subtitle: What a limit on turns does to a success rate
eyebrow: Field notes
byline: The maintainers
---

## 1. What a budget is

An agent plays *turns* until a **limit** of \`maxTurns\` stops it[^first], see [#eq:rate] and [the next part](#1-1-rates-at-t). The rate
was [0.742]{#c:rate} in our runs, and [[c:runs]] runs were played [@smith2024]. [It may never reach one]{.speculative}.

[^first]: A limit of zero plays no turn at all.

### 1.1 Rates at $T$

$$p(T) = \\frac{1}{n} \\sum_{i=1}^{n} \\mathbb{1}[\\tau_i \\le T] + \\alpha_1 x_1 + \\alpha_2 x_2 + \\alpha_3 x_3 + \\alpha_4 x_4 + \\alpha_5 x_5 + \\alpha_6 x_6 + \\alpha_7 x_7 + \\alpha_8 x_8$$ {#eq:rate}

Inline, $\\tau_i < T$ counts, and so does $\\lvert x \\rvert$; a coffee costs $3.

| policy | turns | rate | what it does when the limit is near |
|---|--:|--:|---|
| base | 4 | 0.31 | asks for $k$ more turns |
| trained | 8 | 0.74 | hands in what it has |
| replay | 16 | 0.80 | repeats what was recorded |

1. read the task
2. act, which is
   - one call
   - and its answer
3. hand in

Between the lists stands a display:

$$a = b$$

4. go on
5. end

- [x] done
- [ ] open

## 2. What to look out for

> 💡 **Hint**: a budget is part of a figure's identity.
>
> - static
> - countdown

> ⚠️ **Careful**: never compare two budgets.

> ✅ **Right**: compare at equal $T$.

> ❌ **Wrong**: take the best of all.

> A plain quote holds code:
>
> \`\`\`ts
> const limit: number = 8;
> \`\`\`

\`\`\`python
def rate(solved, n):
    return solved / n if n > 0 else None
\`\`\`

\`\`\`
no language, and a line that is so long that it cannot be seen at once on the screen of a telephone held upright
\`\`\`

Term
: What it means.

Press <kbd>Tab</kbd>, H<sub>2</sub>O, x<sup>2</sup>.

<figure>

![Two curves that cross at four turns](curve.png)

<figcaption>Rates over turns</figcaption>
</figure>

---

### 2.1 Questions

<details>
<summary>Why is $T$ told to the agent?</summary>

Because an agent that knows its limit hands in earlier than one that does not.

#### Inside

- an item that only the folded part holds

</details>

<details open>
<summary>What is <em>not</em> a turn?</summary>
A retry of a failed request.
</details>
`.replace("<em>not</em>", "**not**");

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const references: readonly PageReference[] = [
  { key: "smith2024", short: "Smith 2024", full: "Smith, 2024: On limits", url: "https://example.org/limits" },
];

const claim = (id: string, display: string) => ({
  id,
  value: Number(display),
  display,
  status: "exact_match" as const,
  expr: "value",
  inputs: [],
  occurrences: [],
});
const claims = [claim("c:rate", "0.742"), claim("c:runs", "120")] as unknown as Parameters<
  typeof createEvidenceResolver
>[0]; // the fields that a page shows

export const goodVerdicts: PageVerdicts = {
  overall: "WARN",
  stages: [{ stage: "lint", verdict: "WARN", reason: "warnings" }],
  date: "2026-01-02 · draft",
  deferred: ["A source for the second table – later (mt, 2026-03-01)"],
  hedged: [],
  skipped: ["content"],
};

/** A page with what it is checked against. */
export interface GoodPage {
  readonly document: PublishDocument;
  readonly html: string;
  readonly options: CheckPageOptions;
}

async function render(document: PublishDocument, more: RenderPageOptions): Promise<string> {
  const { html } = await renderDocumentPage(document, {
    resolveClaim: createEvidenceResolver(claims),
    resolveCitation: createReferenceResolver(references),
    loadImage: () => ({ bytes: png, mediaType: "image/png" }),
    verdicts: goodVerdicts,
    appendix: renderEvidence({ claims, checkedAt: "2026-01-02T00:00:00Z", references, lang: document.lang }),
    ...more,
  });
  return html;
}

/** Returns the page of a source, with a page of the same text in another language. */
export async function makePage(source: string = goodSource): Promise<GoodPage> {
  const document = parseDocument(source, { file: "budgets.md" });
  const to = (lang: string, name: string, href: string): RenderPageOptions => ({
    translations: [{ lang, name, href }],
  });
  const other = parseDocument(source.replace("lang: en", "lang: de"), { file: "budgets.de.md" });
  const html = await render(document, to("de", "Deutsch", "budgets.de.html"));
  return {
    document,
    html,
    options: {
      document,
      level: "draft",
      generatedAt: "2026-01-02T00:00:00Z",
      inputHashes: { "budgets.md": `sha256:${document.sha256}` },
      renderings: [html, await render(document, to("de", "Deutsch", "budgets.de.html"))],
      pairHtml: await render(other, to("en", "English", "budgets.html")),
      previousIds: ["1-what-a-budget-is"],
      hasFile: (path) => path === "budgets.de.html",
      claims: [
        { id: "c:rate", text: "0.742" },
        { id: "c:runs", text: "120" },
      ],
      verdicts: goodVerdicts,
    },
  };
}
