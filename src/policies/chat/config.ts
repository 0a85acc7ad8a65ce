import type { ChatClient } from "../../chat/index.js";
import type { JsonObject, TextGrammar } from "../../core/index.js";

/** How the model acts: by calling tools, or by writing actions into its text. */
export type ChatSurface = "tools" | "text";

/** Settings of a chat policy. */
export interface ChatPolicyOptions {
  /** Short name, unique within a run. */
  readonly id: string;
  readonly client: ChatClient;
  /** Name of the weights, when the served model is one of several checkpoints. */
  readonly checkpoint?: string;
  /** Default `tools`. */
  readonly surface?: ChatSurface;
  /** How actions are written on the text surface. Default `<action>...</action>`. */
  readonly grammar?: TextGrammar;
  readonly temperature?: number;
  readonly topP?: number;
  /** Most tokens one turn may sample. */
  readonly maxTokens?: number;
  /** Send a seed made from the episode's sampling seed and the turn. Default true. */
  readonly sendSeed?: boolean;
  /** Show the model its own reasoning of earlier turns. Default false. */
  readonly sendReasoningBack?: boolean;
  /** The form in which reasoning is sent back: under a field name, or inside the text. Default `reasoning_content`. */
  readonly reasoningForm?: ReasoningForm;
  /** Fields put into every request body as they are. */
  readonly extraBody?: JsonObject;
  /**
   * The system prompt. `{instructions}` stands for the env's instructions and `{surface}` for how to act. Default:
   * both, separated by an empty line.
   */
  readonly systemPrompt?: string;
  /** What a message without a tool call means on the tools surface. Default `quit`: the agent has stopped. */
  readonly noToolCall?: "quit" | "invalid";
  /** Show only this many of the latest turns, after the task. Default all. */
  readonly maxHistoryTurns?: number;
  /** Ask for log-probabilities. Default false. */
  readonly logProbs?: boolean;
  /** Ask for token ids (vLLM). Default false. */
  readonly tokenIds?: boolean;
}

/** Where servers read earlier reasoning: two field names in use, or `<think>` tags in the content. */
export type ReasoningForm = "reasoning_content" | "reasoning" | "think_tag";
