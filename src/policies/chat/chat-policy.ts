import type { ChatRequest } from "../../chat/index.js";
import {
  createRandom,
  defaultTextGrammar,
  usageError,
  type JsonObject,
  type Policy,
  type PolicyRequest,
} from "../../core/index.js";
import type { ChatPolicyOptions } from "./config.js";
import { renderMessages, type Transcripts } from "./messages.js";
import { readAction } from "./read-action.js";
import { isPlainText } from "./surface.js";

/** Returns what defines the policy's behaviour: no addresses, since the same model may move, and no secrets. */
function describeConfig(options: ChatPolicyOptions): JsonObject {
  const {
    client,
    surface = "tools",
    grammar = defaultTextGrammar,
    sendSeed = true,
    sendReasoningBack = false,
  } = options;
  const { temperature, topP, maxTokens, systemPrompt, maxHistoryTurns, logProbs, tokenIds } = options;
  const extraBody = { ...client.extraBody, ...options.extraBody };
  const config: JsonObject = {
    type: "chat",
    models: [...new Set(client.endpoints.map(({ model }) => model))].sort(),
    surface,
    grammar: surface === "text" ? { ...grammar } : undefined,
    noToolCall: surface === "tools" ? (options.noToolCall ?? "quit") : undefined,
    temperature,
    topP,
    maxTokens,
    sendSeed,
    sendReasoningBack,
    reasoningForm: sendReasoningBack ? (options.reasoningForm ?? "reasoning_content") : undefined,
    systemPrompt,
    maxHistoryTurns,
    logProbs,
    tokenIds,
    extraBody: Object.keys(extraBody).length === 0 ? undefined : extraBody,
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** Returns the seed of one turn: a whole number below 2^31, the same for the same episode seed and turn. */
function drawTurnSeed({ samplingSeed, turnIndex, closingPrompt }: PolicyRequest): number {
  const purpose = closingPrompt === undefined ? "chat turn" : "chat closing";
  return createRandom(samplingSeed, purpose, turnIndex).nextInt(2 ** 31);
}

function createRequest(request: PolicyRequest, options: ChatPolicyOptions, transcripts: Transcripts): ChatRequest {
  const { surface = "tools", temperature, topP, maxTokens, sendSeed = true, logProbs, tokenIds, extraBody } = options;
  const areToolsOffered = surface === "tools" && !isPlainText(request) && request.closingPrompt === undefined;
  return {
    messages: renderMessages(request, options, transcripts),
    tools: areToolsOffered ? request.env.tools : undefined,
    temperature,
    topP,
    maxTokens,
    seed: sendSeed ? drawTurnSeed(request) : undefined,
    logProbs,
    tokenIds,
    extraBody,
  };
}

/**
 * Returns a policy that asks a chat model for each action. On the tools surface the model calls the env's tools; on
 * the text surface it writes actions by the grammar. It throws what the client throws: failures of the endpoint end
 * the episode as errors of the policy, a full context ends it as `context_overflow`.
 *
 * @throws a usage error for settings out of range.
 */
export function createChatPolicy(options: ChatPolicyOptions): Policy {
  const { id, client, checkpoint, maxHistoryTurns, maxTokens } = options;
  for (const [name, value] of Object.entries({ maxHistoryTurns, maxTokens })) {
    if (value !== undefined && (!Number.isInteger(value) || value < 1)) {
      throw usageError(
        `Cannot create chat policy "${id}" as "${name}" must be a whole number of at least 1: found ${value}`,
      );
    }
  }
  const transcripts: Transcripts = new WeakMap();
  return {
    id,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    config: describeConfig(options),
    async act(request) {
      const answer = await client.complete(createRequest(request, options, transcripts), { signal: request.signal });
      const { usage, tokens } = answer;
      return { action: readAction(answer, request, options), usage, ...(tokens === undefined ? {} : { tokens }) };
    },
    close: () => client.close(),
  };
}
