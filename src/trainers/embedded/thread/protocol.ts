// internal
import type { JsonObject, LossSpec } from "../../../core/index.js";
import type { NextTokens, StreamTokens } from "../../generation/logit-source.js";
import type { EngineConfig } from "../engine/engine.js";
import type { MicroBatch } from "../engine/micro-batches.js";
import type { PackedSequence } from "../engine/pack-sequence.js";
import type { GradientSums, PackedScore } from "../engine/sequence-runner.js";

/** What the trainer's thread does: the arguments and the result of each call. */
export interface ThreadCalls {
  create: { readonly arguments: [EngineConfig]; readonly result: string };
  decode: { readonly arguments: [number, readonly StreamTokens[]]; readonly result: NextTokens };
  endStreams: { readonly arguments: [readonly string[]]; readonly result: undefined };
  score: {
    readonly arguments: [readonly PackedSequence[], readonly MicroBatch[], "current" | "reference"];
    readonly result: readonly PackedScore[];
  };
  freezeReference: { readonly arguments: []; readonly result: undefined };
  fillSlot: {
    readonly arguments: [number, readonly PackedSequence[], readonly MicroBatch[], LossSpec];
    readonly result: GradientSums;
  };
  step: { readonly arguments: [number]; readonly result: number };
  save: { readonly arguments: [string, JsonObject]; readonly result: undefined };
  load: { readonly arguments: [string]; readonly result: JsonObject };
  close: { readonly arguments: []; readonly result: undefined };
}

/** A call as it is sent. */
export type ThreadRequest = {
  [Name in keyof ThreadCalls]: {
    readonly name: Name;
    readonly id: number;
    readonly arguments: ThreadCalls[Name]["arguments"];
  };
}[keyof ThreadCalls];

/** An error as it passes between threads, where its class is lost. */
export interface ThreadFault {
  readonly message: string;
  readonly stack?: string;
  /** The class to make it of again. */
  readonly type: "usage" | "input" | "range" | "other";
  readonly remedy?: string;
}

/** The answer to the request of the same id. */
export type ThreadReply =
  | { readonly id: number; readonly result: ThreadCalls[keyof ThreadCalls]["result"] }
  | { readonly id: number; readonly fault: ThreadFault };
