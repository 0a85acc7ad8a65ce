// internal
import {
  isJsonObject,
  tagNumber,
  type JsonObject,
  type JsonValue,
  type RecordedNumber,
  type TurnTokens,
  type TurnUsage,
} from "../core/index.js";
import { badResponse, classifyErrorBody, findErrorBody, type Failure } from "./failure.js";
import { asList } from "./json-list.js";
import type { ChatAnswerMessage } from "./message.js";
import { readToolCalls } from "./read-tool-calls.js";
import { splitThink } from "./think.js";

/** What one completion says, before it is known what it took to get it. */
export interface ReadAnswer {
  readonly message: ChatAnswerMessage;
  readonly finishReason?: string;
  readonly usage: TurnUsage;
  readonly tokens?: TurnTokens;
  readonly model?: string;
}

/** Returns the words of a text, or of the text parts of a list. */
function readWords(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part) => (isJsonObject(part) ? part["text"] : part))
    .filter((words) => typeof words === "string")
    .join("");
}

/** What a message's content holds. */
interface Content {
  readonly text: string;
  /** Its reasoning parts. */
  readonly reasoning: readonly string[];
  /** There is content, and none of it is text. */
  readonly isUnreadable: boolean;
}

/** Returns content as text: a string, the text parts of a list, or `""`. Reasoning parts go to `reasoning`. */
function readContent(content: JsonValue | undefined): Content {
  if (typeof content === "string") return { text: content, reasoning: [], isUnreadable: false };
  const reasoning: string[] = [];
  const texts: string[] = [];
  for (const part of asList(content)) {
    if (typeof part === "string") texts.push(part);
    if (!isJsonObject(part)) continue;
    const { type, text: words, thinking } = part;
    // Mistral nests text parts inside a thinking part.
    if (type === "thinking" || type === "reasoning") reasoning.push(readWords(thinking ?? words));
    else if (typeof words === "string") texts.push(words);
  }
  const isAbsent = content === undefined || content === null || (Array.isArray(content) && content.length === 0);
  return { text: texts.join(""), reasoning, isUnreadable: !isAbsent && texts.length + reasoning.length === 0 };
}

/** Returns the text that reasoning details hold (OpenRouter); encrypted ones have none. */
function readReasoningDetails(details: JsonValue | undefined): string[] {
  return asList(details).flatMap((detail) => {
    const words = isJsonObject(detail) ? (detail["text"] ?? detail["summary"]) : undefined;
    return typeof words === "string" && words !== "" ? [words] : [];
  });
}

/** Returns what a message says, or what about it cannot be read. */
function readMessage(message: JsonObject, isThinkSplit: boolean): ChatAnswerMessage | string {
  const { text, reasoning: parts, isUnreadable } = readContent(message["content"]);
  const toolCalls = readToolCalls(message);
  if (toolCalls === undefined) return "tool calls that cannot be read";
  if (isUnreadable && toolCalls.length === 0) return "content that holds no text";
  const field = [message["reasoning_content"], message["reasoning"]].find(
    (words) => typeof words === "string" && words !== "",
  );
  // Servers repeat the same words in several of these places: the first that has any counts.
  const apart =
    typeof field === "string" ? [field] : parts.length > 0 ? parts : readReasoningDetails(message["reasoning_details"]);
  const split = isThinkSplit && apart.length === 0 ? splitThink(text) : { content: text };
  const reasoning = apart.length > 0 ? apart.join("") : split.reasoning;
  const { refusal } = message;
  return {
    content: split.content,
    toolCalls,
    ...(reasoning === undefined || reasoning === "" ? {} : { reasoning }),
    ...(typeof refusal === "string" && refusal !== "" ? { refusal } : {}),
  };
}

