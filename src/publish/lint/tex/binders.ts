// internal
import type { TexNode } from "./parse-tex.js";
import { getBracketSide, isRelation, matchBrackets, splitRelations } from "./relations.js";
import { listVariables, readVariable } from "./variables.js";

/** A stretch of a formula, in offsets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** What binds variables over a stretch. `local` ones shield their variable and are never at fault: max, sets, arg. */
interface Binder {
  readonly kind: "sum" | "integral" | "expectation" | "local";
  readonly sign: string;
  readonly variables: readonly string[];
  /** Where the binder stands with its limits. */
  readonly head: Span;
  readonly scope: Span;
  /** Uses of variables inside the limits that do not bind. */
  readonly limitUses: readonly string[];
}

/** A variable of a formula that is bound in one place and something else in another. */
export interface Collision {
  readonly variable: string;
  readonly sign: string;
  /** `free` outside the binder, bound `again` inside it, in its own `limits`, or by a nested sum (`shadow`). */
  readonly how: "free" | "again" | "limits" | "shadow";
  readonly at: number;
}

const sums: ReadonlySet<string> = new Set("\\sum \\prod \\coprod \\bigcup \\bigcap \\bigoplus ∑ ∏".split(" "));
const integrals: ReadonlySet<string> = new Set("\\int \\iint \\iiint \\oint ∫".split(" "));
const locals: ReadonlySet<string> = new Set(
  "\\max \\min \\sup \\inf \\lim \\argmax \\argmin \\bigvee \\bigwedge".split(" "),
);
const expectationWords = /^(E|Var|Cov|Pr)$/;

interface Head {
  readonly kind: Binder["kind"];
  readonly sign: string;
  /** Index of the first node after the sign, where scripts may follow. */
  readonly next: number;
}

function readHead(nodes: readonly TexNode[], i: number): Head | undefined {
  const { kind, text, by } = nodes[i];
  if (kind === "command" || kind === "symbol") {
    if (sums.has(text)) return { kind: "sum", sign: text, next: i + 1 };
    if (integrals.has(text)) return { kind: "integral", sign: text, next: i + 1 };
    if (locals.has(text) || text === "\\arg") return { kind: "local", sign: text, next: i + 1 };
    const argument = nodes[i + 1];
    const letter = argument?.kind === "group" ? argument.nodes[0]?.text : argument?.text;
    const isBoard = /^\\math(bb|bf|cal|sf)$/.test(text) && (letter === "E" || (text === "\\mathbb" && letter === "P"));
    if (isBoard) return { kind: "expectation", sign: `${text}{${letter}}`, next: i + 2 };
    return text === "\\Pr" ? { kind: "expectation", sign: text, next: i + 1 } : undefined;
  }
  if (kind === "words" && by !== undefined) {
    const word = text.trim();
    if (expectationWords.test(word)) return { kind: "expectation", sign: word, next: i + 1 };
    return /^arg ?(max|min)$/.test(word) ? { kind: "local", sign: word, next: i + 1 } : undefined;
  }
  return kind === "letter" && text === "E" ? { kind: "expectation", sign: "E", next: i + 1 } : undefined;
}

function splitCommas(nodes: readonly TexNode[]): (readonly TexNode[])[] {
  const partner = matchBrackets(nodes);
  const pieces: TexNode[][] = [[]];
  for (let i = 0; i < nodes.length; i += 1) {
    const close = partner[i];
    if (close !== undefined && close > i) {
      pieces.at(-1)?.push(...nodes.slice(i, close + 1));
      i = close;
    } else if (nodes[i].kind === "symbol" && /^[,;]$/.test(nodes[i].text)) pieces.push([]);
    else if (nodes[i].kind !== "space") pieces.at(-1)?.push(nodes[i]);
  }
  return pieces;
}

/** Letters that name distributions, policies and parameters, which an expectation is taken under rather than over. */
const distributions = /^(\\pi|\\theta|\\phi|\\mu|\\psi|p|q|P|Q|D|G|M|N|\\math|\\bar|\\hat|\\rho)/;

