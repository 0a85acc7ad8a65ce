// internal
import type { JsonObject } from "../core/index.js";
import type { ChatRequest } from "./message.js";

/** What of the client's settings goes into a request body. */
export interface BodySettings {
  readonly isStreaming: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly extraBody: JsonObject;
}

/**
 * Returns a request's body: JSON as UTF-8. Bytes and not text, since a thousand texts waiting for their answers are
 * copied again and again by the garbage collector, and bytes are not.
 */
export function renderBody(
  request: ChatRequest,
  model: string,
  { isStreaming, maxTokensField, extraBody }: BodySettings,
): Buffer {
  const { messages, tools, toolChoice, temperature, topP, maxTokens, seed, stop, logProbs, tokenIds } = request;
  const body: Record<string, unknown> = { model, messages };
  // An empty list of tools is refused by several servers.
  if (tools !== undefined && tools.length > 0) {
    body["tools"] = tools.map((tool) => ({ type: "function", function: tool }));
    body["tool_choice"] = toolChoice;
  }
  body["temperature"] = temperature;
  body["top_p"] = topP;
  body[maxTokensField] = maxTokens;
  body["seed"] = seed;
  body["stop"] = stop;
  if (logProbs === true) body["logprobs"] = true;
  if (tokenIds === true) body["return_token_ids"] = true;
  if (isStreaming) Object.assign(body, { stream: true, stream_options: { include_usage: true } });
  return Buffer.from(JSON.stringify(Object.assign(body, extraBody, request.extraBody)));
}
