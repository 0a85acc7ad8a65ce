// internal
import { isDeeperThan, maxArgumentDepth, type JsonValue } from "../core/index.js";

/** Returns a value's JSON text however deep it is nested: the platform's own writer overflows its stack at some thousand levels. */
export function writeJson(value: JsonValue): string {
  if (!isDeeperThan(value, maxArgumentDepth)) return JSON.stringify(value);
  const pieces: string[] = [];
  // What is still to be written, the next one last.
  const open: { readonly text: string; readonly value?: JsonValue }[] = [{ text: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    pieces.push(next.text);
    const { value: current } = next;
    if (current === undefined) continue;
    if (typeof current !== "object" || current === null) {
      pieces.push(JSON.stringify(current));
      continue;
    }
    const isList = Array.isArray(current);
    pieces.push(isList ? "[" : "{");
    open.push({ text: isList ? "]" : "}" });
    const entries = Object.entries(current).filter(([, inner]) => inner !== undefined);
    for (const [i, [name, inner]] of [...entries.entries()].reverse()) {
      const label = isList ? "" : `${JSON.stringify(name)}:`;
      open.push({ text: `${i === 0 ? "" : ","}${label}`, value: inner });
    }
  }
  return pieces.join("");
}
