import { countShared } from "./count-shared.js";

/** A syntax tree: a node's type, its text where it is a leaf, and its children. */
export interface SyntaxNode {
  readonly type: string;
  readonly children?: readonly SyntaxNode[];
}

/** One value that flows: where a variable is read, and the statement its value came from. */
export interface DataFlowEdge {
  readonly variable: string;
  /** Kind of the statement that gave the value, e.g. `assign`. */
  readonly from: string;
  /** Variables that the value was computed of. */
  readonly sources: readonly string[];
}

/** Returns every subtree with children as one text of its types; names and literals play no part. */
function listSubtrees(root: SyntaxNode): string[] {
  const found: string[] = [];
  const walk = ({ type, children = [] }: SyntaxNode): string => {
    if (children.length === 0) return type;
    const text = `(${[type, ...children.map(walk)].join(" ")})`;
    found.push(text);
    return text;
  };
  walk(root);
  return found;
}

/** Returns the share of `wanted` that is found in `own`, each of `own` used once; `undefined` when nothing is wanted. */
function shareFound(wanted: readonly string[], own: readonly string[]): number | undefined {
  return wanted.length === 0 ? undefined : countShared(wanted, own) / wanted.length;
}

/**
 * Returns the share of the reference's subtrees that the candidate has too, by types alone (the syntactic part of
 * CodeBLEU, arXiv 2009.10297, as PPOCoder's reward uses it, arXiv 2301.13816). `undefined` for a reference without a
 * subtree: there is nothing to match.
 */
export function astMatch(candidate: SyntaxNode, reference: SyntaxNode): number | undefined {
  return shareFound(listSubtrees(reference), listSubtrees(candidate));
}

/** Returns edges as texts with variables renamed in the order in which they first appear. */
function renameEdges(edges: readonly DataFlowEdge[]): string[] {
  const names = new Map<string, string>();
  const rename = (name: string): string => {
    const known = names.get(name) ?? `v${names.size}`;
    names.set(name, known);
    return known;
  };
  return edges.map(({ variable, from, sources }) => `${sources.map(rename).join(",")}>${from}>${rename(variable)}`);
}

/**
 * Returns the share of the reference's data-flow edges that the candidate has too, whatever the variables are called
 * (the semantic part of CodeBLEU). `undefined` for a reference without an edge.
 */
export function dataflowMatch(
  candidate: readonly DataFlowEdge[],
  reference: readonly DataFlowEdge[],
): number | undefined {
  return shareFound(renameEdges(reference), renameEdges(candidate));
}

/**
 * Returns PPOCoder's reward of a program, placed on its last token: +1 if it compiles, -1 if not, plus the two matches;
 * a match that is undefined adds nothing.
 */
export function ppocoderReward(program: {
  readonly compiles: boolean;
  readonly ast?: number;
  readonly dataflow?: number;
}): number {
  const { compiles, ast = 0, dataflow = 0 } = program;
  return (compiles ? 1 : -1) + ast + dataflow;
}
