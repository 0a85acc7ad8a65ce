/**
 * Returns a number with its noun in the form that fits it.
 *
 * @example
 * writeCount(1, "task"); // "1 task"
 * writeCount(0, "prefix", "prefixes"); // "0 prefixes"
 */
export function writeCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
