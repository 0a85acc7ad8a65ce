import { sha256 } from "../../core/index.js";
import type { Block, PublishDocument } from "../document.js";
import type { ReviewPass } from "./passes.js";

/** One thing a pass must look at. */
export interface ReviewItem {
  /** Block id such as `eq:12`, or `math:LINE:N` for a formula in a line, `cite:KEY`, `topic:N`. */
  readonly id: string;
  readonly kind: "equation" | "identity" | "code" | "question" | "citation" | "statement" | "section" | "topic";
  /** 1-based; absent for a topic. */
  readonly line_start?: number;
  readonly line_end?: number;
  /** What it is, where the document's text does not show it by line: a topic's words, a citation's key. */
  readonly label?: string;
  /** Hash of the item's source, by which a later text is known to hold it unchanged. */
  readonly sha256: string;
}

function toItem(block: Block, kind: ReviewItem["kind"]): ReviewItem {
  const { id, lineStart, lineEnd, source } = block;
  return { id, kind, line_start: lineStart, line_end: lineEnd, sha256: `sha256:${sha256(source)}` };
}

/** A relation in TeX: what makes a formula in a line a statement that can be false. */
const relation = /=|\\(?:approx|propto|equiv|leq?|geq?|ll|gg|sim)(?![a-zA-Z])|[<>]|\\(?:lt|gt)(?![a-zA-Z])/;

function listIdentities({ inlineMath }: PublishDocument): ReviewItem[] {
  const counts = new Map<number, number>();
  return inlineMath.flatMap(({ tex, line }) => {
    const index = (counts.get(line) ?? 0) + 1;
    counts.set(line, index);
    // `i=1` under a sum is no statement; only what stands outside subscripts counts.
    if (!relation.test(tex.replace(/[_^]\{[^{}]*\}/g, ""))) return [];
    const hash = `sha256:${sha256(tex)}`;
    return [{ id: `math:${line}:${index}`, kind: "identity" as const, line_start: line, line_end: line, sha256: hash }];
  });
}

/** Headings that ask: `Q12`, `Q: …`, `问题 3`, `Câu 4`. */
const questionHeading =
  /^(?:\d+(?:\.\d+)*[.\s\u3000]*)?(?:Q\s?\d+|Q[.:：]|Question\s+\d+|问题?\s*\d+|Câu(?: hỏi)?\s+\d+)/i;

function listQuestions({ blocks }: PublishDocument): ReviewItem[] {
  const isQuestion = ({ type, text }: Block): boolean =>
    type === "details" || (type === "heading" && questionHeading.test(text));
  return blocks.filter(isQuestion).map((block) => toItem(block, "question"));
}

