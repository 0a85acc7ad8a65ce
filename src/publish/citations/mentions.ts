// internal
import type { Link, Node } from "mdast";
import type { PublishDocument } from "../document.js";
import type { CitationNode, ExternalIdNode } from "../parse/nodes.js";
import { getVisibleText } from "../parse/visible-text.js";
import { findSentence, listFlows, type Flow } from "../claims/text/flows.js";
import { getCanonicalId } from "./work-id.js";

/** A place where a document cites a work. */
export interface CitationUse {
  /** Key of the registry; absent for bare ids. */
  readonly key?: string;
  readonly arxiv?: string;
  readonly doi?: string;
  /** Canonical id, of a key only through the registry. */
  readonly work?: string;
  readonly line: number;
  readonly block: string;
  /** The words around it, for readers and reviewers. */
  readonly sentence: string;
  /** What stands beside it up to the next work: authors, year, title, venue. */
  readonly segment: string;
  /** Where the mention itself stands in `segment`. */
  readonly at: number;
}

interface Found {
  readonly text: string;
  readonly key?: string;
  readonly arxiv?: string;
  readonly doi?: string;
}

const linkedArxiv =
  /^https?:\/\/(?:www\.)?arxiv\.org\/(?:abs|pdf|html)\/((?:[a-z-]+(?:\.[A-Z]{2})?\/)?[\d.]+)(?:v\d+)?(?:\.pdf)?\/?(?:[?#].*)?$/i;
const linkedDoi = /^https?:\/\/(?:dx\.)?doi\.org\/(10\.[^\s?#]+)$/i;
/** Ids that the parser leaves as text since they cannot be any: what is wrong with them is worth saying. */
const oddArxiv = /arXiv\s*[:：]\s*(\d[\d.]*\d)(?:v\d+)?/gi;
const oddDoi = /\bdoi\s*[:：]\s*(\S+?)(?=[\s,;，；。)）\]]|\.?$)/gi;

function readNode(node: Node): readonly Found[] {
  const text = getVisibleText(node);
  if (node.type === "citation") return (node as CitationNode).items.map(({ key }) => ({ text, key })); // by its type, as below
  if (node.type === "externalId") {
    const { scheme, id } = node as ExternalIdNode; // by its type
    return [{ text, ...(scheme === "arxiv" ? { arxiv: id } : { doi: id }) }];
  }
  if (node.type === "link") {
    const { url } = node as Link; // by its type
    const arxiv = linkedArxiv.exec(url)?.[1];
    const doi = linkedDoi.exec(url)?.[1];
    if (arxiv !== undefined) return [{ text, arxiv }];
    return doi === undefined ? [] : [{ text, doi: doi.toLowerCase() }];
  }
  return [];
}

function getChildren(node: Node): readonly Node[] {
  return (node as { children?: Node[] }).children ?? []; // every parent of mdast has them here
}

/** Returns the works that the nodes of each block mention, in order. */
function collect(document: PublishDocument): Map<number, Found[]> {
  const byLine = new Map<number, Found[]>();
  function visit(node: Node): void {
    const found = readNode(node);
    const line = node.position?.start.line ?? 1;
    if (found.length > 0) byLine.set(line, [...(byLine.get(line) ?? []), ...found]);
    if (found.length === 0) for (const child of getChildren(node)) visit(child);
  }
  visit(document.tree);
  return byLine;
}

interface Place extends Found {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** Returns the mentions in a flow with their places. */
function locate(flow: Flow, byLine: ReadonlyMap<number, Found[]>): Place[] {
  const places: Place[] = [];
  const taken = new Map<number, number>();
  for (const { kind, from, to, line } of flow.pieces) {
    if (kind !== "cited" && kind !== "opaque") continue;
    const text = flow.text.slice(from, to);
    const list = byLine.get(line) ?? [];
    const start = taken.get(line) ?? 0;
    const first = list.findIndex((found, index) => index >= start && found.text === text);
    if (first < 0) continue;
    let end = first;
    // One citation may name several works.
    while (end < list.length && list[end].text === text && (end === first || list[end].key !== undefined)) {
      places.push({ ...list[end], from, to, line });
      end += 1;
    }
    taken.set(line, end);
  }
  for (const [pattern, scheme] of [
    [oddArxiv, "arxiv"],
    [oddDoi, "doi"],
  ] as const)
    for (const match of flow.text.matchAll(pattern)) {
      const [text, id] = match;
      const from = match.index + text.indexOf(id);
      const isKnown = flow.pieces.some(
        (piece) => piece.kind === "cited" && piece.from < match.index + text.length && piece.to > match.index,
      );
      const line = flow.line + (flow.text.slice(0, from).match(/\n/g)?.length ?? 0);
      if (!isKnown)
        places.push({
          text,
          ...(scheme === "arxiv" ? { arxiv: id } : { doi: id }),
          from,
          to: match.index + text.length,
          line,
        });
    }
  return places.sort((a, b) => a.from - b.from);
}

const known = new WeakMap<PublishDocument, readonly CitationUse[]>();

/** Returns every place where a document cites a work, by key or by id, in order. */
export function listCitationUses(document: PublishDocument): readonly CitationUse[] {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const byLine = collect(document);
  const uses = listFlows(document).flatMap((flow) => {
    const places = locate(flow, byLine);
    return places.map((place): CitationUse => {
      const sentence = findSentence(flow, place.from);
      const before = places.filter(({ to }) => to <= place.from).at(-1)?.to ?? 0;
      const after = places.find(({ from }) => from >= place.to)?.from ?? flow.text.length;
      const from = Math.max(
        sentence.from,
        before,
        flow.text.lastIndexOf(";", place.from - 1) + 1,
        flow.text.lastIndexOf("；", place.from - 1) + 1,
      );
      const rest = flow.text.slice(place.to, Math.min(after, sentence.to, place.to + 60));
      const to = place.to + (/[;；。)）\]]/.exec(rest)?.index ?? (after < sentence.to ? 0 : rest.length));
      const { key, arxiv, doi, line } = place;
      const work = getCanonicalId({ arxiv, doi });
      return {
        ...(key === undefined ? {} : { key }),
        ...(arxiv === undefined ? {} : { arxiv }),
        ...(doi === undefined ? {} : { doi }),
        ...(work === undefined ? {} : { work }),
        line,
        block: flow.block,
        sentence: (flow.row ?? flow.text.slice(sentence.from, sentence.to)).trim(),
        segment: flow.text.slice(from, to),
        at: place.from - from,
      };
    });
  });
  known.set(document, uses);
  return uses;
}