function isEmpty({ content, toolCalls, reasoning, refusal }: ChatAnswerMessage): boolean {
  return content === "" && toolCalls.length === 0 && reasoning === undefined && refusal === undefined;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

type CountName = "promptTokens" | "completionTokens" | "cachedTokens" | "reasoningTokens" | "cost";

/** Notes the first of the values that is a count, if any is. */
function noteCount(
  counts: { -readonly [name in CountName]?: number },
  name: CountName,
  ...values: readonly (JsonValue | undefined)[]
): void {
  const value = values.find(isCount);
  if (value !== undefined) counts[name] = value;
}

/** Returns the token counts of a `usage` object under the names that servers use; absent parts stay absent. */
export function readUsage(usage: JsonValue | undefined): TurnUsage {
  if (!isJsonObject(usage)) return {};
  const prompt = isJsonObject(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  const completion = isJsonObject(usage["completion_tokens_details"]) ? usage["completion_tokens_details"] : {};
  const counts = {};
  noteCount(counts, "promptTokens", usage["prompt_tokens"], usage["input_tokens"]);
  noteCount(counts, "completionTokens", usage["completion_tokens"], usage["output_tokens"]);
  noteCount(counts, "cachedTokens", prompt["cached_tokens"], usage["prompt_cache_hit_tokens"], usage["cached_tokens"]);
  noteCount(counts, "reasoningTokens", completion["reasoning_tokens"], usage["reasoning_tokens"]);
  noteCount(counts, "cost", usage["cost"]);
  return counts;
}

function readIds(value: JsonValue | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((id) => typeof id === "number") ? value : undefined;
}

/** Returns the sampled tokens as far as the server gave them, or `undefined` when it gave nothing. */
function readTokens(choice: JsonObject, body: JsonObject): TurnTokens | undefined {
  const { logprobs } = choice;
  const entries = asList(isJsonObject(logprobs) ? logprobs["content"] : undefined).filter(isJsonObject);
  const texts = entries.map(({ token }) => (typeof token === "string" ? token : ""));
  const logProbs = entries.map(({ logprob }): RecordedNumber =>
    tagNumber(typeof logprob === "number" ? logprob : undefined),
  );
  // vLLM can write ids in place of token texts ("token_id:42").
  const written = texts.map((text) => /^token_id:(\d+)$/.exec(text)?.[1]);
  const areIds = texts.length > 0 && written.every((id) => id !== undefined);
  const ids = readIds(choice["token_ids"]) ?? (areIds ? written.map(Number) : undefined);
  const promptIds = readIds(choice["prompt_token_ids"]) ?? readIds(body["prompt_token_ids"]);
  if (ids === undefined && promptIds === undefined && entries.length === 0) return undefined;
  return {
    ...(ids === undefined ? {} : { ids }),
    ...(entries.length === 0 ? {} : { logProbs }),
    ...(entries.length === 0 || areIds ? {} : { texts }),
    ...(promptIds === undefined ? {} : { promptIds }),
  };
}

/**
 * Returns what a completion says, or why it is none: an error body, no choices, an error as its finish reason, content
 * or tool calls that cannot be read, or nothing said and no reason to have stopped. An empty answer with a finish reason
 * is the model's own. `from` names the endpoint in messages.
 */
export function readAnswer(body: unknown, from: string, isThinkSplit: boolean): ReadAnswer | Failure {
  const error = findErrorBody(body);
  if (error !== undefined) return classifyErrorBody(error, from);
  if (!isJsonObject(body)) return badResponse(`"${from}" answered with JSON that is no object`);
  const usage = readUsage(body["usage"]);
  const { choices, model } = body;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isJsonObject(choice)) return badResponse(`"${from}" answered without any choice`, usage);
  const choiceError = findErrorBody(choice);
  if (choiceError !== undefined) return { ...classifyErrorBody(choiceError, from), usage };
  const { finish_reason: finishReason, message } = choice;
  if (finishReason === "error") return badResponse(`"${from}" broke its answer off: finish reason "error"`, usage);
  if (!isJsonObject(message)) return badResponse(`"${from}" answered with a choice that has no message`, usage);
  const said = readMessage(message, isThinkSplit);
  if (typeof said === "string") return badResponse(`"${from}" answered with ${said}`, usage);
  const isFinished = typeof finishReason === "string" && finishReason !== "";
  if (!isFinished && isEmpty(said)) {
    return badResponse(`"${from}" answered with an empty message and no finish reason`, usage);
  }
  const tokens = readTokens(choice, body);
  return {
    message: said,
    ...(isFinished ? { finishReason } : {}),
    usage,
    ...(tokens === undefined ? {} : { tokens }),
    ...(typeof model === "string" ? { model } : {}),
  };
}
