import type { JsonObject } from "../core/index.js";
import { HttpChatClient } from "./http-client.js";
import type { ChatAnswer, ChatRequest } from "./message.js";
import type { ChatClientOptions } from "./settings.js";

/** A client for one model behind one or several OpenAI-compatible servers. */
export interface ChatClient {
  /** Where calls go, without secrets. */
  readonly endpoints: readonly { readonly baseUrl: string; readonly model: string }[];
  /** Fields that every request body carries. */
  readonly extraBody: JsonObject;
  /**
   * Returns the model's answer, however many attempts that takes.
   *
   * @throws {PolicyError} whose class is a {@linkcode ChatErrorClass} or `context_overflow`; its `usage.requests`
   * says how many requests were made.
   */
  complete(request: ChatRequest, options?: { readonly signal?: AbortSignal }): Promise<ChatAnswer>;
  /** Closes the connections; calls in flight fail with class `aborted`. */
  close(): Promise<void>;
}

/**
 * Returns a client. Keys are looked up at once, connections are opened when needed.
 *
 * @throws a usage error for a bad base URL, a missing key variable, or no endpoint.
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const client = new HttpChatClient(options);
  return {
    endpoints: client.endpoints,
    extraBody: client.extraBody,
    complete: (request, settings) => client.complete(request, settings),
    close: () => client.close(),
  };
}
