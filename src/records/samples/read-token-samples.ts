import { inputError, isJsonObject, usageError, type JsonObject, type TokenSample } from "../../core/index.js";
import { readJsonItems, type JsonItem } from "../reading/jsonl.js";
import { openImportSource } from "../reading/source.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { tinkerSampleReader } from "./tinker-samples.js";
import type { TokenTexts } from "./tokenizer.js";
import { trlSampleReader } from "./trl-samples.js";
import { turnwiseSampleReader } from "./turnwise-samples.js";
import { verifiersSampleReader } from "./verifiers-samples.js";
import { verlSampleReader } from "./verl-samples.js";

/** Every reader of training samples, in the order records are tried. A new one is one line here. */
export const tokenSampleReaders: readonly TokenSampleReader[] = [
  turnwiseSampleReader,
  tinkerSampleReader,
  verifiersSampleReader,
  verlSampleReader,
  trlSampleReader,
];

/** What no file states. */
export interface TokenSampleOptions {
  /** Ids that end a message; used where the record states none. */
  readonly endIds?: readonly number[];
  /** Ids that only the chat template writes. */
  readonly templateIds?: readonly number[];
  /** Texts of tokens, for records without texts. */
  readonly tokenizer?: TokenTexts;
}

/** A file of training samples that is being read. */
export interface TokenSampleFile {
  readonly format: string;
  /** The samples in order. Can be read once. */
  readonly samples: AsyncIterable<TokenSample>;
  /** Records that could not be read, each with its place and why; grows while samples are read. */
  readonly unread: readonly string[];
  /** What was repaired to read a record; grows while samples are read. */
  readonly problems: readonly string[];
}

/** Adds what the file does not state: ids of end and template tokens, texts. */
function complete(sample: TokenSample, { endIds, templateIds, tokenizer }: TokenSampleOptions): TokenSample {
  const texts =
    sample.texts ?? (tokenizer === undefined ? undefined : sample.ids.map((id) => tokenizer.getText(id) ?? ""));
  return {
    ...sample,
    ...(texts === undefined ? {} : { texts }),
    ...(sample.endIds === undefined && endIds !== undefined ? { endIds } : {}),
    ...(sample.templateIds === undefined && templateIds !== undefined ? { templateIds } : {}),
  };
}

function chooseReader(format: string, record: JsonObject, path: string): TokenSampleReader {
  const known = tokenSampleReaders.map((reader) => reader.format).join(", ");
  if (format !== "auto") {
    const named = tokenSampleReaders.find((reader) => reader.format === format);
    if (named === undefined)
      throw usageError(`Cannot read training samples as "${format}": formats are auto, ${known}`);
    return named;
  }
  const found = tokenSampleReaders.find((reader) => reader.matches(record));
  if (found !== undefined) return found;
  const fields = Object.keys(record).slice(0, 8).join(", ");
  throw inputError(
    `Cannot audit "${path}": its records hold no token ids in a known form: fields are ${fields === "" ? "none" : fields}`,
    `Write ids and lossMask for each sample, or name the format with --format: ${known}`,
  );
}

function refuseNoRecord(path: string, first: JsonItem | undefined): Error {
  const found = first?.type === "value" ? `: it begins with ${JSON.stringify(first.value).slice(0, 40)}` : "";
  const reason = first?.type === "problem" ? `: ${first.message}` : found;
  return inputError(
    `Cannot audit "${path}": it holds no record${reason}`,
    "Training samples are read from JSON or JSONL: an object with ids and lossMask for each sample",
  );
}

/**
 * Opens a file of token-level training samples (JSONL, a JSON array or one record; .gz is opened). The first record
 * decides the format where it is "auto". Records that cannot be read are listed in `unread`, by line.
 *
 * @throws {TurnwiseError} (usage) for an unknown format; (input) for a file without a record or of an unknown form.
 */
export async function readTokenSamples(
  path: string,
  format = "auto",
  options: TokenSampleOptions = {},
): Promise<TokenSampleFile> {
  const items = readJsonItems(await openImportSource(path))[Symbol.asyncIterator]();
  const problems: string[] = [];
  const unread: string[] = [];
  const skipped: JsonItem[] = [];
  let first: JsonItem | undefined;
  for (let next = await items.next(); next.done !== true; next = await items.next()) {
    if (next.value.type === "value" && isJsonObject(next.value.value)) {
      first = next.value;
      break;
    }
    skipped.push(next.value);
  }
  if (first?.type !== "value" || !isJsonObject(first.value)) throw refuseNoRecord(path, skipped[0]);
  const reader = chooseReader(format, first.value, path);
  const isDocument = first.position === 0; // lines are numbered from 1, elements of a document from 0
  async function* read(opening: readonly JsonItem[]): AsyncGenerator<TokenSample> {
    for (const item of opening) yield* toSamples(item);
    for (let next = await items.next(); next.done !== true; next = await items.next()) yield* toSamples(next.value);
  }
  function* toSamples(item: JsonItem): Generator<TokenSample> {
    const position = (item.position ?? 0) + (isDocument ? 1 : 0);
    const place = isDocument ? `record ${position}` : `line ${position}`;
    if (item.type === "problem") {
      const isRepair = item.severity === "repaired";
      if (!isRepair) unread.push(`${place}: ${item.message}`);
      else if (!item.message.startsWith("NaN")) problems.push(`${place}: ${item.message}`);
      return;
    }
    const found = isJsonObject(item.value) ? reader.read(item.value, String(position)) : "it is no record";
    if (typeof found === "string") unread.push(`${place}: ${found}`);
    else
      for (const sample of found)
        yield complete({ ...sample, file: path, ...(isDocument ? {} : { line: position }) }, options);
  }
  return { format: reader.format, samples: read([...skipped, first]), unread, problems };
}
