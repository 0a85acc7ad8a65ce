import type { JsonObject, ToolCall, ToolSpec, TurnTokens, TurnUsage } from "../core/index.js";

/** One message of a chat, in the form of the chat completions protocol. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly tool_calls?: readonly ChatMessageToolCall[];
      /** Reasoning sent back, under the name that the server reads. */
      readonly reasoning_content?: string;
      readonly reasoning?: string;
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** A tool call inside an assistant message; `arguments` is JSON text, or whatever the model wrote instead. */
export interface ChatMessageToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What is asked of the model. Absent settings are left to the server. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: "auto" | "none" | "required";
  readonly temperature?: number;
  readonly topP?: number;
  /** Most tokens to sample. */
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** Ask for the log-probability of each sampled token. */
  readonly logProbs?: boolean;
  /** Ask for token ids (vLLM's `return_token_ids`). Other servers may refuse the field. */
  readonly tokenIds?: boolean;
  /** Fields put into the request body as they are; they win over everything else. */
  readonly extraBody?: JsonObject;
}

/** What the model said, in one form for all dialects. */
export interface ChatAnswerMessage {
  /** Visible text, `""` when there is none. */
  readonly content: string;
  /** Calls in the order they were made, empty when there are none. */
  readonly toolCalls: readonly ToolCall[];
  /** Reasoning that was kept apart from the text. */
  readonly reasoning?: string;
  /** The server's words for declining to answer. */
  readonly refusal?: string;
}

/** One answer of the model, with what it took to get it. */
export interface ChatAnswer {
  readonly message: ChatAnswerMessage;
  /** As the server says it: `stop`, `length`, `tool_calls`, `content_filter`, ...; absent when it says nothing. */
  readonly finishReason?: string;
  /** Tokens and, with a price, cost; `requests` counts failed attempts too. Absent parts were not told. */
  readonly usage: TurnUsage;
  /** Token ids, log-probabilities and token texts, as far as the server gave them. */
  readonly tokens?: TurnTokens;
  /** HTTP requests made for this answer, failed ones included. */
  readonly requestCount: number;
  /** The model that the server says answered. */
  readonly model?: string;
  /** The base URL that answered. */
  readonly baseUrl: string;
}
