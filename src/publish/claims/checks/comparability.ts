import { isJsonObject, type JsonValue } from "../../../core/index.js";
import type { Artefact } from "../artefact.js";
import type { ComputedClaim, SelectedInput } from "../evidence.js";
import type { ClaimEntry } from "../ledger.js";
import { selectValue } from "../select.js";

/**
 * What both sides of a comparison agree on unless it is what they differ in: each with the names it has in artefacts.
 * Used where the ledger names no keys; a key that neither side has is left out.
 */
export const comparabilityKeys: readonly { readonly name: string; readonly keys: readonly string[] }[] = [
  { name: "data set", keys: ["dataset", "dataSet", "suite", "taskSet", "suite.tasksHash", "tasksHash"] },
  { name: "split", keys: ["split", "suite.split"] },
  { name: "seeds", keys: ["seeds", "seed", "suite.seed"] },
  { name: "samples", keys: ["k", "K", "samples", "samplesPerTask"] },
  { name: "turn budget", keys: ["maxTurns", "T", "budget", "budgets", "budget.maxTurns"] },
  { name: "disclosure", keys: ["disclosure", "disclosures"] },
  { name: "terminal rule", keys: ["terminalRule"] },
  { name: "tools", keys: ["tools", "toolSet"] },
  { name: "judge", keys: ["judge", "judgeVersion", "scorer", "grader"] },
  { name: "prompt", keys: ["promptHash", "prompt", "promptVersion"] },
];

const sides: ReadonlySet<ClaimEntry["kind"]> = new Set([
  "delta",
  "relative_delta",
  "ratio",
  "comparison",
  "rank",
  "test",
]);

function follow(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key];
  return key
    .split(".")
    .reduce<JsonValue | undefined>(
      (at, part) => (isJsonObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
      value,
    );
}

/** Returns the rows or objects that a selector looked at, innermost first. */
function listScopes({ artefact, input }: SelectedInput): readonly JsonValue[] {
  const { select } = input;
  if (select.startsWith("rows")) {
    const close = select.lastIndexOf("]");
    const rows = selectValue(artefact, close < 0 ? "rows" : select.slice(0, close + 1));
    return Array.isArray(rows) ? (rows as readonly JsonValue[]) : []; // an array inside JSON holds JSON
  }
  const parts = select.startsWith("/") ? select.split("/").slice(1) : [];
  const scopes: JsonValue[] = [];
  for (let length = parts.length - 1; length >= 0; length -= 1)
    scopes.push(
      selectValue(
        artefact,
        parts
          .slice(0, length)
          .map((part) => `/${part}`)
          .join(""),
      ),
    );
  return scopes.length === 0 ? [artefact.value] : scopes;
}

/** Returns what one side says of a key: every different value, in canonical text; empty when it says nothing. */
function readKey(side: SelectedInput, key: string): readonly string[] {
  const scopes = listScopes(side);
  const isTable = side.input.select.startsWith("rows");
  const found = scopes.flatMap((scope) => {
    const value = follow(scope, key);
    return value === undefined ? [] : [JSON.stringify(value)];
  });
  if (found.length > 0) return isTable ? [...new Set(found)].sort() : [found[0]];
  const fallback = [side.manifest?.value, ...(isTable ? [] : [side.artefact.value])].flatMap((value) => {
    const own = value === undefined ? undefined : follow(value, key);
    return own === undefined ? [] : [JSON.stringify(own)];
  });
  return fallback.slice(0, 1);
}

function name(values: readonly string[]): string {
  if (values.length === 0) return "nothing";
  return values.length > 3 ? `${values.slice(0, 3).join(", ")} and ${values.length - 3} more` : values.join(", ");
}

/**
 * Returns how the sides of a comparison differ in what they must agree on, one message for each key; empty for claims
 * with one side.
 */
export function checkComparability(claim: ClaimEntry, { inputs }: ComputedClaim): string[] {
  if (inputs.length < 2 || (!sides.has(claim.kind) && claim.comparability === undefined)) return [];
  const varies = new Set(claim.varies ?? []);
  const wanted =
    claim.comparability?.map((key) => ({ name: key, keys: [key], isRequired: true })) ??
    comparabilityKeys.map((entry) => ({ ...entry, isRequired: false }));
  return wanted.flatMap(({ name: title, keys, isRequired }) => {
    if (varies.has(title) || keys.some((key) => varies.has(key))) return [];
    for (const key of keys) {
      const said = inputs.map((side) => readKey(side, key));
      if (said.every((values) => values.length === 0)) continue;
      const [first] = said;
      const odd = said.findIndex((values) => values.join() !== first.join());
      if (odd < 0) return [];
      return [`The sides differ in ${title} (${key}): ${name(first)} and ${name(said[odd])}`];
    }
    return isRequired ? [`Nothing says ${title} of the sides, which must agree on it`] : [];
  });
}

/** Field names under which a run says how far it came. */
const complete = new Set(["complete", "completed", "done", "finished", "success", "succeeded", "ok"]);

/** Words that say a run is not whole. */
export const partialWords =
  /\b(?:partial(?:ly)?|preliminary|incomplete|unfinished|so far|interim|ongoing|in progress|sơ bộ|một phần|chưa xong)\b|部分|初步|尚未完成|进行中|阶段性/i;

function countOf(value: JsonValue, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const count = follow(value, key);
    if (typeof count === "number") return count;
    if (Array.isArray(count)) return count.length;
  }
  return undefined;
}

function describeState({ name: file, value }: Artefact): string | undefined {
  const status = follow(value, "status");
  if (typeof status === "string" && !complete.has(status.toLowerCase())) return `The run of "${file}" is ${status}`;
  const planned = countOf(value, ["plannedEpisodes", "planned"]);
  const recorded = countOf(value, ["recordedEpisodes", "recorded", "episodeCount"]);
  if (planned !== undefined && recorded !== undefined && recorded < planned)
    return `The run of "${file}" recorded ${recorded} of ${planned} planned episodes`;
  return undefined;
}

/** Returns the runs behind a claim that are not complete, a message for each. */
export function checkRunState({ inputs }: ComputedClaim): string[] {
  const artefacts = inputs.flatMap(({ artefact, manifest }) => [
    artefact,
    ...(manifest === undefined ? [] : [manifest]),
  ]);
  const unique = [...new Map(artefacts.map((artefact) => [artefact.name, artefact])).values()];
  return unique.flatMap((artefact) => describeState(artefact) ?? []);
}
