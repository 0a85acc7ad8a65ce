// internal

/** Replaces lines `first`..`last` (from 1) by `text`, which may hold several lines. */
export interface LineEdit {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** Returns the text after an edit, or `undefined` when it has no such lines. */
export function applyLineEdit(text: string, { first, last, text: replacement }: LineEdit): string | undefined {
  const lines = text.split("\n");
  if (first < 1 || last < first || last > lines.length) return undefined;
  return [...lines.slice(0, first - 1), ...replacement.split("\n"), ...lines.slice(last)].join("\n");
}

/**
 * Returns the smallest edit of whole lines that makes `target` of `text`. Where lines are only added or taken away, a
 * neighbouring line is part of it.
 *
 * @example
 * findLineEdit("a\nb\nc", "a\nB\nc"); // { first: 2, last: 2, text: "B" }
 */
export function findLineEdit(text: string, target: string): LineEdit {
  const from = text.split("\n");
  const to = target.split("\n");
  const shorter = Math.min(from.length, to.length);
  let same = 0;
  while (same < shorter - 1 && from[same] === to[same]) same += 1;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same - 1 && from.at(-1 - sameAtEnd) === to.at(-1 - sameAtEnd)) sameAtEnd += 1;
  return { first: same + 1, last: from.length - sameAtEnd, text: to.slice(same, to.length - sameAtEnd).join("\n") };
}

/** Returns the text with its lines numbered from 1. */
export function numberLines(text: string): string {
  const lines = text.split("\n");
  const width = String(lines.length).length;
  return lines.map((line, i) => `${String(i + 1).padStart(width)} | ${line}`.trimEnd()).join("\n");
}
