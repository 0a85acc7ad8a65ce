// internal
import type { Element, ElementContent } from "hast";
import type { Code, Heading, Image, Link, List, ListItem, Node, Parents } from "mdast";
import { defaultHandlers, type Options } from "remark-rehype";
import { getCodeLanguage } from "../parse/blocks.js";
import type {
  BoundNumberNode,
  CalloutNode,
  CitationNode,
  ClaimReferenceNode,
  CrossReferenceNode,
  DetailsNode,
  ExternalIdNode,
  InlineElementNode,
  MathNode,
  SpanNode,
} from "../parse/nodes.js";
import { resolveAlt } from "./alt-text.js";
import { escapeCode, type CodeColourer } from "./highlight.js";
import { renderMath } from "./math.js";
import type { RenderPageOptions } from "./render-options.js";
import type { PageWords } from "./words.js";

/** Handlers by node type, as remark-rehype takes them. */
export type Handlers = NonNullable<Options["handlers"]>;
type Handler = NonNullable<Handlers["paragraph"]>;
type State = Parameters<Handler>[0];

/** What the handlers of one page share. */
export interface PageContext {
  readonly words: PageWords;
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

type Properties = Element["properties"];

function element(tagName: string, properties: Properties, children: readonly ElementContent[]): Element {
  return { type: "element", tagName, properties, children: [...children] };
}

function text(value: string): ElementContent {
  return { type: "text", value };
}

/** Something the page adds to the author's text; comparisons of text leave it out. */
function generated(tagName: string, className: string, value: string, more: Properties = {}): Element {
  return element(tagName, { className: [className], dataGenerated: "", ...more }, value === "" ? [] : [text(value)]);
}

function raw(value: string): ElementContent {
  return { type: "raw", value } as ElementContent; // printed as it is by the serialiser
}

/** Returns the properties that tie an element to its block of the source. */
export function getStamp({ data, position }: Node): Properties {
  if (data?.block === undefined) return {};
  const [start, end] = [position?.start.line ?? 1, position?.end.line ?? 1];
  return { dataBlock: data.block, dataLine: start === end ? String(start) : `${start}-${end}` };
}

/** Returns the handlers of all nodes. */
export function createHandlers(context: PageContext): Handlers {
  const stamped = Object.fromEntries(
    Object.entries(defaultHandlers as Handlers).map(([type, handler]) => [
      type,
      stampResult(handler ?? (() => undefined)),
    ]),
  );
  return { ...stamped, ...createBlockHandlers(context), ...createInlineHandlers(context) };
}

function stampResult(handler: Handler): Handler {
  return (state, node: Node, parent) => {
    const result: unknown = handler(state, node, parent);
    const made = result as ReturnType<Handler>; // what every handler returns
    if (made !== undefined && !Array.isArray(made) && made.type === "element")
      Object.assign(made.properties, getStamp(node));
    return made;
  };
}

function setMath(context: PageContext, tex: string, isDisplay: boolean, node: Node): string {
  const key = `${isDisplay ? "d" : "i"}${tex}`;
  const made = context.formulas.get(key) ?? renderMath(tex, isDisplay);
  context.formulas.set(key, made);
  if (made.error === undefined) return made.html;
  context.report("math.parse", `The formula ${JSON.stringify(tex.slice(0, 80))} cannot be set: ${made.error}`, node);
  return `${made.html}<span class="mark-error" data-generated>${escapeCode(context.words.brokenFormula)}</span>`;
}

const phrasingParents = new Set(
  "paragraph heading tableCell summary calloutTitle emphasis strong delete link span boundNumber inlineElement definitionTerm".split(
    " ",
  ),
);

function createBlockHandlers(context: PageContext): Handlers {
  const { words, colourer } = context;
  const heading: Handler = (state, node: Heading) =>
    element(`h${node.depth}`, { id: node.data?.anchor, ...getStamp(node) }, state.all(node));
  const math: Handler = (_state, node: MathNode, parent: Parents | undefined) => {
    const isInline = parent !== undefined && phrasingParents.has(parent.type);
    const { anchor, number } = node.data ?? {};
    const content = raw(setMath(context, node.value, true, node));
    const label = number === undefined ? [] : [generated("span", "number", `(${number})`)];
    return element(isInline ? "span" : "div", { className: ["eq"], id: anchor, ...getStamp(node) }, [
      element(isInline ? "span" : "div", { className: ["eq-body"] }, [content]),
      ...label,
    ]);
  };
  const code: Handler = (_state, node: Code) => {
    const language = getCodeLanguage(node);
    const html = language === undefined ? undefined : colourer.render(node.value, language);
    const body = element("code", language === undefined ? {} : { className: [`language-${language}`] }, [
      raw(html ?? escapeCode(node.value)),
    ]);
    // The first line break after <pre> would be lost.
    return element("pre", { id: node.data?.anchor, dataLanguage: language, ...getStamp(node) }, [body]);
  };
  const listItem: Handler = (state, node: ListItem) => {
    const box =
      typeof node.checked === "boolean"
        ? [
            element(
              "input",
              {
                type: "checkbox",
                checked: node.checked,
                disabled: true,
                ariaLabel: node.checked ? "done" : "open",
                dataGenerated: "",
              },
              [],
            ),
          ]
        : [];
    return element("li", { className: box.length > 0 ? ["task"] : undefined, ...getStamp(node) }, [
      ...box,
      ...state.wrap(state.all(node), false),
    ]);
  };
  const list: Handler = (state, node: List) => {
    const isLoose = node.spread === true || node.children.some(({ spread }) => spread === true);
    const start = node.ordered === true && typeof node.start === "number" && node.start !== 1 ? node.start : undefined;
    return element(
      node.ordered === true ? "ol" : "ul",
      { className: isLoose ? ["loose"] : undefined, start, ...getStamp(node) },
      state.wrap(state.all(node), true),
    );
  };
  const table: Handler = (state, node, parent) => {
    const made = stampResult(defaultHandlers.table as Handler)(state, node, parent) as Element; // a table makes an element
    made.properties.id = (node as Node).data?.anchor;
    return element("div", { className: ["scroll"], role: "group", ariaLabel: words.table }, [made]);
  };
  const callout: Handler = (state, node: CalloutNode) => {
    const [first, ...rest] = node.children;
    const icon = generated("span", "icon", "", { ariaHidden: "true" });
    const name = generated("span", "hidden", `${words[node.kind]}: `);
    const title = first?.type === "calloutTitle" ? state.all(first) : undefined;
    const head = element("p", { className: ["callout-title"] }, [
      icon,
      name,
      ...(title === undefined ? [] : [element("strong", {}, title)]),
    ]);
    const body = state.all({ ...node, children: title === undefined ? node.children : rest } as Parents); // a node like the one given
    return element(
      "div",
      {
        className: ["callout", node.kind, ...(title === undefined ? ["untitled"] : [])],
        role: "note",
        ...getStamp(node),
      },
      [head, element("div", { className: ["callout-body"] }, state.wrap(body, true))],
    );
  };
  const details: Handler = (state, node: DetailsNode) => {
    const summary = node.children[0]?.type === "summary" ? [] : [generated("summary", "made", words.details)];
    return element(
      "details",
      { open: node.isOpen || undefined, ...getStamp(node) },
      state.wrap([...summary, ...state.all(node)], true),
    );
  };
  const wrapIn =
    (tagName: string): Handler =>
    (state, node: Parents) =>
      element(tagName, { id: (node as Node).data?.anchor, ...getStamp(node) }, state.all(node));
  return {
    heading,
    math,
    code,
    listItem,
    list,
    table,
    callout,
    details,
    summary: wrapIn("summary"),
    figure: wrapIn("figure"),
    figureCaption: wrapIn("figcaption"),
    definitionList: wrapIn("dl"),
    definitionTerm: wrapIn("dt"),
    definitionItem: wrapIn("dd"),
    comment: () => undefined,
    footnoteDefinition: (state, node: Parents & { identifier: string }) => {
      const number = context.footnotes.get(node.identifier) ?? 0;
      const count = context.mentions.get(node.identifier) ?? 0;
      const back = Array.from({ length: count }, (_unused, index) =>
        element(
          "a",
          {
            href: `#tw-fnref-${number}${index === 0 ? "" : `-${index + 1}`}`,
            className: ["back"],
            ariaLabel: words.backTo,
            dataGenerated: "",
          },
          [text("↩")],
        ),
      );
      return element("li", { id: `tw-fn-${number}`, value: String(number), ...getStamp(node) }, [
        ...state.wrap(state.all(node), true),
        ...back,
      ]);
    },
  };
}

/** Says whether an address may stand in a link. */
function isSafeUrl(url: string): boolean {
  const scheme = /^[\s\u0000-\u0020]*([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto", "doi", "arxiv"].includes(scheme);
}

function createInlineHandlers(context: PageContext): Handlers {
  const { words, options, report } = context;
  let linkDepth = 0;
  const makeLink = (
    href: string | undefined,
    children: readonly ElementContent[],
    properties: Properties = {},
  ): Element => {
    if (href === undefined || linkDepth > 0) return element("span", properties, children);
    const rel = /^https?:/i.test(href) ? { rel: ["noopener", "noreferrer"] } : {};
    return element("a", { href, ...rel, ...properties }, children);
  };
  const link: Handler = (state, node: Link) => {
    linkDepth += 1;
    const children = state.all(node);
    linkDepth -= 1;
    if (!isSafeUrl(node.url)) {
      report(
        "link.unsafe",
        `The link to ${JSON.stringify(node.url.slice(0, 80))} is not allowed: its text is shown alone`,
        node,
      );
      return element("span", { className: ["unresolved"] }, children);
    }
    const isInside = node.url.startsWith("#");
    const href = isInside ? node.url : (options.resolveLink?.(node.url) ?? node.url);
    return makeLink(href, children, node.title == null ? {} : { title: node.title });
  };
  const image: Handler = (_state, node: Image) => {
    const shown = resolveAlt(node.alt ?? "", options.resolveClaim);
    const origin = shown === (node.alt ?? "") ? {} : { dataSource: node.alt };
    const isRemote = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(node.url);
    const loaded = isRemote ? undefined : options.loadImage?.(node.url);
    if (loaded !== undefined) {
      const src = `data:${loaded.mediaType};base64,${Buffer.from(loaded.bytes).toString("base64")}`;
      return element("img", { src, alt: shown, ...origin, ...(node.title == null ? {} : { title: node.title }) }, []);
    }
    const why = isRemote ? words.remoteImage : words.missingImage;
    report(
      isRemote ? "image.remote" : "image.missing",
      `${isRemote ? "The image is on another site and is not loaded" : "The image is not there"}: ${JSON.stringify(node.url.slice(0, 200))}`,
      node,
    );
    const alt = shown === "" ? [] : [text(shown)];
    const href = isRemote && /^https?:/i.test(node.url) ? node.url : undefined;
    return makeLink(
      href,
      [element("span", { className: ["alt"], ...origin }, alt), generated("span", "mark-error", why)],
      {
        className: ["no-image"],
      },
    );
  };
  return {
    link,
    image,
    inlineMath: (_state, node: MathNode) => raw(setMath(context, node.value, false, node)),
    inlineElement: (state, node: InlineElementNode) => element(node.name, {}, state.all(node)),
    ...createReferenceHandlers(context, makeLink),
    span: (state, node: SpanNode) => {
      if (node.status === undefined) return element("span", { id: node.label }, state.all(node));
      const note = Object.values(node.values).join("; ");
      return element(
        "span",
        {
          className: ["status", node.status],
          id: node.label,
          dataStatus: node.status,
          title: note === "" ? undefined : note,
        },
        [...state.all(node), generated("span", "status-mark", words[node.status])],
      );
    },
  };
}

/** Returns the id of the place where a claim or a work is used for the `count`-th time. */
export function getUseId(name: string, count: number): string {
  return `tw-use-${name}${count === 1 ? "" : `-${count}`}`;
}

type MakeLink = (href: string | undefined, children: readonly ElementContent[], properties?: Properties) => Element;

function createReferenceHandlers(context: PageContext, makeLink: MakeLink): Handlers {
  const { options, report, footnotes, mentions, uses } = context;
  const takeUse = (name: string): string => {
    const count = (uses.get(name) ?? 0) + 1;
    uses.set(name, count);
    return getUseId(name, count);
  };
  return {
    crossReference: (_state, node: CrossReferenceNode) => {
      const claim = node.label.startsWith("c:") ? options.resolveClaim?.(node.label) : undefined;
      if (claim !== undefined) return makeLink(claim.href, [text(claim.text)], { className: ["ref"] });
      if (node.target === undefined) return element("span", { className: ["unresolved"] }, [text(`[#${node.label}]`)]);
      return makeLink(`#${node.target}`, [text(node.text ?? node.label)], { className: ["ref"] });
    },
    boundNumber: (state: State, node: BoundNumberNode) => {
      const claim = options.resolveClaim?.(node.claim);
      const properties = { className: ["claim"], dataClaim: node.claim, dataStatus: claim?.status, title: claim?.note };
      const id = claim === undefined ? undefined : takeUse(node.claim);
      return makeLink(claim?.href, state.all(node), { ...properties, id });
    },
    claimReference: (_state, node: ClaimReferenceNode) => {
      const claim = options.resolveClaim?.(node.claim);
      if (claim === undefined) report("claim.unresolved", `The claim "${node.claim}" has no value`, node);
      const properties = {
        className: ["claim", ...(claim === undefined ? ["unresolved"] : [])],
        dataClaim: node.claim,
        dataStatus: claim?.status,
        title: claim?.note,
        dataFilled: "",
        id: claim === undefined ? undefined : takeUse(node.claim),
      };
      return makeLink(claim?.href, [text(claim?.text ?? `[[${node.claim}]]`)], properties);
    },
    citation: (_state, node: CitationNode) => {
      const found = node.items.map((item) => ({ item, work: options.resolveCitation?.(item) }));
      const keys = node.items.map(({ key }) => key).join(" ");
      if (found.every(({ work }) => work === undefined)) {
        return element("span", { className: node.isBare ? ["cite"] : ["cite", "unresolved"], dataKeys: keys }, [
          text(node.source),
        ]);
      }
      const parts = found.flatMap(({ item, work }, index): ElementContent[] => {
        const content =
          work === undefined
            ? element("span", { className: ["unresolved"] }, [text(`@${item.key}`)])
            : makeLink(work.href, [text(work.text)], { title: work.note, dataKey: item.key, id: takeUse(item.key) });
        return [
          text(`${index > 0 ? "; " : ""}${item.prefix === undefined ? "" : `${item.prefix} `}`),
          content,
          ...(item.suffix === undefined ? [] : [text(`, ${item.suffix}`)]),
        ];
      });
      return element(
        "span",
        { className: ["cite"], dataKeys: keys, dataSource: node.source },
        node.isBare ? parts : [text("["), ...parts, text("]")],
      );
    },
    externalId: (_state, node: ExternalIdNode) => {
      const work = options.resolveExternalId?.(node.scheme, node.id);
      const home = node.scheme === "arxiv" ? `https://arxiv.org/abs/${node.id}` : `https://doi.org/${node.id}`;
      return makeLink(work?.href ?? home, [text(node.value)], {
        className: ["external"],
        dataId: `${node.scheme}:${node.id}`,
        title: work?.note,
      });
    },
    footnoteReference: (_state, node: { identifier: string }) => {
      const number = footnotes.get(node.identifier) ?? 0;
      const count = (mentions.get(node.identifier) ?? 0) + 1;
      mentions.set(node.identifier, count);
      const id = `tw-fnref-${number}${count === 1 ? "" : `-${count}`}`;
      return element("sup", { className: ["note"], dataGenerated: "" }, [
        makeLink(`#tw-fn-${number}`, [text(String(number))], { id, role: "doc-noteref" }),
      ]);
    },
  };
}
