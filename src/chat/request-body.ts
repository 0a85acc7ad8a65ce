// internal
import type { JsonObject } from "../core/index.js";
import type { ChatRequest } from "./message.js";

/** What of the client's settings goes into a request body. */
export interface BodySettings {
  readonly isStreaming: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly extraBody: JsonObject;
}

/** Returns the JSON text of a request's body without its model, which differs by endpoint; see {@linkcode withModel}. */
export function renderBody(request: ChatRequest, { isStreaming, maxTokensField, extraBody }: BodySettings): string {
  const { messages, tools, toolChoice, temperature, topP, maxTokens, seed, stop, logProbs, tokenIds } = request;
  return JSON.stringify({
    messages,
    // An empty list of tools is refused by several servers.
    ...(tools === undefined || tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: tool })), tool_choice: toolChoice }),
    temperature,
    top_p: topP,
    [maxTokensField]: maxTokens,
    seed,
    stop,
    logprobs: logProbs === true ? true : undefined,
    return_token_ids: tokenIds === true ? true : undefined,
    ...(isStreaming ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...extraBody,
    ...request.extraBody,
  });
}

/** Returns the body with the endpoint's model put first, unless the body names one itself. */
export function withModel(body: string, model: string): string {
  return `{"model":${JSON.stringify(model)},${body.slice(1)}`;
}
