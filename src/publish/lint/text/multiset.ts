// internal

/** Returns the items of `left` that `right` lacks, each as often as it is short. */
export function subtractAll(left: readonly string[], right: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of right) counts.set(item, (counts.get(item) ?? 0) + 1);
  return left.filter((item) => {
    const count = counts.get(item) ?? 0;
    counts.set(item, count - 1);
    return count <= 0;
  });
}

/** Returns a difference in words, at most five items of a side; `undefined` without one. */
export function describeDifference(own: readonly string[], others: readonly string[]): string | undefined {
  const [more, less] = [subtractAll(own, others), subtractAll(others, own)];
  const show = (items: readonly string[]): string =>
    items.slice(0, 5).join(", ") + (items.length > 5 ? ` and ${items.length - 5} more` : "");
  const parts = [
    ...(more.length === 0 ? [] : [`only here: ${show(more)}`]),
    ...(less.length === 0 ? [] : [`only in the original: ${show(less)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}
