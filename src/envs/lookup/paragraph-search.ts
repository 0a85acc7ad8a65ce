// internal
import MiniSearch from "minisearch";
import type { LookupParagraph } from "./lookup-data.js";

function splitWords(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u);
}

/** Finds paragraphs by words. */
export interface ParagraphSearch {
  /** Returns the positions of at most `limit` paragraphs that share a word with the query, best first. */
  find(query: string, limit: number): number[];
}

/**
 * Returns a search over paragraphs by BM25+ (k 1.2, b 0.7, delta 0.5; titles count twice). Words match whole, without
 * regard to case and accents. Equal scores are listed in the order of the paragraphs, so a search has one result.
 */
export function createParagraphSearch(paragraphs: readonly LookupParagraph[]): ParagraphSearch {
  const index = new MiniSearch({
    fields: ["title", "text"],
    tokenize: splitWords,
    processTerm: (term) => (term === "" ? null : term.toLowerCase()),
    searchOptions: {
      boost: { title: 2 },
      bm25: { k: 1.2, b: 0.7, d: 0.5 },
      prefix: false,
      fuzzy: false,
      combineWith: "OR",
    },
  });
  index.addAll(paragraphs.map((paragraph, id) => ({ id, ...paragraph })));
  return {
    find(query, limit) {
      const found = index
        .search(query)
        .map(({ id, score }) => ({ position: Number(id), score: Math.round(score * 1e9) }));
      found.sort((a, b) => b.score - a.score || a.position - b.position);
      return found.slice(0, limit).map(({ position }) => position);
    },
  };
}
