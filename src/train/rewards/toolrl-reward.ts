import { canonicalJson, isJsonObject, type JsonObject } from "../../core/index.js";
import { countOccurrences, countShared } from "./count-shared.js";

/** A tool call as ToolRL's data writes it. */
export interface ReferenceCall {
  readonly name: string;
  readonly parameters: JsonObject;
}

/** What a response is judged against; either part may be absent, not both. */
export interface ToolReference {
  readonly calls?: readonly ReferenceCall[];
  readonly hasResponse?: boolean;
}

/** ToolRL's reward in its two parts. */
export interface ToolReward {
  /** 0 or 1. */
  readonly format: number;
  /** In [-3, 3]; 0 when the reference has no call. */
  readonly correctness: number;
  readonly total: number;
}

const lowest = -3;
const highest = 3;

/** Says whether the whole response is think, then the blocks the reference has, each tag once. */
function hasFormat(response: string, { calls, hasResponse = false }: ToolReference): boolean {
  const blocks = [
    "<think>[\\s\\S]*?</think>",
    ...(calls === undefined ? [] : ["<tool_call>\\n[\\s\\S]*?\\n</tool_call>"]),
    ...(hasResponse ? ["<response>[\\s\\S]*?</response>"] : []),
  ];
  const tags = ["think", ...(calls === undefined ? [] : ["tool_call"]), ...(hasResponse ? ["response"] : [])];
  const isOnce = tags.every(
    (tag) => countOccurrences(response, `<${tag}>`) === 1 && countOccurrences(response, `</${tag}>`) === 1,
  );
  return isOnce && new RegExp(`^${blocks.join("\\n")}$`).test(response);
}

/** Returns the overlap of two lists with counts: shared over all. Two empty lists agree. */
function overlap(first: readonly string[], second: readonly string[]): number {
  if (first.length === 0 && second.length === 0) return 1;
  const shared = countShared(first, second);
  return shared / (first.length + second.length - shared);
}

/** Returns the calls of a response, one JSON object a line; `undefined` when there is no block or a line is no call. */
function readCalls(response: string): ReferenceCall[] | undefined {
  const start = response.indexOf("<tool_call>");
  if (start === -1 || !response.includes("</tool_call>")) return undefined;
  const block = response.slice(start + "<tool_call>".length).split("</tool_call>")[0];
  const calls: ReferenceCall[] = [];
  for (const line of block.split("\n")) {
    if (line.trim() === "") continue;
    try {
      const value: unknown = JSON.parse(line);
      if (!isJsonObject(value) || typeof value["name"] !== "string") return undefined;
      const parameters = value["parameters"] ?? {};
      if (!isJsonObject(parameters)) return undefined;
      calls.push({ name: value["name"], parameters });
    } catch {
      return undefined;
    }
  }
  return calls;
}

/** Parameter names in common, plus values that are equal. */
function matchParameters(reference: JsonObject, predicted: JsonObject): number {
  const names = Object.keys(reference);
  const equal = names.filter(
    (name) =>
      predicted[name] !== undefined &&
      canonicalJson(predicted[name] ?? null) === canonicalJson(reference[name] ?? null),
  );
  return overlap(names, Object.keys(predicted)) + equal.length;
}

function judgeCalls(reference: readonly ReferenceCall[], predicted: readonly ReferenceCall[]): number {
  const tell = (calls: readonly ReferenceCall[]): string =>
    canonicalJson(calls.map(({ name, parameters }) => ({ name, parameters })));
  if (tell(reference) === tell(predicted)) return highest;
  let score = overlap(
    reference.map(({ name }) => name),
    predicted.map(({ name }) => name),
  );
  let most = 1;
  const used = new Set<number>();
  for (const { name, parameters } of reference) {
    most += 1 + Object.keys(parameters).length;
    let best = 0;
    let bestIndex = -1;
    predicted.forEach((call, i) => {
      if (used.has(i) || call.name !== name) return;
      const own = matchParameters(parameters, call.parameters);
      if (own > best) [best, bestIndex] = [own, i];
    });
    if (bestIndex !== -1) used.add(bestIndex);
    score += best;
  }
  return ((highest - lowest) * score) / most + lowest;
}

/**
 * Returns ToolRL's reward of one response (arXiv 2504.13958, section 3.3): format, 1 when the whole text is think
 * followed by exactly the blocks the reference has, each tag once; plus correctness: 3 for equal calls in equal order,
 * else -3 + 6 x (overlap of names + best unused match of parameters for each reference call) / its largest value; -3
 * when no calls can be read, and 0 when the reference has none.
 */
export function toolrlReward(response: string, reference: ToolReference): ToolReward {
  const format = hasFormat(response, reference) ? 1 : 0;
  if (reference.calls === undefined) return { format, correctness: 0, total: format };
  const calls = readCalls(response);
  const correctness = calls === undefined ? lowest : judgeCalls(reference.calls, calls);
  return { format, correctness, total: format + correctness };
}
