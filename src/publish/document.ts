import type { Root } from "mdast";

/** What a document is for; chooses its profile. */
export type DocumentKind = "tutorial" | "report" | "paper" | "page";

/** How deep a review goes. */
export type Effort = "lite" | "balanced" | "max" | "beast";

/** How strict the gate is. */
export type Assurance = "draft" | "release";

/** How a code block is treated: run and checked, parsed only, or left alone with a reason. */
export type ExecMode = "run" | "parse" | "skip";

/** The validated head of a document. Absent fields were not given. */
export interface FrontMatter {
  readonly id?: string;
  readonly kind?: DocumentKind;
  /** BCP 47. */
  readonly lang?: string;
  readonly title?: string;
  readonly subtitle?: string;
  readonly eyebrow?: string;
  readonly byline?: string;
  readonly profile?: string;
  readonly effort?: Effort;
  readonly assurance?: Assurance;
  /** ISO date of the text. */
  readonly date?: string;
  /** Paths relative to the document. */
  readonly bibliography?: readonly string[];
  readonly evidence?: readonly string[];
  /** Id of the document this one translates. */
  readonly translation_of?: string;
  readonly code?: ExecMode;
  readonly waivers?: string;
}

/** What a callout says of its content. */
export type CalloutKind = "info" | "warn" | "good" | "bad";

/** What a block is. */
export type BlockType =
  | "heading"
  | "paragraph"
  | "list"
  | "item"
  | "table"
  | "code"
  | "math"
  | "quote"
  | "callout"
  | "details"
  | "summary"
  | "figure"
  | "rule"
  | "html"
  | "footnote"
  | "definition";

/** One block of the source, in document order; nested blocks follow their container. */
export interface Block {
  /** Stable within a text: type and position in its kind, e.g. `eq:12`, `code:3`, `tbl:2`, `p:40`; or the author's label. */
  readonly id: string;
  readonly type: BlockType;
  /** 1-based, inclusive, in the source file (front matter counted). */
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Id of the block around it. */
  readonly parent?: string;
  /** Titles of the headings above, outermost first, as plain text. */
  readonly headingPath: readonly string[];
  /** The exact source of the block. */
  readonly source: string;
  /** Visible text with inline maths as its TeX between dollars; code byte for byte. */
  readonly text: string;
  /** For headings. */
  readonly depth?: number;
  readonly anchor?: string;
  readonly isInToc?: boolean;
  /** For code: language in lower case, attributes of the info string, content. */
  readonly language?: string;
  readonly attributes?: { readonly [name: string]: string };
  readonly code?: string;
  /** For display maths. */
  readonly tex?: string;
  /** For callouts. */
  readonly callout?: CalloutKind;
  /** For ordered lists: the first number. For every list: the number of items. */
  readonly start?: number;
  readonly itemCount?: number;
  /** For tables: cells as text, header row first. */
  readonly rows?: readonly (readonly string[])[];
}

/** One formula inside a line of text. */
export interface InlineMath {
  readonly tex: string;
  readonly block: string;
  readonly line: number;
}

/** Something the parser could not take as written; nothing is dropped in silence. */
export interface ParseProblem {
  /** Lint rule it belongs to, e.g. `html.escaped`, `front-matter.unknown-key`, `reference.unresolved`. */
  readonly rule: string;
  readonly message: string;
  readonly line: number;
}

/** Counts by code; made twice, from the source and from the page. Names as in the audit file. */
export interface Inventory {
  readonly h1: number;
  readonly h2: number;
  readonly h3: number;
  readonly h4: number;
  readonly toc: number;
  readonly details: number;
  readonly display_math: number;
  readonly inline_math: number;
  readonly code_blocks: number;
  readonly code_by_lang: { readonly [language: string]: number };
  readonly tables: number;
  readonly callouts: { readonly [kind in CalloutKind]: number };
  readonly quotes: number;
  readonly figures: number;
  readonly citations: number;
  readonly arxiv_ids: number;
  readonly words: number;
  readonly lines: number;
}

/** A parsed document: what every later stage works on. */
export interface PublishDocument {
  /** Path as given, for messages. */
  readonly file: string;
  readonly id: string;
  readonly source: string;
  /** SHA-256 of the source bytes, hex. */
  readonly sha256: string;
  readonly lines: readonly string[];
  readonly frontMatter: FrontMatter;
  /** 1-based line on which the body begins. */
  readonly bodyLine: number;
  readonly title: string;
  /** Declared language, or the detected one. */
  readonly lang: string;
  /** Language found in the visible prose by its script. */
  readonly detectedLang: string;
  /** Syntax tree with the dialect's own nodes (maths, callouts, details); every node keeps its source position. */
  readonly tree: Root;
  readonly blocks: readonly Block[];
  readonly inlineMath: readonly InlineMath[];
  readonly inventory: Inventory;
  readonly problems: readonly ParseProblem[];
}
