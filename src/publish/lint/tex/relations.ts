// internal
import type { TexNode } from "./parse-tex.js";

const relations: ReadonlySet<string> = new Set(
  "= < > ≤ ≥ ≈ ≠ ≡ ∝ ∼ → ⇒ ⇔ ↔ ↦ ⟹ \\le \\leq \\leqslant \\ge \\geq \\geqslant \\approx \\neq \\ne \\equiv \\propto \\sim \\simeq \\cong \\to \\rightarrow \\Rightarrow \\implies \\iff \\Leftrightarrow \\leftrightarrow \\Longrightarrow \\longrightarrow \\mapsto \\leftarrow \\gets \\ll \\gg \\lesssim \\gtrsim \\coloneqq \\triangleq \\xrightarrow \\xleftarrow \\succ \\prec \\stackrel \\overset \\in".split(
    " ",
  ),
);

const opens: ReadonlySet<string> = new Set(
  "( [ \\{ \\lbrace \\lbrack \\langle \\lvert \\lVert \\lfloor \\lceil ⟨".split(" "),
);
const closes: ReadonlySet<string> = new Set(
  ") ] \\} \\rbrace \\rbrack \\rangle \\rvert \\rVert \\rfloor \\rceil ⟩".split(" "),
);
const bars: ReadonlySet<string> = new Set("| \\| \\vert \\Vert ‖".split(" "));

/** Returns whether the node is a relation sign. */
export function isRelation({ kind, text }: TexNode): boolean {
  return (kind === "symbol" || kind === "command") && relations.has(text);
}

/** Returns 1 for an opening, -1 for a closing bracket, 0 otherwise. Bars with `\left`, `\right` or `l`, `r` have a side. */
export function getBracketSide({ kind, text, by }: TexNode): 1 | -1 | 0 {
  if (kind !== "symbol" && kind !== "command") return 0;
  if (by === "\\left" || (by?.endsWith("l") ?? false)) return 1;
  if (by === "\\right" || (by?.endsWith("r") ?? false)) return -1;
  if (opens.has(text)) return 1;
  return closes.has(text) ? -1 : 0;
}

/**
 * Returns for each node of one level the index of its partner bracket, or `undefined`. Kinds may differ, as in `[0, 1)`.
 * Plain bars pair up where a stretch between other brackets holds an even number of them.
 */
export function matchBrackets(nodes: readonly TexNode[]): readonly (number | undefined)[] {
  const partner: (number | undefined)[] = Array.from({ length: nodes.length });
  const pair = (open: number, close: number): void => {
    partner[open] = close;
    partner[close] = open;
  };
  interface Level {
    readonly open: number | undefined;
    readonly bars: number[];
  }
  const stack: Level[] = [{ open: undefined, bars: [] }];
  const closeBars = ({ bars: found }: Level): void => {
    for (const kind of ["|", "\\|"]) {
      const same = found.filter((i) => (nodes[i].text === "|" || nodes[i].text === "\\vert") === (kind === "|"));
      if (same.length % 2 === 0) for (let i = 0; i < same.length; i += 2) pair(same[i], same[i + 1]);
    }
  };
  nodes.forEach((node, i) => {
    const side = getBracketSide(node);
    if (side === 1) stack.push({ open: i, bars: [] });
    else if (side === -1) {
      if (stack.length === 1) return;
      const level = stack.pop();
      if (level?.open !== undefined) {
        closeBars(level);
        pair(level.open, i);
      }
    } else if ((node.kind === "symbol" || node.kind === "command") && bars.has(node.text)) stack.at(-1)?.bars.push(i);
  });
  stack.forEach(closeBars);
  return partner;
}

/** One side of a relation with the sign before it; `undefined` at the beginning of a statement. */
export interface Side {
  readonly sign: string | undefined;
  readonly nodes: readonly TexNode[];
}

const separators: ReadonlySet<string> = new Set([",", ";", "，", "；", "。", "、", ":"]);

function isSeparator({ kind, text, by }: TexNode): boolean {
  if (kind === "break" || kind === "tab") return true;
  if (kind === "space") return text === "\\quad" || text === "\\qquad";
  if (kind === "symbol" && by === undefined) return separators.has(text);
  return (
    kind === "words" &&
    /^\\(text|mbox|tag|label)/.test(by ?? "") &&
    /\s|[\p{Script=Han}]/u.test(text.trim() + (text.startsWith(" ") ? " " : ""))
  );
}

/** Returns the contents that stand for the whole: the inside of `\boxed{…}`, and of environments and lone groups. */
function unwrap(nodes: readonly TexNode[]): (readonly TexNode[])[] {
  const inner = nodes.flatMap((node, i): (readonly TexNode[])[] => {
    if (node.kind === "environment") return unwrap(node.nodes);
    const before = nodes[i - 1];
    return node.kind === "group" && before?.kind === "command" && before.text === "\\boxed" ? unwrap(node.nodes) : [];
  });
  const own = nodes.filter(
    (node, i) =>
      node.kind !== "environment" &&
      !(node.kind === "command" && node.text === "\\boxed") &&
      !(node.kind === "group" && nodes[i - 1]?.kind === "command" && nodes[i - 1].text === "\\boxed"),
  );
  const isWrapper = own.length === 1 && own[0].kind === "group";
  return [...(isWrapper ? unwrap(own[0].nodes) : [own]), ...inner];
}

function splitStatement(nodes: readonly TexNode[]): Side[][] {
  const partner = matchBrackets(nodes);
  const statements: Side[][] = [];
  let sides: Side[] = [];
  let sign: string | undefined;
  let side: TexNode[] = [];
  const closeSide = (): void => {
    if (side.length > 0 || sign !== undefined) sides.push({ sign, nodes: side });
    side = [];
  };
  for (let i = 0; i < nodes.length; i += 1) {
    const node = nodes[i];
    const close = partner[i];
    if (close !== undefined && close > i) {
      side.push(...nodes.slice(i, close + 1));
      i = close;
    } else if (isRelation(node)) {
      // An alignment mark stands before or after its sign: `&=`, `=&`.
      closeSide();
      sign = node.text;
    } else if (isSeparator(node)) {
      const next = nodes[i + 1];
      const isAlignment = node.kind === "tab" && next !== undefined && (isRelation(next) || side.length === 0);
      if (isAlignment) continue;
      const continuesBelow = node.kind === "break" && nodes.slice(i + 1).find(({ kind }) => kind !== "tab");
      closeSide();
      sign = undefined;
      if (continuesBelow && isRelation(continuesBelow)) continue;
      statements.push(sides);
      sides = [];
    } else side.push(node);
  }
  closeSide();
  statements.push(sides);
  return statements.filter((statement) => statement.length > 0);
}

/**
 * Returns the statements of a formula as the sides of their relations: split at top-level relation signs, and into
 * statements at commas, wide spaces, words and line breaks. A line that begins with a relation continues the one above.
 */
export function splitRelations(nodes: readonly TexNode[]): readonly (readonly Side[])[] {
  return unwrap(nodes).flatMap(splitStatement);
}
