import { inputError, isJsonObject, type JsonObject, type JsonValue, type TokenCodec } from "../../core/index.js";
import { openWordCodec, wordCodecSchema, type WordCodec, type WordCodecData } from "./word-codec.js";
import { specialTokens } from "./word-table.js";

function findFault(json: JsonObject): string | undefined {
  const { schema, vocabulary, slots, tools } = json;
  if (schema !== wordCodecSchema) return `its schema is ${JSON.stringify(schema ?? null)}, not "${wordCodecSchema}"`;
  if (!Array.isArray(vocabulary) || !vocabulary.every((entry) => typeof entry === "string")) {
    return "its vocabulary is no list of texts";
  }
  if (new Set(vocabulary).size < vocabulary.length) return "its vocabulary holds an entry twice";
  const differs = specialTokens.findIndex((token, id) => vocabulary[id] !== token);
  if (differs >= 0)
    return `id ${differs} is ${JSON.stringify(vocabulary[differs] ?? null)}, not "${specialTokens[differs]}"`;
  if (!Array.isArray(tools) || tools.length === 0 || !tools.every(isJsonObject)) return "it has no tools";
  if (typeof slots !== "number" || !Number.isInteger(slots) || slots < 1)
    return "its number of slots is no positive number";
  if (specialTokens.length + tools.length + slots > vocabulary.length)
    return "its vocabulary is shorter than its slots";
  return undefined;
}

/**
 * Returns the codec that {@linkcode WordCodec.toJson} wrote.
 *
 * @throws {TurnwiseError} (input) for JSON that is no word codec, or that was changed since it was written.
 */
export function readWordCodec(json: JsonValue): WordCodec {
  const fault = isJsonObject(json) ? findFault(json) : "it is no object";
  if (fault !== undefined || !isJsonObject(json)) {
    throw inputError(`Cannot read a word codec: ${fault ?? "it is no object"}`, "Give the codec.json of a checkpoint");
  }
  const { hash, ...data } = json;
  // The hash below proves that these are the very data a word codec wrote.
  const codec = openWordCodec(data as unknown as WordCodecData);
  if (codec.hash === hash) return codec;
  throw inputError(
    `Cannot read a word codec: it was changed after it was written, its hash is ${codec.hash}, and it states ${JSON.stringify(hash ?? null)}`,
    "Restore the file; weights fit the codec they were trained with only",
  );
}

/**
 * Refuses weights that were trained with another codec. `recorded` is the codec hash stored with them.
 *
 * @throws {TurnwiseError} (input) when the hashes differ.
 */
export function checkCodecHash(codec: Pick<TokenCodec, "id" | "hash" | "vocabulary">, recorded: string): void {
  if (codec.hash === recorded) return;
  throw inputError(
    `Cannot use these weights with codec "${codec.id}" (${codec.vocabulary.length} tokens, hash ${codec.hash.slice(0, 16)}): they were trained with codec hash ${recorded.slice(0, 16)}, so their ids mean something else`,
    "Use the codec.json stored beside the weights, or train again",
  );
}
