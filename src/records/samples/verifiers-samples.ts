import {
  isJsonObject,
  type JsonObject,
  type RecordedNumber,
  type SampledTurn,
  type TokenRole,
  type TokenSample,
} from "../../core/index.js";
import { getCount, getFlag, getList, getName, getObject, getText } from "../importers/fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { FieldTaker, findRole, joinPromptAndAnswer, readIds, readLogProbs, readMask } from "./token-fields.js";

interface Node {
  readonly parent: number | undefined;
  readonly ids: readonly number[];
  readonly mask: readonly boolean[];
  readonly logProbs: readonly (RecordedNumber | undefined)[] | undefined;
  readonly role: TokenRole | undefined;
  readonly isSampled: boolean;
  /** The word it uses for a role that is not known. */
  readonly unknownRole: string | undefined;
  readonly fields: FieldTaker;
}

/** Log-probs are beside all tokens of a node, or beside its trained ones; anything else is reported by its length. */
function spreadLogProbs(node: Node): readonly (RecordedNumber | undefined)[] | number | undefined {
  const { logProbs, mask, ids } = node;
  if (logProbs === undefined || logProbs.length === ids.length) return logProbs;
  const trained = mask.filter(Boolean).length;
  if (logProbs.length !== trained) return logProbs.length === 0 ? undefined : logProbs.length;
  let next = 0;
  return mask.map((isTrained) => (isTrained ? logProbs[next++] : undefined));
}

function toNode(value: unknown): Node {
  const node = getObject(value);
  const fields = new FieldTaker(node);
  const ids = fields.takeEssential(["token_ids"], readIds) ?? [];
  const isSampled = getFlag(node["sampled"]) ?? false;
  const word = getText(getObject(node["message"])["role"]) ?? "";
  const role = findRole(word);
  return {
    parent: getCount(node["parent"]),
    ids,
    mask: fields.takeEssential(["mask"], readMask) ?? ids.map(() => isSampled),
    logProbs: fields.take(["logprobs"], readLogProbs),
    role,
    isSampled,
    unknownRole: role === undefined && word !== "" ? word : undefined,
    fields,
  };
}

/** Returns the nodes from the root to a leaf; a damaged parent that leads in a circle ends the walk. */
function walkUp(nodes: readonly Node[], leaf: number): Node[] {
  const path: Node[] = [];
  const seen = new Set<number>();
  for (
    let at: number | undefined = leaf;
    at !== undefined && !seen.has(at) && nodes[at] !== undefined;
    at = nodes[at].parent
  ) {
    seen.add(at);
    path.unshift(nodes[at]);
  }
  return path;
}

function joinNodes(path: readonly Node[], id: string): TokenSample {
  const lengths: { [name: string]: number } = {};
  const logProbs = path.flatMap((node, i) => {
    const spread = spreadLogProbs(node);
    if (typeof spread === "number") lengths[`logprobs of node ${i}`] = spread;
    if (!Array.isArray(spread)) return node.ids.map(() => undefined);
    return [...(spread as readonly (RecordedNumber | undefined)[])]; // Array.isArray loses the element type
  });
  path.forEach((node, i) => {
    if (node.mask.length !== node.ids.length) lengths[`mask of node ${i}`] = node.mask.length;
  });
  const unusable = path.flatMap(({ fields }, i) =>
    fields.unusable.map(({ name, ...field }) => ({ name: `${name} of node ${i}`, ...field })),
  );
  const unknownRoles = [...new Set(path.flatMap(({ unknownRole }) => unknownRole ?? []))];
  return {
    id,
    ids: path.flatMap((node) => node.ids),
    lossMask: path.flatMap((node) => node.mask),
    // A node that was not sampled in this rollout holds no action, whatever its mask says.
    actionMask: path.flatMap((node) => node.mask.map((isTrained) => isTrained && node.isSampled)),
    roles: path.flatMap((node) => node.ids.map(() => node.role)),
    ...(logProbs.some((value) => value !== undefined) ? { logProbs } : {}),
    ...(Object.keys(lengths).length === 0 ? {} : { lengths }),
    ...(unusable.length === 0 ? {} : { unusable }),
    ...(unknownRoles.length === 0 ? {} : { unknownRoles }),
  };
}

function readTrace(trace: JsonObject, id: string): TokenSample[] {
  const nodes = getList(trace["nodes"]).map(toNode);
  const parents = new Set(nodes.map(({ parent }) => parent));
  const leaves = nodes.flatMap((_, i) => (parents.has(i) ? [] : [i]));
  const name = getName(trace["id"]) ?? id;
  return leaves
    .map((leaf, i) => joinNodes(walkUp(nodes, leaf), leaves.length > 1 ? `${name} branch ${i + 1}` : name))
    .filter(({ ids, unusable }) => ids.length > 0 || unusable !== undefined);
}

/** Returns a sample for each step of a rollout of the older form; each knows the step before, to check its prefix. */
function readSteps(record: JsonObject, id: string): TokenSample[] {
  const name = getName(record["example_id"]) ?? id;
  let before: SampledTurn | undefined;
  return getList(record["trajectory"]).flatMap((step, i): TokenSample[] => {
    const tokens = getObject(getObject(step)["tokens"]);
    const fields = new FieldTaker(tokens);
    const answer = fields.takeEssential(["completion_ids"], readIds);
    const prompt = fields.takeEssential(["prompt_ids"], readIds) ?? [];
    if (answer === undefined && fields.unusable.length === 0) return [];
    const turn: SampledTurn = { promptIds: prompt, ids: answer ?? [] };
    const turns = before === undefined ? [turn] : [before, turn];
    before = turn;
    const isTruncated = getFlag(tokens["is_truncated"]);
    const mask = fields.takeEssential(["completion_mask"], readMask);
    const logProbs = fields.take(["completion_logprobs"], readLogProbs);
    const sample = joinPromptAndAnswer(
      `${name} step ${i + 1}`,
      prompt,
      turn.ids,
      { mask, logProbs },
      { mask: "completion_mask", logProbs: "completion_logprobs" },
    );
    const actionMask = [...prompt.map(() => false), ...turn.ids.map(() => true)];
    return [fields.mark({ ...sample, actionMask, turns, ...(isTruncated === undefined ? {} : { isTruncated }) })];
  });
}

/** Reads verifiers' traces (`nodes` with `token_ids`, `mask`, `logprobs`) and the older `trajectory` steps with `tokens`. */
export const verifiersSampleReader: TokenSampleReader = {
  format: "verifiers-tokens",
  description:
    "verifiers and prime-rl: traces with nodes (token_ids, mask, logprobs, sampled), or trajectory steps with tokens",
  matches: (record) =>
    Array.isArray(record["nodes"]) ||
    Array.isArray(record["traces"]) ||
    (Array.isArray(record["trajectory"]) && isJsonObject(getObject(getList(record["trajectory"])[0])["tokens"])),
  read(record, id) {
    const traces = Array.isArray(record["traces"]) ? getList(record["traces"]).map(getObject) : [record];
    const samples =
      Array.isArray(record["trajectory"]) && record["nodes"] === undefined
        ? readSteps(record, id)
        : traces.flatMap((trace, i) => readTrace(trace, traces.length > 1 ? `${id} trace ${i + 1}` : id));
    return samples.length === 0 ? "none of its nodes or steps holds token ids" : samples;
  },
};
