import { createRandom, type Random } from "../../core/index.js";
import type { Block, PublishDocument } from "../document.js";
import type { ReviewPass } from "./passes.js";

/** Kinds of known defects, after the classes of issues met in practice. */
export type MutationClass =
  | "flip_sign"
  | "drop_factor"
  | "swap_cells"
  | "change_year"
  | "change_arxiv_digit"
  | "rename_identifier"
  | "remove_import"
  | "invert_comparison"
  | "alter_number";

/** One defect put into a copy. */
export interface Mutation {
  readonly class: MutationClass;
  /** The pass that should find it. */
  readonly pass: ReviewPass;
  /** Block of the original. */
  readonly block: string;
  /** Offsets in the original source. */
  readonly start: number;
  readonly end: number;
  /** 1-based line of the original, which is also that of the copy: a defect never adds or removes a line. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** A place where a defect can be put, before it is chosen. */
interface Candidate {
  readonly block: Block;
  /** Offset within the block's source. */
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

interface MutationRule {
  readonly class: MutationClass;
  readonly pass: ReviewPass;
  list(document: PublishDocument, random: Random): Candidate[];
}

function matchIn(
  blocks: readonly Block[],
  pattern: RegExp,
  replace: (match: RegExpMatchArray) => string | undefined,
): Candidate[] {
  return blocks.flatMap((block) =>
    [...block.source.matchAll(pattern)].flatMap((match) => {
      const after = replace(match);
      if (after === undefined || after === match[0]) return [];
      return [{ block, at: match.index ?? 0, before: match[0], after }];
    }),
  );
}

const ofType =
  (...types: readonly Block["type"][]) =>
  ({ blocks }: PublishDocument): Block[] =>
    blocks.filter(({ type }) => types.includes(type));

/** Blocks of text that hold no other block, so that no place is listed twice. */
function listTexts({ blocks }: PublishDocument): Block[] {
  const containers = new Set(blocks.map(({ parent }) => parent));
  const kinds: readonly Block["type"][] = ["paragraph", "item", "callout", "quote", "summary"];
  return blocks.filter(({ id, type }) => kinds.includes(type) && !containers.has(id));
}

/** Returns a number with its last digit other than 0 at the end changed. */
function changeDigit(text: string, random: Random): string {
  const digits = [...text.matchAll(/\d/g)];
  const { index, 0: digit } = digits[digits.length - 1];
  const other = (Number(digit) + 1 + random.nextInt(9)) % 10;
  return `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
}

const comparisons: readonly (readonly [string, string])[] = [
  ["higher", "lower"],
  ["larger", "smaller"],
  ["more", "less"],
  ["greater", "smaller"],
  ["faster", "slower"],
  ["better", "worse"],
  ["increases", "decreases"],
  ["before", "after"],
  ["above", "below"],
  ["高于", "低于"],
  ["大于", "小于"],
  ["优于", "劣于"],
  ["更高", "更低"],
  ["更快", "更慢"],
  ["更大", "更小"],
  ["增加", "减少"],
  ["cao hơn", "thấp hơn"],
  ["lớn hơn", "nhỏ hơn"],
];

function listComparisons(document: PublishDocument): Candidate[] {
  const words = new Map(
    comparisons.flatMap(
      ([up, down]) =>
        [
          [up, down],
          [down, up],
        ] as const,
    ),
  );
  const names = [...words.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => (/^[a-z ]+$/i.test(word) ? `\\b${word}\\b` : word));
  return matchIn(listTexts(document), new RegExp(names.join("|"), "g"), ([word]) => words.get(word));
}

/** Two neighbouring cells of a row are exchanged where they differ and hold a digit. */
function listCellSwaps(document: PublishDocument): Candidate[] {
  return ofType("table")(document).flatMap((block) => {
    const lines = block.source.split("\n");
    let at = 0;
    return lines.flatMap((line, row) => {
      const from = at;
      at += line.length + 1;
      if (row < 2 || /\$|`|\\\|/.test(line)) return []; // Pipes inside formulas and code are no cell borders.
      const match = /\|([^|]*)\|([^|]*)\|/.exec(line.slice(line.indexOf("|", 1)));
      if (match === null || match[1].trim() === match[2].trim() || !/\d/.test(match[1] + match[2])) return [];
      const start = from + line.indexOf("|", 1) + match.index;
      return [{ block, at: start, before: match[0], after: `|${match[2]}|${match[1]}|` }];
    });
  });
}

