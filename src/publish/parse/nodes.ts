import type { BlockContent, DefinitionContent, Literal, Node, Parent, PhrasingContent } from "mdast";
import type { CalloutKind } from "../document.js";

/** A display formula; a block of its own, or inside a cell or a heading. */
export interface MathNode extends Literal {
  type: "math";
  /** Label as in `eq:loss`. */
  label?: string;
}

/** A formula in a line of text. */
export interface InlineMathNode extends Literal {
  type: "inlineMath";
}

/** A coloured box. */
export interface CalloutNode extends Parent {
  type: "callout";
  kind: CalloutKind;
  /** The emoji that made it one, or the word of the alert or container. */
  mark: string;
  children: (CalloutTitleNode | BlockContent | DefinitionContent)[];
}

/** First child of a callout that has a title. */
export interface CalloutTitleNode extends Parent {
  type: "calloutTitle";
  children: PhrasingContent[];
}

/** Content that is folded away below its summary, the first child. */
export interface DetailsNode extends Parent {
  type: "details";
  isOpen: boolean;
  children: (SummaryNode | BlockContent | DefinitionContent)[];
}

/** What a fold shows while it is closed. */
export interface SummaryNode extends Parent {
  type: "summary";
  children: PhrasingContent[];
}

/** A figure with an optional caption as one of its children. */
export interface FigureNode extends Parent {
  type: "figure";
  label?: string;
  children: (FigureCaptionNode | BlockContent | DefinitionContent)[];
}

/** The caption of a figure. */
export interface FigureCaptionNode extends Parent {
  type: "figureCaption";
  children: (PhrasingContent | BlockContent | DefinitionContent)[];
}

/** Terms with their definitions, in order. */
export interface DefinitionListNode extends Parent {
  type: "definitionList";
  children: (DefinitionTermNode | DefinitionItemNode)[];
}

/** A term of a definition list. */
export interface DefinitionTermNode extends Parent {
  type: "definitionTerm";
  children: PhrasingContent[];
}

/** A definition of the term before it. */
export interface DefinitionItemNode extends Parent {
  type: "definitionItem";
  children: (BlockContent | DefinitionContent)[];
}

/** `sub`, `sup` and `kbd` of the source. */
export interface InlineElementNode extends Parent {
  type: "inlineElement";
  name: "sub" | "sup" | "kbd";
  children: PhrasingContent[];
}

/** How sure a marked statement is. */
export type StatementStatus = "public" | "undisclosed" | "speculative" | "needs-verify" | "hedged";

/** `[text]{.speculative}`: text with classes; a known status is shown. */
export interface SpanNode extends Parent {
  type: "span";
  classes: string[];
  status?: StatementStatus;
  /** Question, source or date given as attributes. */
  values: { [name: string]: string };
  label?: string;
  children: PhrasingContent[];
}

/** `[0.742]{#c:id}`: a number in the source that a claim backs. */
export interface BoundNumberNode extends Parent {
  type: "boundNumber";
  claim: string;
  children: PhrasingContent[];
}

/** `[[c:id]]`: a number that is filled in when the page is made. */
export interface ClaimReferenceNode extends Node {
  type: "claimReference";
  claim: string;
}

/** `[#eq:loss]`. */
export interface CrossReferenceNode extends Node {
  type: "crossReference";
  label: string;
  /** Fragment and text, once resolved. */
  target?: string;
  text?: string;
}

/** One work of a citation. */
export interface CitationItem {
  key: string;
  prefix?: string;
  suffix?: string;
  isAuthorSuppressed?: boolean;
}

/** `[@key; @other]` or `@key`. */
export interface CitationNode extends Node {
  type: "citation";
  items: CitationItem[];
  /** Written without brackets. */
  isBare: boolean;
  /** As written, which is shown when nothing resolves it. */
  source: string;
}

/** An arXiv id or a DOI in running text. */
export interface ExternalIdNode extends Literal {
  type: "externalId";
  scheme: "arxiv" | "doi";
  /** Without version and prefix. */
  id: string;
}

/** A comment of the source; never shown. */
export interface CommentNode extends Literal {
  type: "comment";
}

declare module "mdast" {
  interface PhrasingContentMap {
    math: MathNode;
    inlineMath: InlineMathNode;
    inlineElement: InlineElementNode;
    span: SpanNode;
    boundNumber: BoundNumberNode;
    claimReference: ClaimReferenceNode;
    crossReference: CrossReferenceNode;
    citation: CitationNode;
    externalId: ExternalIdNode;
    comment: CommentNode;
  }
  interface BlockContentMap {
    math: MathNode;
    callout: CalloutNode;
    details: DetailsNode;
    figure: FigureNode;
    definitionList: DefinitionListNode;
    comment: CommentNode;
  }
  interface RootContentMap {
    math: MathNode;
    inlineMath: InlineMathNode;
    callout: CalloutNode;
    calloutTitle: CalloutTitleNode;
    details: DetailsNode;
    summary: SummaryNode;
    figure: FigureNode;
    figureCaption: FigureCaptionNode;
    definitionList: DefinitionListNode;
    definitionTerm: DefinitionTermNode;
    definitionItem: DefinitionItemNode;
    inlineElement: InlineElementNode;
    span: SpanNode;
    boundNumber: BoundNumberNode;
    claimReference: ClaimReferenceNode;
    crossReference: CrossReferenceNode;
    citation: CitationNode;
    externalId: ExternalIdNode;
    comment: CommentNode;
  }
  interface Data {
    /** Id of the block that the node is. */
    block?: string;
    /** Anchor of a heading or a label. */
    anchor?: string;
    /** Label of the table that a paragraph captions. */
    captionOf?: string;
    /** Whether a paragraph captions this table. */
    isCaptioned?: boolean;
    /** Number of a labelled formula, table, figure or listing, of the table that a paragraph captions, or of a footnote. */
    number?: number;
    hProperties?: { [name: string]: string | number | boolean };
  }
}
