import type { JsonObject } from "../../src/core/index.js";
import { splitTokens } from "./completion.js";

/** How the mock answers a request for log-probs of given text. */
export interface MockScoring {
  /** `none` ignores the fields that ask for them, as servers do that do not know them; `refuse` answers 400. Default `prompt_logprobs`. */
  readonly dialect?: "prompt_logprobs" | "echo" | "none" | "refuse";
  /** Log-probability of the token at `position` (from 1) after those before it. Default: made up from model and tokens. */
  readonly logProb?: (model: string, tokens: readonly (number | string)[], position: number) => number;
}

/** Returns a made-up log-probability in [-3, 0): depends on the model, the token and the one before it. */
function makeUpLogProb(model: string, tokens: readonly (number | string)[], position: number): number {
  let hash = 7;
  for (const unit of `${model} ${tokens[position - 1]} ${tokens[position]}`)
    hash = (hash * 31 + unit.charCodeAt(0)) % 65_521;
  return -((hash % 300) + 1) / 100;
}

/** Returns the body of a completions answer that samples one token, with log-probs of the prompt where they are asked for. */
export function renderScoring(
  request: JsonObject,
  { dialect = "prompt_logprobs", logProb = makeUpLogProb }: MockScoring,
): JsonObject {
  const { prompt, model } = request;
  const tokens = typeof prompt === "string" ? splitTokens(prompt) : (prompt as readonly number[]); // checked by the server
  const texts = tokens.map((token) => (typeof token === "string" ? token : ` t${token}`));
  const values = tokens.map((_token, position) =>
    position === 0 ? null : logProb(typeof model === "string" ? model : "", tokens, position),
  );
  const toId = (token: number | string, position: number): number =>
    typeof token === "number" ? token : 1000 + position;
  const choice: JsonObject = { index: 0, text: " end", finish_reason: "length", logprobs: null };
  const head = { id: "cmpl-mock", object: "text_completion", created: 1_700_000_000, model: model ?? "mock" };
  if (dialect === "prompt_logprobs" && request["prompt_logprobs"] !== undefined) {
    const prompted = tokens.map((token, position) =>
      position === 0
        ? null
        : { [toId(token, position)]: { logprob: values[position], rank: 1, decoded_token: texts[position] } },
    );
    const ids = request["return_token_ids"] === true ? { prompt_token_ids: tokens.map(toId) } : {};
    return { ...head, choices: [{ ...choice, prompt_logprobs: prompted, ...ids }] };
  }
  if (dialect === "echo" && request["echo"] === true && typeof request["logprobs"] === "number") {
    const logprobs = {
      tokens: [...texts, " end"],
      token_logprobs: [...values, -0.5],
      text_offset: [...texts, " end"].map(() => -1),
      top_logprobs: null,
    };
    return { ...head, choices: [{ ...choice, text: `${texts.join("")} end`, logprobs }] };
  }
  return { ...head, choices: [choice] };
}

/** Returns what is wrong with a completions request, or `undefined`. */
export function findScoringFault({ model, prompt }: JsonObject): string | undefined {
  if (typeof model !== "string") return "you must provide a model parameter";
  const isText = typeof prompt === "string" && prompt !== "";
  const areIds = Array.isArray(prompt) && prompt.length > 0 && prompt.every((id) => Number.isInteger(id));
  return isText || areIds ? undefined : "'prompt' must be a text or a list of token ids";
}
