// internal
import type { ElementContent } from "hast";
import type {
  BoundNumberNode,
  CitationNode,
  ClaimReferenceNode,
  CrossReferenceNode,
  ExternalIdNode,
} from "../parse/nodes.js";
import { element, text, type Handler, type Handlers, type MakeLink, type PageContext } from "./elements.js";

/** Returns the id of the place where a claim or a work is used for the `count`-th time. */
export function getUseId(name: string, count: number): string {
  return `tw-use-${name}${count === 1 ? "" : `-${count}`}`;
}

/** Returns the handlers of what leads elsewhere: claims, works, labels, footnotes. */
export function createReferenceHandlers(context: PageContext, makeLink: MakeLink): Handlers {
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
    boundNumber: (state, node: BoundNumberNode) => {
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
    citation: createCitationHandler(context, makeLink, takeUse),
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

/** A citation of which no work is known stays as it was written. */
function createCitationHandler(
  { options }: PageContext,
  makeLink: MakeLink,
  takeUse: (name: string) => string,
): Handler {
  return (_state, node: CitationNode) => {
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
  };
}
