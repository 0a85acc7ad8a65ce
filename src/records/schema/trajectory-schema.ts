// internal
import { z } from "zod";
import {
  trajectorySchema as schemaVersion,
  type JsonObject,
  type JsonValue,
  type Trajectory,
} from "../../core/index.js";

// Objects are loose: unknown fields of a record are kept. What cannot be exported to JSON Schema (refinements,
// transforms, defaults) must not be used here, since bulk reads are checked by the exported schema.

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const amount = z.number().min(0);
const tag = z.looseObject({ $number: z.enum(["Infinity", "-Infinity", "NaN", "unknown"]) });
const recordedNumber = z.union([z.number(), tag]);
const jsonObject = z.looseObject({}) as unknown as z.ZodType<JsonObject>; // its values come from JSON text, so they are JSON
const anyJson = z.unknown() as z.ZodType<JsonValue | undefined>; // it comes from JSON text, so it is JSON

const toolCall = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  arguments: jsonObject.optional(),
  rawArguments: z.string().optional(),
});
const action = z.looseObject({
  text: z.string(),
  toolCalls: z.array(toolCall).optional(),
  reasoning: z.string().optional(),
  quit: z.literal(true).optional(),
  invalid: z.string().optional(),
});
const toolResult = z.looseObject({
  callId: z.string().optional(),
  name: z.string().optional(),
  text: z.string(),
  isError: z.literal(true).optional(),
});
const observation = z.looseObject({
  text: z.string(),
  toolResults: z.array(toolResult).optional(),
  data: anyJson.optional(),
});
const usage = z.looseObject({
  promptTokens: amount.optional(),
  completionTokens: amount.optional(),
  reasoningTokens: amount.optional(),
  cachedTokens: amount.optional(),
  toolCalls: count.optional(),
  envSteps: count.optional(),
  cost: amount.optional(),
  requests: count.optional(),
});
const turn = z.looseObject({
  observation,
  notice: z.string().optional(),
  action,
  reward: recordedNumber.optional(),
  flags: z
    .looseObject({
      invalid: z.literal(true).optional(),
      toolError: z.literal(true).optional(),
      unknownTool: z.literal(true).optional(),
    })
    .optional(),
  distanceBefore: recordedNumber.optional(),
  distanceAfter: recordedNumber.optional(),
  regret: z.number().optional(),
  solvedAfter: z.boolean().optional(),
  usage: usage.optional(),
  timing: z.looseObject({ policySeconds: amount, envSeconds: amount }).optional(),
  tokens: z
    .looseObject({
      ids: z.array(count).optional(),
      logProbs: z.array(recordedNumber).optional(),
      texts: z.array(z.string()).optional(),
      promptIds: z.array(count).optional(),
    })
    .optional(),
  extra: jsonObject.optional(),
});
const budget = z.looseObject({
  maxTurns: amount.optional(),
  maxTokens: amount.optional(),
  maxToolCalls: amount.optional(),
  maxSeconds: amount.optional(),
  maxCost: amount.optional(),
});
const stopReason = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("env_end"), kind: z.enum(["solved", "wrong_final", "env_fail"]) }),
  z.looseObject({
    type: z.literal("error"),
    boundary: z.enum(["policy", "env", "scorer"]),
    errorClass: z.string(),
    message: z.string(),
  }),
  z.looseObject({
    type: z.enum([
      "quit",
      "max_turns",
      "max_tokens",
      "max_tool_calls",
      "max_seconds",
      "max_cost",
      "context_overflow",
      "unknown",
    ]),
  }),
]);

/** The schema of one record. */
export const trajectoryShape = z.looseObject({
  schema: z.literal(schemaVersion),
  episodeId: z.string().min(1),
  task: z.looseObject({ id: z.string(), hash: z.string().min(1), family: z.string().optional() }),
  sampleIndex: count,
  groupId: z.string().optional(),
  policy: z.looseObject({ id: z.string(), checkpoint: z.string().optional() }),
  env: z.looseObject({ id: z.string(), version: z.string() }),
  envSeed: z.number().optional(),
  samplingSeed: z.number().optional(),
  budget,
  disclosure: z.enum(["hidden", "static", "countdown"]),
  terminalRule: z.enum(["act", "hard", "answer_only"]),
  turns: z.array(turn),
  prefix: z
    .looseObject({
      id: z.string(),
      arm: z.string().optional(),
      turnCount: count,
      context: z.enum(["full", "summary", "state_only"]),
    })
    .optional(),
  finalObservation: observation.optional(),
  closing: z.looseObject({ prompt: z.string(), action, usage: usage.optional() }).optional(),
  stopReason,
  success: z.boolean().optional(),
  grader: z.string().optional(),
  scores: z.record(z.string(), z.union([z.number(), z.boolean(), z.string(), tag])).optional(),
  episodeReturn: recordedNumber.optional(),
  dependsOn: z.string().optional(),
  provenance: z
    .looseObject({
      format: z.string(),
      source: z.string(),
      position: count.optional(),
      notes: z.array(z.string()),
    })
    .optional(),
  extra: jsonObject.optional(),
}) satisfies z.ZodType<Trajectory>;
