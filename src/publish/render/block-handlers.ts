// internal
import type { Element } from "hast";
import type { Code, Heading, List, ListItem, Node, Parents, TableRow } from "mdast";
import { defaultHandlers } from "remark-rehype";
import { getCodeLanguage, readInfo } from "../parse/blocks.js";
import type { CalloutNode, DetailsNode, MathNode } from "../parse/nodes.js";
import { nameNumber } from "../parse/resolve-references.js";
import {
  element,
  generated,
  getStamp,
  raw,
  setMath,
  stampResult,
  text,
  type Handler,
  type Handlers,
  type PageContext,
} from "./elements.js";
import { escapeCode } from "./highlight.js";

const phrasingParents = new Set(
  "paragraph heading tableCell summary calloutTitle emphasis strong delete link span boundNumber inlineElement definitionTerm".split(
    " ",
  ),
);

/** A heading also answers to the names it had on earlier pages. */
function createHeadingHandler({ options: { oldAnchors = {} } }: PageContext): Handler {
  return (state, node: Heading) => {
    const anchor = node.data?.anchor;
    const earlier = Object.keys(oldAnchors)
      .filter((old) => oldAnchors[old] === anchor)
      .map((old) => element("span", { className: ["old-anchor"], id: old, dataGenerated: "" }, []));
    return element(`h${node.depth}`, { id: anchor, ...getStamp(node) }, [...earlier, ...state.all(node)]);
  };
}

const convertList: Handler = (state, node: List) => {
  const { ordered, start, spread, children } = node;
  const isLoose = spread === true || children.some((item) => item.spread === true);
  const first = ordered === true && typeof start === "number" && start !== 1 ? start : undefined;
  return element(
    ordered === true ? "ol" : "ul",
    { className: isLoose ? ["loose"] : undefined, start: first, ...getStamp(node) },
    state.wrap(state.all(node), true),
  );
};

const convertItem: Handler = (state, node: ListItem) => {
  const content = state.wrap(state.all(node), false);
  const { checked } = node;
  if (typeof checked !== "boolean") return element("li", getStamp(node), content);
  const label = checked ? "done" : "open";
  const box = element("input", { type: "checkbox", checked, disabled: true, ariaLabel: label, dataGenerated: "" }, []);
  return element("li", { className: ["task"], ...getStamp(node) }, [box, ...content]);
};

/** Returns a handler that only puts an element round the children. */
function wrapIn(tagName: string): Handler {
  return (state, node: Parents) => element(tagName, { id: node.data?.anchor, ...getStamp(node) }, state.all(node));
}

function createMathHandler(context: PageContext): Handler {
  return (_state, node: MathNode, parent: Parents | undefined) => {
    const tagName = parent !== undefined && phrasingParents.has(parent.type) ? "span" : "div";
    const { anchor, number } = node.data ?? {};
    const body = element(tagName, { className: ["eq-body"] }, [raw(setMath(context, node.value, true, node))]);
    const label = number === undefined ? [] : [generated("span", "number", `(${number})`)];
    return element(tagName, { className: ["eq"], id: anchor, ...getStamp(node) }, [body, ...label]);
  };
}

/** Returns what a block that is run says it gives, as the page shows it below the code. */
function showOutput(node: Code, { words }: PageContext): Element[] {
  const { exec, expect } = readInfo(node);
  if (exec !== "run" || expect === undefined || expect.trim() === "") return [];
  const label = generated("span", "name", words.output);
  const body = element("code", {}, [text(expect.replaceAll("\\n", "\n"))]);
  return [element("div", { className: ["output"], dataGenerated: "" }, [label, body])];
}

function createCodeHandler(context: PageContext): Handler {
  const { colourer, lang } = context;
  return (_state, node: Code) => {
    const language = getCodeLanguage(node);
    const html = language === undefined ? undefined : colourer.render(node.value, language);
    const className = language === undefined ? undefined : [`language-${language}`];
    const body = element("code", { className }, [raw(html ?? escapeCode(node.value))]);
    const { anchor, number } = node.data ?? {};
    const dataNumber = number === undefined ? undefined : nameNumber("code", number, lang);
    const code = element("pre", { id: anchor, dataLanguage: language, dataNumber, ...getStamp(node) }, [body]);
    return [code, ...showOutput(node, context)];
  };
}

function createTableHandler({ words, lang }: PageContext): Handler {
  return (state, node: Node, parent) => {
    // A table makes an element.
    const table = stampResult(defaultHandlers.table as Handler)(state, node, parent) as Element;
    const { anchor, number } = node.data ?? {};
    table.properties.id = anchor;
    if (number !== undefined && node.data?.isCaptioned !== true)
      table.children.unshift(generated("caption", "number", nameNumber("table", number, lang)));
    return element("div", { className: ["scroll"], role: "group", ariaLabel: words.table }, [table]);
  };
}

