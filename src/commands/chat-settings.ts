import { readFileSync } from "node:fs";
import { z } from "zod";
import { describeSystemError, inputError, usageError } from "../core/index.js";

const grammarSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("tag"), tag: z.string().min(1) }),
  z.strictObject({ type: z.literal("line"), prefix: z.string().min(1) }),
  z.strictObject({ type: z.literal("fence"), language: z.string() }),
  z.strictObject({ type: z.literal("whole") }),
]);

const endpointSchema = z.strictObject({
  baseUrl: z.string().min(1),
  model: z.string().min(1),
  apiKeyVariable: z.string().min(1).optional(),
  apiKeyHeader: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  requestsPerMinute: z.number().positive().optional(),
  tokensPerMinute: z.number().positive().optional(),
});

const priceSchema = z.strictObject({
  promptPerMillion: z.number().min(0),
  completionPerMillion: z.number().min(0),
  cachedPerMillion: z.number().min(0).optional(),
});

/** The schema of a price file: prices by model name. */
export const priceTableSchema = z.record(z.string(), priceSchema);

/** What every chat policy of a call shares, from flags; a policy file may set the same fields for itself. */
const sharedSchema = z.strictObject({
  surface: z.enum(["tools", "text"]).optional(),
  grammar: grammarSchema.optional(),
  temperature: z.number().min(0).optional(),
  topP: z.number().gt(0).max(1).optional(),
  maxTokens: z.int().min(1).optional(),
  sendSeed: z.boolean().optional(),
  sendReasoningBack: z.boolean().optional(),
  reasoningForm: z.enum(["reasoning_content", "reasoning", "think_tag"]).optional(),
  extraBody: z.record(z.string(), z.json()).optional(),
  systemPrompt: z.string().optional(),
  noToolCall: z.enum(["quit", "invalid"]).optional(),
  maxHistoryTurns: z.int().min(1).optional(),
  logProbs: z.boolean().optional(),
  tokenIds: z.boolean().optional(),
  streaming: z.boolean().optional(),
  maxConcurrency: z.int().min(1).optional(),
  requestsPerMinute: z.number().positive().optional(),
  tokensPerMinute: z.number().positive().optional(),
  timeoutSeconds: z.number().positive().optional(),
  maxAttempts: z.int().min(1).optional(),
  patienceSeconds: z.number().positive().optional(),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  splitThink: z.boolean().optional(),
  priceTable: priceTableSchema.optional(),
});

/** The schema of a policy file: a chat policy with its endpoints. */
export const chatPolicyFileSchema = sharedSchema.extend({
  type: z.literal("chat"),
  id: z.string().min(1).optional(),
  checkpoint: z.string().optional(),
  endpoints: z.array(endpointSchema).min(1),
});

/** Settings that chat policies share; see the fields of `ChatPolicyOptions` and `ChatClientOptions`. */
export type ChatSettings = z.infer<typeof sharedSchema> & {
  /** Server of `chat:MODEL` specifications; default: the variable `OPENAI_BASE_URL`. */
  readonly baseUrl?: string;
  /** Variable that holds the key; default `OPENAI_API_KEY` where it is set. */
  readonly apiKeyVariable?: string;
};

/** A chat policy as a file states it. */
export type ChatPolicyFile = z.infer<typeof chatPolicyFileSchema>;

/**
 * Returns `value` as what the schema describes.
 *
 * @throws {TurnwiseError} (usage) that names every wrong field of `what`.
 */
export function parseSettings<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw usageError(`Cannot use ${what}:\n${z.prettifyError(result.error)}`);
}

/**
 * Returns chat settings from loosely typed fields, with prices read from a JSON file.
 *
 * @throws {TurnwiseError} (usage) that names every wrong field; (input) for a price file that cannot be read.
 */
export function readChatSettings(fields: Readonly<Record<string, unknown>>, priceFile?: string): ChatSettings {
  const { baseUrl, apiKeyVariable, ...rest } = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  const settings = parseSettings(sharedSchema, rest, "the settings of chat policies");
  return {
    ...settings,
    ...(typeof baseUrl === "string" ? { baseUrl } : {}),
    ...(typeof apiKeyVariable === "string" ? { apiKeyVariable } : {}),
    ...(priceFile === undefined
      ? {}
      : { priceTable: parseSettings(priceTableSchema, readJsonFile(priceFile), `price file "${priceFile}"`) }),
  };
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw inputError(`Cannot read "${path}": ${describeSystemError(error)}`, undefined, error);
  }
}
