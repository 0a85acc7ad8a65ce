// internal
import type { Element, ElementContent } from "hast";
import type { Node } from "mdast";
import type { Options } from "remark-rehype";
import { escapeCode, type CodeColourer } from "./highlight.js";
import { renderMath } from "./math.js";
import type { RenderPageOptions } from "./render-options.js";
import type { PageWords } from "./words.js";

/** Handlers by node type, as remark-rehype takes them. */
/** Makes the element of a node. */
export type Handlers = NonNullable<Options["handlers"]>;
/** Makes the element of a node. */
export type Handler = NonNullable<Handlers["paragraph"]>;
/** What a handler converts children with. */
export type State = Parameters<Handler>[0];

/** What the handlers of one page share. */
export interface PageContext {
  readonly words: PageWords;
  /** Language of the document. */
  readonly lang: string;
  readonly options: RenderPageOptions;
  readonly colourer: CodeColourer;
  /** Set by formulas, which are set once however often they occur. */
  readonly formulas: Map<string, ReturnType<typeof renderMath>>;
  readonly report: (rule: string, message: string, node: Node) => void;
  /** Number of a footnote by its identifier. */
  readonly footnotes: ReadonlyMap<string, number>;
  /** Mentions of each footnote so far. */
  readonly mentions: Map<string, number>;
  /** Uses of each claim and each cited work so far, so that its entry can lead back. */
  readonly uses: Map<string, number>;
}

/** Properties of an element, by their names in hast. */
export type Properties = Element["properties"];

/** Returns an element. */
export function element(tagName: string, properties: Properties, children: readonly ElementContent[]): Element {
  return { type: "element", tagName, properties, children: [...children] };
}

/** Returns a text. */
export function text(value: string): ElementContent {
  return { type: "text", value };
}

/** Something the page adds to the author's text; comparisons of text leave it out. */
export function generated(tagName: string, className: string, value: string, more: Properties = {}): Element {
  return element(tagName, { className: [className], dataGenerated: "", ...more }, value === "" ? [] : [text(value)]);
}

/** Returns HTML of a library, printed as it is. */
export function raw(value: string): ElementContent {
  return { type: "raw", value };
}

/** Returns the properties that tie an element to its block of the source. */
export function getStamp({ data, position }: Node): Properties {
  if (data?.block === undefined) return {};
  const [start, end] = [position?.start.line ?? 1, position?.end.line ?? 1];
  return { dataBlock: data.block, dataLine: start === end ? String(start) : `${start}-${end}` };
}

/** Returns a handler whose element carries the stamp of its node. */
export function stampResult(handler: Handler): Handler {
  return (state, node: Node, parent) => {
    const result: unknown = handler(state, node, parent);
    const made = result as ReturnType<Handler>; // what every handler returns
    if (made !== undefined && !Array.isArray(made) && made.type === "element")
      Object.assign(made.properties, getStamp(node));
    return made;
  };
}

/** Returns a formula as HTML, each set once; one that cannot be set is reported and marked. */
export function setMath(context: PageContext, tex: string, isDisplay: boolean, node: Node): string {
  const key = `${isDisplay ? "d" : "i"}${tex}`;
  const made = context.formulas.get(key) ?? renderMath(tex, isDisplay);
  context.formulas.set(key, made);
  if (made.error === undefined) return made.html;
  context.report("math.parse", `The formula ${JSON.stringify(tex.slice(0, 80))} cannot be set: ${made.error}`, node);
  return `${made.html}<span class="mark-error" data-generated>${escapeCode(context.words.brokenFormula)}</span>`;
}

/** Makes a link, or a plain element where there is no address or where a link would stand in a link. */
export type MakeLink = (
  href: string | undefined,
  children: readonly ElementContent[],
  properties?: Properties,
) => Element;
