/** A run of equal elements: `a[aStart..]` and `b[bStart..]`, `size` long. */
export interface MatchingBlock {
  readonly aStart: number;
  readonly bStart: number;
  readonly size: number;
}

/** How one stretch of a becomes one stretch of b; ends are exclusive. */
export interface EditStep {
  readonly kind: "equal" | "replace" | "delete" | "insert";
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Options of the matcher. */
export interface MatcherOptions {
  /**
   * Ignore elements that make up more than a hundredth of a `b` of 200 or more, as Python's difflib does unless told
   * not to; default false. It makes long texts of few characters look unlike.
   */
  readonly autojunk?: boolean;
}

/** Returns where each element of b stands, popular ones left out when asked. */
function indexElements<T>(b: readonly T[], autojunk: boolean): Map<T, number[]> {
  const places = new Map<T, number[]>();
  b.forEach((element, i) => {
    const list = places.get(element);
    if (list === undefined) places.set(element, [i]);
    else list.push(i);
  });
  if (autojunk && b.length >= 200) {
    const limit = Math.floor(b.length / 100) + 1;
    for (const [element, list] of places) if (list.length > limit) places.delete(element);
  }
  return places;
}

interface Window {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** Returns the longest block in a window: of equals, the one that starts first in a, then first in b. */
function findLongest<T>(
  a: readonly T[],
  b: readonly T[],
  places: ReadonlyMap<T, readonly number[]>,
  { aFrom, aTo, bFrom, bTo }: Window,
): MatchingBlock {
  let aStart = aFrom;
  let bStart = bFrom;
  let size = 0;
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i += 1) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [aStart, bStart, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  // Popular elements were left out of the index; a block may still grow over them at both ends.
  while (aStart > aFrom && bStart > bFrom && a[aStart - 1] === b[bStart - 1]) {
    [aStart, bStart, size] = [aStart - 1, bStart - 1, size + 1];
  }
  while (aStart + size < aTo && bStart + size < bTo && a[aStart + size] === b[bStart + size]) size += 1;
  return { aStart, bStart, size };
}

/**
 * Returns the matching blocks of two sequences by the method of Ratcliff and Obershelp as Python's difflib has it: the
 * longest block first, then the same to its left and right. Blocks are ascending and never touch; the empty block at
 * the end that difflib adds is left out. The result depends on the order of the arguments.
 */
export function matchSequences<T>(
  a: readonly T[],
  b: readonly T[],
  { autojunk = false }: MatcherOptions = {},
): MatchingBlock[] {
  const places = indexElements(b, autojunk);
  const found: MatchingBlock[] = [];
  const open: Window[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let window = open.pop(); window !== undefined; window = open.pop()) {
    const block = findLongest(a, b, places, window);
    if (block.size === 0) continue;
    found.push(block);
    const { aFrom, aTo, bFrom, bTo } = window;
    const { aStart, bStart, size } = block;
    if (aFrom < aStart && bFrom < bStart) open.push({ aFrom, aTo: aStart, bFrom, bTo: bStart });
    if (aStart + size < aTo && bStart + size < bTo) open.push({ aFrom: aStart + size, aTo, bFrom: bStart + size, bTo });
  }
  const joined: MatchingBlock[] = [];
  for (const block of found.sort((x, y) => x.aStart - y.aStart)) {
    const last = joined.at(-1);
    if (last !== undefined && last.aStart + last.size === block.aStart && last.bStart + last.size === block.bStart) {
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    } else joined.push(block);
  }
  return joined;
}

/**
 * Returns the similarity of two texts, 2 x matched / all characters (code points), 1 for two empty ones.
 *
 * @example
 * similarityRatio("tide", "diet"); // 0.25
 */
export function similarityRatio(a: string, b: string, options: MatcherOptions = {}): number {
  const first = Array.from(a);
  const second = Array.from(b);
  const total = first.length + second.length;
  if (total === 0) return 1;
  const matched = matchSequences(first, second, options).reduce((sum, { size }) => sum + size, 0);
  return (2 * matched) / total;
}

/** Returns how a becomes b, step by step, from the matching blocks. */
export function listEditSteps<T>(a: readonly T[], b: readonly T[], options: MatcherOptions = {}): EditStep[] {
  const steps: EditStep[] = [];
  let aAt = 0;
  let bAt = 0;
  const end = { aStart: a.length, bStart: b.length, size: 0 };
  for (const { aStart, bStart, size } of [...matchSequences(a, b, options), end]) {
    const edit = { aStart: aAt, aEnd: aStart, bStart: bAt, bEnd: bStart };
    if (aAt < aStart && bAt < bStart) steps.push({ kind: "replace", ...edit });
    else if (aAt < aStart) steps.push({ kind: "delete", ...edit });
    else if (bAt < bStart) steps.push({ kind: "insert", ...edit });
    [aAt, bAt] = [aStart + size, bStart + size];
    if (size > 0) steps.push({ kind: "equal", aStart, aEnd: aAt, bStart, bEnd: bAt });
  }
  return steps;
}