/** A row shows every cell that was written, also those without a head, and fills up with empty ones. */
const convertRow: Handler = (state, node: TableRow, parent: Parents | undefined) => {
  const isHead = parent?.type === "table" && parent.children.indexOf(node) === 0;
  const align = parent?.type === "table" ? (parent.align ?? []) : [];
  const cells = Array.from({ length: Math.max(align.length, node.children.length) }, (_unused, index) => {
    const cell = node.children[index];
    const content = cell === undefined ? [] : state.all(cell);
    return element(isHead ? "th" : "td", { align: align[index] ?? undefined }, content);
  });
  return element("tr", {}, state.wrap(cells, true));
};

/** The caption of a table begins with its number. */
function createParagraphHandler({ lang }: PageContext): Handler {
  return (state, node: Parents) => {
    const { number } = node.data ?? {};
    const label = number === undefined ? [] : [generated("span", "number", `${nameNumber("table", number, lang)}. `)];
    const className = number === undefined ? undefined : ["caption"];
    return element("p", { className, ...getStamp(node) }, [...label, ...state.all(node)]);
  };
}

/** A labelled figure shows its number before its caption. */
function createFigureHandler({ lang }: PageContext): Handler {
  return (state, node: Parents) => {
    const { anchor, number } = node.data ?? {};
    const children = state.all(node);
    if (number !== undefined) {
      const label = generated("span", "number", `${nameNumber("figure", number, lang)}. `);
      const caption = children.find((child) => child.type === "element" && child.tagName === "figcaption");
      if (caption?.type === "element") caption.children.unshift(label);
      else children.push(element("figcaption", { dataGenerated: "" }, [label]));
    }
    return element("figure", { id: anchor, ...getStamp(node) }, children);
  };
}

function createCalloutHandler({ words }: PageContext): Handler {
  return (state, node: CalloutNode) => {
    const [first, ...rest] = node.children;
    const hasTitle = first?.type === "calloutTitle";
    const icon = generated("span", "icon", "", { ariaHidden: "true" });
    const name = generated("span", "hidden", `${words[node.kind]}: `);
    const title = hasTitle ? [element("strong", {}, state.all(first))] : [];
    const head = element("p", { className: ["callout-title"] }, [icon, name, ...title]);
    const body = state.all({ ...node, children: hasTitle ? rest : node.children });
    const className = ["callout", node.kind, ...(hasTitle ? [] : ["untitled"])];
    return element("div", { className, role: "note", ...getStamp(node) }, [
      head,
      element("div", { className: ["callout-body"] }, state.wrap(body, true)),
    ]);
  };
}

function createDetailsHandler({ words }: PageContext): Handler {
  return (state, node: DetailsNode) => {
    const summary = node.children[0]?.type === "summary" ? [] : [generated("summary", "made", words.details)];
    const content = state.wrap([...summary, ...state.all(node)], true);
    return element("details", { open: node.isOpen || undefined, ...getStamp(node) }, content);
  };
}

function createFootnoteHandler({ words, footnotes, mentions }: PageContext): Handler {
  return (state, node: Parents & { identifier: string }) => {
    const number = footnotes.get(node.identifier) ?? 0;
    const content = state.wrap(state.all(node), true);
    const back = Array.from({ length: mentions.get(node.identifier) ?? 0 }, (_unused, index) => {
      const href = `#tw-fnref-${number}${index === 0 ? "" : `-${index + 1}`}`;
      return element("a", { href, className: ["back"], ariaLabel: words.backTo, dataGenerated: "" }, [text("↩")]);
    });
    return element("li", { id: `tw-fn-${number}`, value: String(number), ...getStamp(node) }, [...content, ...back]);
  };
}

/** Returns the handlers of blocks. */
export function createBlockHandlers(context: PageContext): Handlers {
  return {
    heading: createHeadingHandler(context),
    paragraph: createParagraphHandler(context),
    list: convertList,
    listItem: convertItem,
    math: createMathHandler(context),
    code: createCodeHandler(context),
    table: createTableHandler(context),
    tableRow: convertRow,
    figure: createFigureHandler(context),
    callout: createCalloutHandler(context),
    details: createDetailsHandler(context),
    footnoteDefinition: createFootnoteHandler(context),
    summary: wrapIn("summary"),
    figureCaption: wrapIn("figcaption"),
    definitionList: wrapIn("dl"),
    definitionTerm: wrapIn("dt"),
    definitionItem: wrapIn("dd"),
    comment: () => undefined,
  };
}
