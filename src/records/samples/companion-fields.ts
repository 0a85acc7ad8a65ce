// internal
import { isJsonObject, type JsonValue, type SampledTurn, type TokenRole, type TokenSample } from "../../core/index.js";
import { getList } from "../importers/fields.js";
import { FieldTaker, findRole, pick, readIds, readMask } from "./token-fields.js";

function readTexts(value: JsonValue): readonly string[] | string {
  if (!Array.isArray(value)) return "it is no list of texts";
  const list = getList(value);
  const odd = list.findIndex((text) => typeof text !== "string" && text !== null);
  return odd === -1 ? list.map((text) => (typeof text === "string" ? text : "")) : `entry ${odd} is no text`;
}

/** One id, or a list of them. */
function readIdList(value: JsonValue): readonly number[] | string {
  return readIds(Array.isArray(value) ? value : [value]);
}

function readDivisor(value: JsonValue): number | string {
  return typeof value === "number" && Number.isFinite(value) && value >= 0
    ? value
    : `it is ${JSON.stringify(value)}, where a number from 0 is allowed`;
}

function readFlag(value: JsonValue): boolean | string {
  if (value === 0 || value === 1) return value === 1;
  return typeof value === "boolean" ? value : `it is ${JSON.stringify(value)}, where true and false are allowed`;
}

function readTurn(value: JsonValue): SampledTurn | string {
  if (!isJsonObject(value)) return "is no object with the ids that were drawn";
  const fields = new FieldTaker(value);
  const ids = fields.take(["ids", "completion_ids", "response_ids", "token_ids", "tokens"], readIds);
  const promptIds = fields.take(["promptIds", "prompt_ids"], readIds);
  const [odd] = fields.unusable;
  if (odd !== undefined) return `has "${odd.name}" that cannot be used: ${odd.reason}`;
  if (ids === undefined) return "has no ids: completion_ids, response_ids, token_ids or ids are allowed";
  const reason = pick(value, "stopped", "stop_reason", "finish_reason");
  const stopped =
    reason === "limit" || reason === "length"
      ? "limit"
      : reason === "stop" || reason === "end_token"
        ? "end_token"
        : undefined;
  return { ids, ...(promptIds === undefined ? {} : { promptIds }), ...(stopped === undefined ? {} : { stopped }) };
}

function readTurns(value: JsonValue): readonly SampledTurn[] | string {
  if (!Array.isArray(value)) return "it is no list of turns";
  const turns: SampledTurn[] = [];
  for (const [i, entry] of getList(value).entries()) {
    const turn = readTurn(entry);
    if (typeof turn === "string") return `turn ${i + 1} ${turn}`;
    turns.push(turn);
  }
  return turns;
}

interface Roles {
  readonly roles: readonly (TokenRole | undefined)[];
  readonly unknownRoles: readonly string[];
}

function readRoles(value: JsonValue): Roles | string {
  if (!Array.isArray(value)) return "it is no list with a role for each token";
  const unknown = new Set<string>();
  const roles: (TokenRole | undefined)[] = [];
  for (const [i, word] of getList(value).entries()) {
    if (word !== null && typeof word !== "string") return `entry ${i} is no name of a role`;
    const role = word === null || word === "" ? undefined : findRole(word);
    if (role === undefined && word !== null && word !== "") unknown.add(word);
    roles.push(role);
  }
  return { roles, unknownRoles: [...unknown] };
}

/**
 * The fields that any tool's record can carry beside its own: what the sampler recorded, roles, texts, the divisor. Those
 * that are there and cannot be used are noted in `fields`.
 */
export function readCompanions(fields: FieldTaker): Partial<TokenSample> {
  const actionMask = fields.take(["actionMask", "action_mask"], readMask);
  const named = fields.take(["roles"], readRoles);
  const texts = fields.take(["texts", "token_texts", "token_strings"], readTexts);
  const turns = fields.take(["turns", "sampled_turns"], readTurns);
  const endIds = fields.take(["endIds", "end_ids", "eos_token_ids", "eos_token_id"], readIdList);
  const templateIds = fields.take(["templateIds", "template_ids"], readIdList);
  const denominator = fields.take(["denominator", "loss_denominator", "num_loss_tokens"], readDivisor);
  const isTruncated = fields.take(["isTruncated", "is_truncated", "truncated"], readFlag);
  return {
    ...(actionMask === undefined ? {} : { actionMask }),
    ...(named === undefined ? {} : { roles: named.roles }),
    ...(named === undefined || named.unknownRoles.length === 0 ? {} : { unknownRoles: named.unknownRoles }),
    ...(texts === undefined ? {} : { texts }),
    ...(turns === undefined || turns.length === 0 ? {} : { turns }),
    ...(endIds === undefined ? {} : { endIds }),
    ...(templateIds === undefined ? {} : { templateIds }),
    ...(denominator === undefined ? {} : { denominator }),
    ...(isTruncated === undefined ? {} : { isTruncated }),
  };
}
