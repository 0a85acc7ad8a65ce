// internal
import { flattenTex, type TexNode } from "./parse-tex.js";

/** One use of a variable: its base with subscript and marks, e.g. `x`, `x_{0}`, `\hat{a}_{t}`. */
export interface VariableUse {
  readonly name: string;
  readonly start: number;
}

const decorations: ReadonlySet<string> = new Set(
  "\\hat \\tilde \\bar \\vec \\dot \\ddot \\widehat \\widetilde \\overline \\mathbf \\boldsymbol \\bm \\mathcal \\mathbb \\mathfrak \\mathscr \\mathit".split(
    " ",
  ),
);

const greek =
  /^\\(alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega|ell|hbar)$/;

/** Returns the variable that begins at an index of a level, and the index after it; `undefined` for anything else. */
export function readVariable(
  nodes: readonly TexNode[],
  from: number,
): { readonly name: string; readonly next: number } | undefined {
  const node = nodes[from];
  let next = from + 1;
  let name: string;
  if (node.kind === "letter") name = node.text;
  else if (node.kind === "command" && greek.test(node.text)) name = node.text;
  else if (node.kind === "command" && decorations.has(node.text) && nodes[next] !== undefined) {
    name = `${node.text}{${flattenTex([nodes[next]])}}`;
    next += 1;
  } else return undefined;
  for (; next < nodes.length; next += 1) {
    const mark = nodes[next];
    if (mark.kind === "symbol" && mark.text === "'") name += "'";
    else if (mark.kind === "script") {
      const content = flattenTex(mark.nodes);
      // A plain power is the same variable; a star, a prime or an index in brackets makes another one.
      if (mark.text === "_" || /^\{?(\(|\*|\\prime|\\star|'|‹)/.test(content)) name += `${mark.text}{${content}}`;
    } else break;
  }
  return { name, next };
}

/** Returns every use of a variable in a formula, those inside indices and arguments too. */
export function listVariables(nodes: readonly TexNode[]): VariableUse[] {
  const uses: VariableUse[] = [];
  for (let i = 0; i < nodes.length;) {
    const variable = readVariable(nodes, i);
    if (variable === undefined) {
      uses.push(...listVariables(nodes[i].nodes));
      i += 1;
      continue;
    }
    uses.push({ name: variable.name, start: nodes[i].start });
    // The letter under a hat belongs to the variable; indices and powers have uses of their own.
    for (const mark of nodes.slice(i, variable.next))
      if (mark.kind === "script") uses.push(...listVariables(mark.nodes));
    i = variable.next;
  }
  return uses;
}
