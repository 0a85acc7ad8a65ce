import type { Node } from "mdast";
import type { Block, CalloutKind, Inventory } from "../document.js";
import type { CitationNode, ExternalIdNode } from "./nodes.js";
import { walk } from "./resolve-references.js";

/** Returns the number of words of a text: runs of letters and digits, and each ideograph on its own. */
export function countWords(text: string): number {
  const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
  const rest = text.replace(ideographs, " ");
  return (text.match(ideographs)?.length ?? 0) + (rest.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu)?.length ?? 0);
}

const leafTypes = new Set<Block["type"]>(["heading", "paragraph", "summary", "table", "definition"]);

/**
 * Counts what a document holds, from its tree. `citations` counts every work cited by key, each time; `arxiv_ids` the
 * different ids; `words` those of prose, without code and displays.
 */
export function countInventory(tree: Node, blocks: readonly Block[], lineCount: number): Inventory {
  const count = (keep: (block: Block) => boolean): number => blocks.filter(keep).length;
  const heading = (depth: number): number => count((block) => block.type === "heading" && block.depth === depth);
  const code = blocks.filter(({ type }) => type === "code");
  const languages: { [language: string]: number } = {};
  for (const language of code.map((block) => block.language ?? "none").sort()) {
    languages[language] = (languages[language] ?? 0) + 1;
  }
  const callouts = { info: 0, warn: 0, good: 0, bad: 0 } satisfies { [kind in CalloutKind]: number };
  for (const { callout } of blocks) if (callout !== undefined) callouts[callout] += 1;
  let inlineMath = 0;
  let citations = 0;
  const ids = new Set<string>();
  walk(tree, (node) => {
    if (node.type === "inlineMath") inlineMath += 1;
    // By their types.
    if (node.type === "citation") citations += (node as CitationNode).items.length;
    if (node.type === "externalId" && (node as ExternalIdNode).scheme === "arxiv") ids.add((node as ExternalIdNode).id); // by its type
  });
  const parents = new Set(blocks.map(({ parent }) => parent));
  const prose = blocks.filter(({ id, type }) => leafTypes.has(type) && !(type === "definition" && parents.has(id)));
  return {
    h1: heading(1),
    h2: heading(2),
    h3: heading(3),
    h4: heading(4),
    toc: count((block) => block.isInToc === true),
    details: count(({ type }) => type === "details"),
    display_math: count(({ type }) => type === "math"),
    inline_math: inlineMath,
    code_blocks: code.length,
    code_by_lang: languages,
    tables: count(({ type }) => type === "table"),
    callouts,
    quotes: count(({ type }) => type === "quote"),
    figures: count(({ type }) => type === "figure"),
    citations,
    arxiv_ids: ids.size,
    words: prose.reduce((sum, { text }) => sum + countWords(text), 0),
    lines: lineCount,
  };
}
