import { hashJson, usageError, type Env, type JsonObject, type TokenCodec } from "../../core/index.js";
import type { ParameterRule, ToolGrammar } from "./action-grammar.js";
import {
  collectValues,
  describeUse,
  listNeededKeys,
  listShownTexts,
  PieceCounts,
  type ParameterUse,
} from "./build-vocabulary.js";
import type { CodecEpisode, TextParameterStyle } from "./codec-episode.js";
import { readPieceKey, splitPieces, type TextPiece } from "./text-pieces.js";
import { createTextRewriter, getTextRewrites, type TextRewrite } from "./text-rewrites.js";
import {
  countMaxActionTokens,
  getChoiceText,
  readToolParameters,
  type ParameterKind,
  type ToolParameter,
} from "./tool-parameters.js";
import { startWordSession } from "./word-session.js";
import { createWordTable, endId, getSlotToken, lineId, specialTokens, type WordTable } from "./word-table.js";

/** Version that every saved word codec carries. */
export const wordCodecSchema = "turnwise-word-codec/1";

/** Everything a word codec consists of, as plain data. */
export interface WordCodecData {
  readonly schema: typeof wordCodecSchema;
  readonly envId: string;
  readonly vocabulary: readonly string[];
  /** Words an episode may bind beside the vocabulary. */
  readonly slots: number;
  readonly canQuit: boolean;
  readonly tools: readonly ToolGrammar[];
  readonly rewrites: readonly TextRewrite[];
}

/** A codec whose tokens are words and punctuation, with slots for words it has never seen. */
export interface WordCodec extends TokenCodec {
  readonly data: WordCodecData;
  /** Returns the codec as JSON, its hash included; {@linkcode readWordCodec} reads it. */
  toJson(): JsonObject;
}

/** What a word codec is made from. */
export interface WordCodecOptions {
  readonly env: Pick<Env, "id" | "tools">;
  /** Episodes of training tasks: what they show becomes vocabulary, what they do tells how parameters are written. */
  readonly episodes: readonly CodecEpisode[];
  /** More texts whose words to count, each as one episode. */
  readonly texts?: readonly string[];
  /** Made in every observation; default: those that suit the env, see {@linkcode getTextRewrites}. */
  readonly rewrites?: readonly TextRewrite[];
  /** Copy slots of an episode; default 48. */
  readonly slots?: number;
  /** A word in at least this share of episodes (and in two) is kept in the vocabulary; default 0.02. */
  readonly minShare?: number;
  /** Words kept at most, most frequent first; default 400. */
  readonly maxWords?: number;
  /** Whether the policy can stop without submitting; default true. */
  readonly canQuit?: boolean;
  /** How text parameters are written, by `tool.parameter`; default: as the episodes' actions suggest, copied where there are none. */
  readonly styles?: { readonly [parameter: string]: TextParameterStyle };
}

function checkSize(name: string, value: number, least: number, most: number): void {
  if (Number.isFinite(value) && value >= least && value <= most) return;
  throw new RangeError(`Cannot make a word codec with ${name} ${value}: allowed is ${least} to ${most}`);
}

/** Returns the id of each piece of a choice's value. */
function findChoiceIds(table: WordTable, pieces: readonly TextPiece[], place: string): number[] {
  return pieces.map((piece) => {
    const id = table.findId(piece);
    if (id !== undefined) return id;
    throw usageError(
      `Cannot write actions of ${place} as tokens: its value holds "${piece.text}", which no vocabulary can hold`,
      "Rename the value without the character ▁",
    );
  });
}

function isPrefixFree(lists: readonly (readonly number[])[]): boolean {
  return lists.every((list, index) =>
    lists.every((other, at) => at === index || !list.every((id, position) => other[position] === id)),
  );
}

function createTextRule(table: WordTable, use: ParameterUse): ParameterRule {
  const { style, keys, hasLines, hasEmpty, maxTokens } = use;
  if (style === "span") return { type: "span", maxTokens };
  // Single characters are always there, so that a word neither known nor shown can be spelled.
  const characters = table.vocabulary.flatMap((key, id) =>
    id >= table.firstPiece && /^(?:▁|▁?\p{N}|[!-~])$/u.test(key) ? [id] : [],
  );
  const known = keys.map((key) => table.findId(readPieceKey(key)));
  const ids = [...characters, ...known, ...(hasLines ? [lineId] : [])].filter((id) => id !== undefined);
  return { type: "words", ids: [...new Set(ids)].sort((a, b) => a - b), isEmptyAllowed: hasEmpty, maxTokens };
}

/** Digits a number without a stated maximum may have. */
const defaultDigits = 4;

