// internal
import { isJsonObject, type JsonObject, type JsonValue, type TextScore } from "../core/index.js";
import { asList } from "./json-list.js";

/** How a server is asked for log-probs of given text: vLLM's field, or OpenAI's old `echo`. */
export type ScoringDialect = "prompt_logprobs" | "echo";

/** What a completions answer says of the text it was given: log-prob, text and id of each token, the first one without. */
export interface PromptTokens {
  /** `undefined` where there is none: always for the first token. */
  readonly logProbs: readonly (number | undefined)[];
  readonly texts?: readonly string[];
  readonly ids?: readonly number[];
}

function readNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function readIds(value: JsonValue | undefined): readonly number[] | undefined {
  return Array.isArray(value) && value.every((id) => typeof id === "number") ? value : undefined;
}

/**
 * Reads vLLM's list: `null` for the first token, then for each an object by token id, which holds the token that stands
 * there and perhaps likelier ones. Which one stands there is told by the ids, or is the only one.
 */
function readPromptLogProbs(list: readonly JsonValue[], ids: readonly number[] | undefined): PromptTokens | undefined {
  const logProbs: (number | undefined)[] = [];
  const texts: string[] = [];
  const found: number[] = [];
  for (const [position, entry] of list.entries()) {
    const keys = isJsonObject(entry) ? Object.keys(entry) : [];
    const key = ids === undefined ? (keys.length === 1 ? keys[0] : undefined) : String(ids[position]);
    const token = isJsonObject(entry) && key !== undefined ? entry[key] : undefined;
    if (!isJsonObject(token)) {
      // Only the first token has nothing before it.
      if (position > 0) return undefined;
      logProbs.push(undefined);
      found.push(ids?.[0] ?? Number.NaN);
      texts.push("");
      continue;
    }
    logProbs.push(readNumber(token["logprob"]));
    found.push(Number(key));
    texts.push(typeof token["decoded_token"] === "string" ? token["decoded_token"] : "");
  }
  return { logProbs, ids: found, ...(texts.some((text) => text !== "") ? { texts } : {}) };
}

/** Reads the old completions form: parallel lists of tokens and log-probs. Its offsets count other units on each server. */
function readEcho(logprobs: JsonObject): PromptTokens | undefined {
  const values = asList(logprobs["token_logprobs"]);
  if (values.length === 0) return undefined;
  const texts = asList(logprobs["tokens"]).filter((text) => typeof text === "string");
  return { logProbs: values.map(readNumber), ...(texts.length === values.length ? { texts } : {}) };
}

/** Returns what a completions answer says of the prompt's tokens, or `undefined` when it says nothing. */
export function readPromptTokens(body: JsonObject, promptIds: readonly number[] | undefined): PromptTokens | undefined {
  const [choice] = asList(body["choices"]);
  if (!isJsonObject(choice)) return undefined;
  const list = [choice["prompt_logprobs"], body["prompt_logprobs"]].find((value) => Array.isArray(value));
  const ids = promptIds ?? readIds(choice["prompt_token_ids"]) ?? readIds(body["prompt_token_ids"]);
  if (Array.isArray(list)) return readPromptLogProbs(list, ids);
  return isJsonObject(choice["logprobs"]) ? readEcho(choice["logprobs"]) : undefined;
}

function refuse(reason: string): TextScore {
  return { kind: "not_available", reason };
}

function finish(tokens: PromptTokens, from: number, to: number, straddling: number): TextScore {
  const logProbs = tokens.logProbs.slice(from, to);
  const known = logProbs.filter((value) => value !== undefined);
  if (known.length === 0) return refuse("the server gave no log-prob of the continuation's tokens");
  if (known.length < logProbs.length)
    return refuse("the server left out the log-prob of a token that has others before it");
  const texts = tokens.texts?.slice(from, to);
  return {
    kind: "scored",
    logProbs: known,
    ...(texts === undefined ? {} : { texts }),
    ...(straddling > 0 ? { straddlingTokens: straddling } : {}),
  };
}

/** Returns the score of the last `count` of `total` given ids: log-probs are aligned by position, ids checked where told. */
export function scoreByIds(tokens: PromptTokens, ids: readonly number[], count: number): TextScore {
  if (tokens.logProbs.length < ids.length) {
    return refuse(
      `the server gave ${tokens.logProbs.length} log-probs for ${ids.length} tokens: they cannot be aligned`,
    );
  }
  const wrong = tokens.ids?.findIndex((id, i) => i > 0 && i < ids.length && id !== ids[i]) ?? -1;
  if (wrong >= 0) return refuse(`the server's token ${wrong} is not the one it was given: they cannot be aligned`);
  return finish(tokens, ids.length - count, ids.length, 0);
}

/** Returns the score of the text after `prompt`: tokens are placed in the text by adding up their own texts. */
export function scoreByText(tokens: PromptTokens, prompt: string, continuation: string): TextScore {
  const { texts, logProbs } = tokens;
  if (texts === undefined) return refuse("the server gave no token texts, so tokens cannot be placed in the text");
  const whole = prompt + continuation;
  const joined = texts.join("");
  // vLLM does not say the first token's text: a token with neither text nor log-prob is what is missing before the second.
  const shift = texts[0] === "" && logProbs[0] === undefined ? Math.max(0, whole.length - joined.length) : 0;
  if (joined.slice(0, whole.length - shift) !== whole.slice(shift)) {
    return refuse("the token texts do not add up to the text that was given, so tokens cannot be placed in it");
  }
  const starts: number[] = [];
  let position = shift;
  texts.forEach((text, i) => {
    starts.push(i === 0 ? 0 : position);
    position += text.length;
  });
  const from = starts.findIndex((start) => start >= prompt.length);
  const end = starts.findIndex((start) => start >= whole.length);
  const to = end < 0 ? starts.length : end;
  if (from < 0 || from >= to) return refuse("no token begins in the continuation");
  return finish(tokens, from, to, starts[from] > prompt.length ? 1 : 0);
}