/** Returns the variables that a piece of a lower limit binds: what stands before its relation, or all of it. */
function listBound(piece: readonly TexNode[], kind: Binder["kind"]): readonly string[] {
  const at = piece.findIndex(isRelation);
  const left = at === -1 ? piece : piece.slice(0, at);
  const names: string[] = [];
  for (let i = 0; i < left.length;) {
    const side = getBracketSide(left[i]);
    const variable = side === 0 ? readVariable(left, i) : undefined;
    if (variable !== undefined) names.push(variable.name);
    else if (side === 0 && left[i].kind !== "symbol" && left[i].kind !== "space" && left[i].kind !== "script")
      return [];
    i = variable?.next ?? i + 1;
  }
  if (kind === "expectation" && at === -1) return names.filter((name) => !distributions.test(name));
  return kind === "expectation" ? names : names.slice(0, at === -1 ? undefined : 1);
}

function readLimits(scripts: readonly TexNode[], kind: Binder["kind"]): Pick<Binder, "variables" | "limitUses"> {
  const lower = scripts
    .find(({ text }) => text === "_")
    ?.nodes.flatMap((node) => (node.kind === "group" ? node.nodes : [node]));
  const upper = scripts.filter(({ text }) => text === "^");
  const pieces = kind === "integral" ? [] : splitCommas(lower ?? []);
  const variables = [...new Set(pieces.flatMap((piece) => listBound(piece, kind)))];
  const uses = [...upper, ...(kind === "integral" ? scripts.filter(({ text }) => text === "_") : [])];
  return { variables, limitUses: listVariables(uses).map(({ name }) => name) };
}

const additive: ReadonlySet<string> = new Set(["+", "-", "−", "\\pm", "\\mp"]);

function nextHead(nodes: readonly TexNode[], from: number): Head | undefined {
  const at = nodes.findIndex(({ kind }, i) => i >= from && kind !== "space");
  return at === -1 ? undefined : readHead(nodes, at);
}

/** Returns the index after the scope that begins at `from`: the end of the term, or of the bracket of an expectation. */
function findScopeEnd(
  nodes: readonly TexNode[],
  from: number,
  kind: Binder["kind"],
  partner: readonly (number | undefined)[],
): number {
  let i = from;
  while (nodes[i]?.kind === "space") i += 1;
  const first = partner[i];
  if (kind === "expectation" && first !== undefined && first > i) return first + 1;
  const begin = i;
  for (; i < nodes.length; i += 1) {
    const close = partner[i];
    if (close !== undefined && close > i) {
      i = close;
      continue;
    }
    if (close !== undefined && close < from) break;
    const { kind: of, text } = nodes[i];
    const isOperator = of === "symbol" || of === "command";
    // A sum over a sum, written with a slash, is a quotient of the two.
    if (isOperator && text === "/" && kind === "sum" && nextHead(nodes, i + 1)?.kind === "sum") break;
    if (isOperator && additive.has(text) && i > begin && readHead(nodes, i - 1) === undefined) break;
    if (isRelation(nodes[i]) || of === "break" || of === "tab" || (of === "symbol" && /^[,;]$/.test(text))) break;
  }
  return i;
}

/** Returns the variables after the differentials of an integral, and the index after the last of them. */
function readDifferentials(
  nodes: readonly TexNode[],
  from: number,
): { readonly variables: string[]; readonly next: number } {
  const variables: string[] = [];
  let next = nodes.length;
  for (let i = from; i < nodes.length - 1; i += 1) {
    const node = nodes[i];
    if (node.kind === "command" && integrals.has(node.text) && variables.length === 0) continue;
    const isD = (node.kind === "letter" && node.text === "d") || (node.kind === "words" && node.text.trim() === "d");
    const variable = isD ? readVariable(nodes, i + 1) : undefined;
    if (variable !== undefined) {
      variables.push(variable.name);
      next = variable.next;
    } else if (variables.length > 0 && i >= next && node.kind !== "space") break;
  }
  return { variables, next };
}

function readBinder(
  nodes: readonly TexNode[],
  i: number,
  partner: readonly (number | undefined)[],
): Binder | undefined {
  const head = readHead(nodes, i);
  if (head === undefined) return undefined;
  let next = head.next;
  while (nodes[next]?.kind === "script" || (nodes[next]?.kind === "space" && nodes[next + 1]?.kind === "script"))
    next += 1;
  const scripts = nodes.slice(head.next, next).filter(({ kind }) => kind === "script");
  const limits = readLimits(scripts, head.kind);
  const integral = head.kind === "integral" ? readDifferentials(nodes, next) : undefined;
  const variables = integral?.variables ?? limits.variables;
  if (variables.length === 0) return undefined;
  const end = integral?.next ?? findScopeEnd(nodes, next, head.kind, partner);
  const headEnd = nodes[next - 1].end;
  return {
    ...head,
    variables,
    limitUses: limits.limitUses,
    head: { start: nodes[i].start, end: headEnd },
    scope: { start: headEnd, end: Math.max(headEnd, nodes[end - 1]?.end ?? headEnd) },
  };
}