const citationPatterns: readonly (readonly [string, RegExp])[] = [
  ["", /(?<![\w@])@([\p{L}][\p{L}\p{N}_:.#$%&+?<>~/-]*[\p{L}\p{N}])/gu],
  ["arxiv:", /(?<![\d.])(\d{4}\.\d{4,5})(?:v\d+)?(?![\d.]*\d)/g],
  ["doi:", /\b(10\.\d{4,9}\/[^\s"'<>()[\]{}|]*[^\s"'<>()[\]{}|.,;:])/g],
];

/** `Kim et al. (2020)`, `(Kim & Lee, 2020)`, `Kim et al., 2020`: works named by author and year. */
const authorYear =
  /(\p{Lu}[\p{L}'’-]+)(?:\s+et\s+al\.?|\s+等人?)(?:,|\s)*[(（]?\s*((?:19|20)\d{2})(?!\d)|[(（](\p{Lu}[\p{Ll}'’-]+)(?:\s+(?:&|and)\s+\p{Lu}[\p{L}'’-]+)?,?\s+((?:19|20)\d{2})[a-z]?[)）]/gu;
const months = new Set(
  "January February March April May June July August September October November December".split(" "),
);

function listAuthorYears(source: string): string[] {
  return [...source.matchAll(authorYear)].flatMap(([, first, firstYear, second, secondYear]) => {
    const name = first ?? second;
    return months.has(name) ? [] : [`${name} ${firstYear ?? secondYear}`];
  });
}

/** Returns each work a document refers to once: citation keys, arXiv ids, DOIs, and authors with a year, outside code. */
function listCitations({ blocks }: PublishDocument): ReviewItem[] {
  const items = new Map<string, ReviewItem>();
  for (const block of blocks) {
    if (block.type === "code" || block.type === "math" || block.type === "html") continue;
    // A decorator or an address in a code span is no citation.
    const text = block.source.replace(/`[^`\n]*`/g, " ");
    const keys = citationPatterns.flatMap(([prefix, pattern]) =>
      [...text.matchAll(pattern)]
        .filter(([, key]) => prefix !== "arxiv:" || isArxivMonth(key))
        .map(([, key]) => `${prefix}${key}`),
    );
    for (const label of [...keys, ...listAuthorYears(text)]) {
      const id = `cite:${label.toLowerCase().replace(" ", "-")}`;
      const { lineStart, lineEnd } = block;
      const hash = `sha256:${sha256(label)}`;
      if (!items.has(id))
        items.set(id, { id, kind: "citation", line_start: lineStart, line_end: lineEnd, label, sha256: hash });
    }
  }
  return [...items.values()];
}

/** Says whether `YYMM.number` has a month, so that `1536.0000` is read as a number. Impossible months are lint's matter. */
function isArxivMonth(id: string): boolean {
  const [year, month] = [Number(id.slice(0, 2)), Number(id.slice(2, 4))];
  return year >= 7 && month >= 1 && month <= 19;
}

const statementTypes = new Set<Block["type"]>(["paragraph", "item", "table", "callout", "summary", "figure", "quote"]);
/** Numbers, comparisons and words of scope in English, Chinese and Vietnamese. */
const statementWords =
  /\d|\b(?:more|less|fewer|better|worse|higher|lower|faster|slower|best|worst|outperform\w*|improv\w*|all|every|only|always|never|none|first|most|least|consistently|significantly|than)\b|更|优于|劣于|高于|低于|最|所有|全部|唯一|总是|从不|首个|显著|提升|\b(?:hơn|nhất|tất cả|mọi|luôn|chỉ|không bao giờ)(?!\p{L})/iu;

function listStatements({ blocks }: PublishDocument): ReviewItem[] {
  const containers = new Set(blocks.map(({ parent }) => parent));
  return blocks
    .filter((block) => statementTypes.has(block.type) && (block.type === "table" || !containers.has(block.id)))
    .filter(({ text }) => statementWords.test(text))
    .map((block) => toItem(block, "statement"));
}

/** Returns what a reviewer of a pass must give coverage of, in document order; empty when the pass has nothing to do. */
export function listReviewItems(
  document: PublishDocument,
  pass: ReviewPass,
  { topics = [] }: { readonly topics?: readonly string[] } = {},
): ReviewItem[] {
  const { blocks } = document;
  switch (pass) {
    case "math":
      return [
        ...blocks.filter(({ type }) => type === "math").map((block) => toItem(block, "equation")),
        ...listIdentities(document),
      ];
    case "code":
      return blocks
        .filter(({ type, language }) => type === "code" && language !== "diagram")
        .map((block) => toItem(block, "code"));
    case "qa":
      return listQuestions(document);
    case "citation":
      return listCitations(document);
    case "claim":
      return listStatements(document);
    case "consistency":
      return blocks
        .filter(({ type, depth }) => type === "heading" && depth === 2)
        .map((block) => toItem(block, "section"));
    case "coverage":
      return topics.map((label, index) => ({
        id: `topic:${index + 1}`,
        kind: "topic" as const,
        label,
        sha256: `sha256:${sha256(label)}`,
      }));
    default:
      return pass satisfies never;
  }
}
