// internal

/** Returns how many items two lists have in common, each item used once. */
export function countShared(first: readonly string[], second: readonly string[]): number {
  const left = new Map<string, number>();
  for (const item of second) left.set(item, (left.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of first) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(item, count - 1);
  }
  return shared;
}

/** Returns how often a part occurs in a text, without overlap. */
export function countOccurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