/** A bracket with limits of its own, `\{o_i\}_{i=1}^{G}`, binds its index inside itself. */
function readFamily(
  nodes: readonly TexNode[],
  i: number,
  partner: readonly (number | undefined)[],
): Binder | undefined {
  const open = partner[i];
  const script = nodes[i + 1];
  if (open === undefined || open > i || script?.kind !== "script" || script.text !== "_") return undefined;
  const lower = script.nodes.flatMap((node) => (node.kind === "group" ? node.nodes : [node]));
  const variables = splitCommas(lower).flatMap((piece) => listBound(piece, "sum"));
  const last = nodes[i + 2]?.kind === "script" ? nodes[i + 2] : script;
  const span = { start: nodes[open].start, end: last.end };
  return { kind: "local", sign: "{}", variables, head: span, scope: span, limitUses: [] };
}

const doubleBars: ReadonlySet<string> = new Set(["\\|", "\\Vert", "\\parallel", "‖"]);
const conditionBars: ReadonlySet<string> = new Set(["|", "\\mid", "\\vert"]);

/**
 * The arguments of distributions in a divergence, `D(q(z|x) \| p(z))`, are integrated over inside it: what stands
 * before the bar of each distribution is bound there, the conditions after it are not.
 */
function readDivergence(
  nodes: readonly TexNode[],
  i: number,
  partner: readonly (number | undefined)[],
): Binder | undefined {
  const close = partner[i];
  if (close === undefined || close < i) return undefined;
  const at = nodes.findIndex(({ text }, k) => k > i && k < close && doubleBars.has(text) && partner[k] === undefined);
  if (at === -1) return undefined;
  const variables = nodes.flatMap((_, open) => {
    const end = partner[open];
    if (open <= i || open >= close || end === undefined || end < open) return [];
    const bar = nodes.findIndex(({ text }, k) => k > open && k < end && conditionBars.has(text));
    return listVariables(nodes.slice(open + 1, bar === -1 ? end : bar)).map(({ name }) => name);
  });
  const span = { start: nodes[i].start, end: nodes[close].end };
  return { kind: "local", sign: "D", variables, head: span, scope: span, limitUses: [] };
}

function listBinders(nodes: readonly TexNode[]): Binder[] {
  const partner = matchBrackets(nodes);
  return nodes.flatMap((node, i) => {
    const own = readBinder(nodes, i, partner) ?? readFamily(nodes, i, partner) ?? readDivergence(nodes, i, partner);
    return [...(own === undefined ? [] : [own]), ...listBinders(node.nodes)];
  });
}

function contains({ start, end }: Span, at: number): boolean {
  return at >= start && at < end;
}

function judgeBinder(binder: Binder, binders: readonly Binder[], side: readonly TexNode[]): Collision[] {
  const { sign, head, scope, kind } = binder;
  const report = (variable: string, how: Collision["how"]): Collision => ({ variable, sign, how, at: head.start });
  return binder.variables.flatMap((variable) => {
    if (binder.limitUses.includes(variable)) return [report(variable, "limits")];
    const inner = binders.find(
      (other) =>
        other !== binder &&
        other.kind !== "local" &&
        contains(scope, other.head.start) &&
        other.variables.includes(variable),
    );
    if (inner !== undefined) return [report(variable, kind === "sum" && inner.kind === "sum" ? "shadow" : "again")];
    const isShielded = (at: number): boolean =>
      binders.some(
        (other) => other.variables.includes(variable) && (contains(other.scope, at) || contains(other.head, at)),
      );
    const isFree = listVariables(side).some(({ name, start }) => name === variable && !isShielded(start));
    return isFree ? [report(variable, "free")] : [];
  });
}

/**
 * Returns the variables that collide within one side of a relation. Sides are split first, since an index may well be
 * free on one side and bound on the other. A sum or product reaches to the end of its term, an expectation to the end
 * of its bracket, an integral to its differential.
 */
export function findCollisions(nodes: readonly TexNode[]): readonly Collision[] {
  return splitRelations(nodes).flatMap((sides) =>
    sides.flatMap(({ nodes: side }) => {
      const binders = listBinders(side);
      return binders.filter(({ kind }) => kind !== "local").flatMap((binder) => judgeBinder(binder, binders, side));
    }),
  );
}
