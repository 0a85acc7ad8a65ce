// internal
import { hashJson, isJsonObject, type JsonObject, type JsonValue } from "../core/index.js";

/** Where two documents differ, and how. */
export interface Difference {
  /** The setting's name with those around it, e.g. `recipe.env.level`. */
  readonly path: string;
  /** Both values as short texts. */
  readonly before: string;
  readonly now: string;
}

const longest = 60;

function show(value: JsonValue | undefined): string {
  if (value === undefined) return "not given";
  const text = JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** Returns the first setting in which two documents differ, as deep as it can be told, or `undefined`. */
export function findDifference(before: JsonObject, now: JsonObject, within = ""): Difference | undefined {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [one, other] = [before[name], now[name]];
    if (one !== undefined && other !== undefined && hashJson(one) === hashJson(other)) continue;
    if (one === undefined && other === undefined) continue;
    const path = `${within}${name}`;
    if (isJsonObject(one) && isJsonObject(other)) {
      const deeper = findDifference(one, other, `${path}.`);
      if (deeper !== undefined) return deeper;
    }
    return { path: `"${path}"`, before: show(one), now: show(other) };
  }
  return undefined;
}