function createRule(table: WordTable, kind: ParameterKind, place: string, use: ParameterUse): ParameterRule {
  switch (kind.type) {
    case "choice": {
      const values = kind.values.map((value) => ({
        value,
        ids: findChoiceIds(table, splitPieces(getChoiceText(value)), place),
      }));
      return { type: "choice", values, isPrefixFree: isPrefixFree(values.map(({ ids }) => ids)) };
    }
    case "number": {
      const { isSigned, isWhole, maximum } = kind;
      const digits = maximum === undefined ? defaultDigits : String(Math.trunc(Math.abs(maximum))).length;
      // A sign takes one token, a point and decimals three more.
      const maxTokens = digits + (isSigned ? 1 : 0) + (isWhole ? 0 : 3);
      return { type: "number", isSigned, isWhole, maxTokens };
    }
    case "string":
      return createTextRule(table, use);
    default:
      return kind satisfies never;
  }
}

interface DescribedTool {
  readonly name: string;
  readonly parameters: readonly (ToolParameter & { readonly use: ParameterUse })[];
}

/**
 * Returns the codec for an env with tools. An action is the tool's name, then each parameter's value, then an end;
 * text parameters are copied from what the episode has shown, or put together from words. Observations become words,
 * single digits and punctuation; a word that is not in the vocabulary takes the episode's next copy slot, so that
 * names the model never saw can still be handed back. The same episodes give the same codec.
 *
 * @throws {TurnwiseError} (usage) for an env without tools, or with a parameter that is an array or an object.
 * @throws {RangeError} for sizes out of range, or without any episode.
 */
export function createWordCodec(options: WordCodecOptions): WordCodec {
  const { env, episodes, texts = [], rewrites = getTextRewrites(env.id), styles = {} } = options;
  const { slots = 48, minShare = 0.02, maxWords = 400, canQuit = true } = options;
  checkSize("slots", slots, 1, 1024);
  checkSize("minShare", minShare, 0, 1);
  checkSize("maxWords", maxWords, 0, 65536);
  if (env.tools.length === 0) {
    throw usageError(
      `Cannot make a word codec for env "${env.id}": it has no tools, so its actions have no grammar`,
      "Describe its actions as tools, or write a TokenCodec of your own",
    );
  }
  const rewrite = createTextRewriter(rewrites);
  const documents = [
    ...episodes.map((episode) => listShownTexts(episode, rewrite)),
    ...texts.map((text) => [rewrite(text)]),
  ];
  if (documents.length === 0)
    throw new RangeError("Cannot make a word codec without episodes: there is nothing to learn words from");
  const counts = new PieceCounts();
  for (const document of documents) counts.add(document);
  const least = Math.min(documents.length, Math.max(2, Math.ceil(minShare * documents.length)));
  const values = collectValues(episodes, rewrite);
  const tools = env.tools.map((tool): DescribedTool => {
    const parameters = readToolParameters(tool).map((parameter) => {
      const key = `${tool.name}.${parameter.name}`;
      return { ...parameter, use: describeUse(values.get(key) ?? [], { style: styles[key], least }) };
    });
    return { name: tool.name, parameters };
  });
  const parameters = tools.flatMap((tool) => tool.parameters);
  const texted = parameters.filter(({ kind }) => kind.type === "string").map(({ use }) => use);
  const needed = listNeededKeys(parameters, texted, counts.listFrequent(1, Infinity));
  const pieces = [...counts.listFrequent(least, maxWords), ...texted.flatMap(({ keys }) => keys), ...needed];
  const vocabulary = [
    ...specialTokens,
    ...tools.map(({ name }) => `<call:${name}>`),
    ...Array.from({ length: slots }, (_, index) => getSlotToken(index)),
    ...[...new Set(pieces)].filter((key) => key !== "\n").sort(),
  ];
  const table = createWordTable(vocabulary, tools.length, slots);
  const grammar = tools.map((tool, index): ToolGrammar => ({
    name: tool.name,
    id: specialTokens.length + index,
    parameters: tool.parameters.map(({ name, isOptional, kind, use }) => {
      const place = `parameter "${name}" of tool "${tool.name}"`;
      return { name, isOptional, rule: createRule(table, kind, place, use) };
    }),
  }));
  return openWordCodec({
    schema: wordCodecSchema,
    envId: env.id,
    vocabulary,
    slots,
    canQuit,
    tools: grammar,
    rewrites,
  });
}

/** Returns the codec that this data describes. */
export function openWordCodec(data: WordCodecData): WordCodec {
  const { envId, vocabulary, slots, canQuit, tools, rewrites } = data;
  const hash = hashJson(data);
  const table = createWordTable(vocabulary, tools.length, slots);
  const grammar = { table, tools, canQuit, rewrite: createTextRewriter(rewrites) };
  return {
    id: `words:${envId}`,
    hash,
    vocabulary,
    padId: 0,
    endId,
    maxActionTokens: countMaxActionTokens(tools),
    data,
    startSession: () => startWordSession(grammar),
    // The data holds nothing but JSON values; `undefined` fields do not occur.
    toJson: () => ({ ...(JSON.parse(JSON.stringify(data)) as JsonObject), hash }),
  };
}
