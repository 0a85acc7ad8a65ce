// internal
import type { PublishDocument } from "../../document.js";
import { parseTex, type TexTree } from "./parse-tex.js";

/** One formula of a document. */
export interface Formula {
  readonly tex: string;
  readonly tree: TexTree;
  readonly isDisplay: boolean;
  readonly block: string;
  /** 1-based line of the formula's first character. */
  readonly line: number;
}

const known = new WeakMap<PublishDocument, readonly Formula[]>();

/** Returns every formula of a document by line, displays and inline ones. */
export function listFormulas(document: PublishDocument): readonly Formula[] {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const displays = document.blocks.flatMap(({ id, type, tex, lineStart, source }): Formula[] => {
    if (type !== "math" || tex === undefined) return [];
    const at = Math.max(0, source.indexOf(tex.split("\n")[0]));
    const line = lineStart + source.slice(0, at).split("\n").length - 1;
    return [{ tex, tree: parseTex(tex), isDisplay: true, block: id, line }];
  });
  const inline = document.inlineMath.map(({ tex, block, line }) => ({
    tex,
    tree: parseTex(tex),
    isDisplay: false,
    block,
    line,
  }));
  const all = [...displays, ...inline].sort((a, b) => a.line - b.line);
  known.set(document, all);
  return all;
}

/** Returns the line of an offset in a formula. */
export function getFormulaLine({ tex, line }: Formula, at: number): number {
  return line + tex.slice(0, at).split("\n").length - 1;
}

/** Returns a formula short enough for a message. */
export function showTex(tex: string): string {
  const flat = tex.replace(/\s+/g, " ").trim();
  return flat.length <= 60 ? flat : `${flat.slice(0, 57)}…`;
}