function listRenames(document: PublishDocument): Candidate[] {
  return ofType("code")(document).flatMap((block) => {
    const names = [...(block.code ?? "").matchAll(/\b([a-z_][a-zA-Z0-9_]{2,})\b(?=\s*[=([.,)])/g)].map(
      ([, name]) => name,
    );
    const repeated = [...new Set(names)].filter((name) => names.filter((each) => each === name).length > 1);
    // Only the last use is renamed, so that a name is used that was never defined.
    return repeated.flatMap((name) => {
      const at = block.source.lastIndexOf(name);
      const isWhole = !/\w/.test(block.source[at - 1] ?? "") && !/\w/.test(block.source[at + name.length] ?? "");
      return isWhole ? [{ block, at, before: name, after: `${name}_${name.length}` }] : [];
    });
  });
}

const rules: readonly MutationRule[] = [
  {
    class: "flip_sign",
    pass: "math",
    list: (document) =>
      matchIn(ofType("math")(document), /(?<=[\w})\]]\s*)[+-](?=\s*[\\\w({[])/g, ([sign]) =>
        sign === "+" ? "-" : "+",
      ),
  },
  {
    class: "drop_factor",
    pass: "math",
    list: (document) =>
      matchIn(
        ofType("math")(document),
        /\\frac\{1\}\{[^{}]+\}|\\(?:gamma|beta|lambda|alpha|eta)(?![a-zA-Z])(?:\^\{?[\w]+\}?)?(?=\s*\\?[a-zA-Z(])|\\sqrt\{[^{}]+\}/g,
        ([factor]) =>
          // A blank keeps the commands on both sides apart.
          factor.includes("\n") ? undefined : " ",
      ),
  },
  { class: "swap_cells", pass: "consistency", list: listCellSwaps },
  {
    class: "change_year",
    pass: "citation",
    list: (document, random) =>
      matchIn(
        listTexts(document),
        /(?<=[A-Z][\p{L}'’.-]+\s(?:et al\.?,?\s)?\(?)(?:19|20)\d{2}(?!\d|\.\d)/gu,
        ([year]) => String(Number(year) + (random.nextInt(2) === 0 ? -1 : 1) * (1 + random.nextInt(3))),
      ),
  },
  {
    class: "change_arxiv_digit",
    pass: "citation",
    list: (document, random) =>
      matchIn([...listTexts(document), ...ofType("table")(document)], /(?<![\d.])\d{4}\.\d{4,5}(?![\d.]*\d)/g, ([id]) =>
        changeDigit(id, random),
      ),
  },
  { class: "rename_identifier", pass: "code", list: listRenames },
  {
    class: "remove_import",
    pass: "code",
    list: (document) =>
      matchIn(ofType("code")(document), /^[ \t]*(?:import\s.+|from\s+\S+\s+import\s.+)$/gm, ([line]) =>
        // The line stays as a blank one, so that line numbers agree.
        " ".repeat(Math.min(1, line.length)),
      ),
  },
  { class: "invert_comparison", pass: "qa", list: listComparisons },
  {
    class: "alter_number",
    pass: "claim",
    list: (document, random) =>
      matchIn(
        [...listTexts(document), ...ofType("table")(document)],
        /(?<=\[)\d+(?:\.\d+)?%?(?=\]\{#c:)|(?<![\w.#§$\\/-])(?!\d{4}\.\d{4,5}\b)\d+\.\d+(?:%|\b)(?![\w./-])/g,
        ([number]) => changeDigit(number, random),
      ),
  },
];

/** All classes of known defects. */
export const mutationClasses: readonly MutationClass[] = rules.map((rule) => rule.class);

/** Returns the offset at which a line begins. */
function findLineStart(source: string, line: number): number {
  let at = 0;
  for (let index = 1; index < line; index += 1) at = source.indexOf("\n", at) + 1;
  return at;
}

function toMutation(
  { class: name, pass }: MutationRule,
  { block, at, before, after }: Candidate,
  source: string,
): Mutation | undefined {
  const from = source.indexOf(block.source, findLineStart(source, block.lineStart));
  if (from === -1) return undefined; // A block inside a quote has marks that its source may leave out.
  const start = from + at;
  const line = source.slice(0, start).split("\n").length;
  return { class: name, pass, block: block.id, start, end: start + before.length, line, before, after };
}

/**
 * Returns defects of the given classes to put into a copy of a document, at most `perClass` of each and one in a block,
 * drawn by the seed. Places of different classes never overlap, so all of them can be applied to one copy.
 */
export function drawMutations(
  document: PublishDocument,
  {
    classes = mutationClasses,
    perClass = 3,
    seed = 1,
  }: { readonly classes?: readonly MutationClass[]; readonly perClass?: number; readonly seed?: number } = {},
): Mutation[] {
  const taken = new Set<string>();
  return rules
    .filter((rule) => classes.includes(rule.class))
    .flatMap((rule) => {
      const random = createRandom(seed, "mutation", rule.class);
      const drawn: Mutation[] = [];
      for (const candidate of random.shuffle(rule.list(document, random))) {
        if (drawn.length === perClass) break;
        const mutation = toMutation(rule, candidate, document.source);
        if (mutation === undefined || taken.has(mutation.block)) continue;
        taken.add(mutation.block);
        drawn.push(mutation);
      }
      return drawn;
    });
}

/** Returns a copy of a text with defects put in. They must not overlap. */
export function applyMutations(source: string, mutations: readonly Mutation[]): string {
  return mutations
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, after }) => `${text.slice(0, start)}${after}${text.slice(end)}`, source);
}
