// internal
import { getEpisodeId, getEpisodeKey, sha256, trajectorySchema, type Trajectory } from "../core/index.js";

/** Returns a record that uses every field, for tests; `changes` replace top-level fields. */
export function createSampleTrajectory(changes: Partial<Trajectory> = {}): Trajectory {
  const trajectory: Trajectory = {
    schema: trajectorySchema,
    episodeId: "",
    task: { id: "task-1", hash: sha256("task-1"), family: "barns" },
    sampleIndex: 0,
    groupId: "g",
    policy: { id: "base", checkpoint: "step-0" },
    env: { id: "lookup", version: "1" },
    envSeed: 7,
    samplingSeed: 8,
    budget: { maxTurns: 4, maxTokens: 1000 },
    disclosure: "countdown",
    terminalRule: "act",
    turns: [
      {
        observation: { text: "Which barn? \ud800", data: { board: [1, null] } },
        notice: "Turns left, this one included: 4.",
        action: {
          text: "Let me look.",
          reasoning: "hm",
          toolCalls: [{ id: "c1", name: "search", arguments: { query: "barn" } }],
        },
        reward: 0,
        flags: { toolError: true },
        distanceBefore: 2,
        distanceAfter: { $number: "Infinity" },
        regret: 0.25,
        solvedAfter: false,
        usage: { promptTokens: 120, completionTokens: 9, toolCalls: 1, cost: 0.001, requests: 2 },
        timing: { policySeconds: 0.5, envSeconds: 0.01 },
        tokens: { ids: [1, 2], logProbs: [-0.1, { $number: "-Infinity" }], texts: ["a", "b"] },
        extra: { seen: true },
      },
      {
        observation: { text: "", toolResults: [{ callId: "c1", name: "search", text: "none", isError: true }] },
        action: { text: "", toolCalls: [{ name: "answer", rawArguments: "{red" }], invalid: "arguments are not JSON" },
        flags: { invalid: true, unknownTool: true },
      },
    ],
    finalObservation: { text: "That is wrong." },
    closing: { prompt: "Answer now.", action: { text: "red", quit: true }, usage: { completionTokens: 1 } },
    stopReason: { type: "env_end", kind: "wrong_final" },
    success: false,
    scores: { exact: 0, judge: { $number: "unknown" }, passed: false, label: "C" },
    episodeReturn: 0,
    dependsOn: "0123456789abcdef",
    provenance: { format: "turnwise", source: "a.jsonl", position: 3, notes: ["one turn is one call"] },
    extra: { kept: ["as", "is"] },
    ...changes,
  };
  return { ...trajectory, episodeId: getEpisodeId(getEpisodeKey(trajectory)) };
}

/** Returns everything `read()` yields. */
export async function readAllTrajectories(source: { read(): AsyncIterable<Trajectory> }): Promise<Trajectory[]> {
  const all: Trajectory[] = [];
  for await (const trajectory of source.read()) all.push(trajectory);
  return all;
}
