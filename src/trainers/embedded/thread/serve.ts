// internal
import { parentPort } from "node:worker_threads";
import { errorMessage, TurnwiseError } from "../../../core/index.js";
import { TrainingEngine } from "../engine/engine.js";
import type { ThreadCalls, ThreadFault, ThreadReply, ThreadRequest } from "./protocol.js";

/** Answers a trainer's calls one after another; called once, in a thread of its own. */
export function serveTrainer(): void {
  const port = parentPort;
  if (port === null) throw new TypeError("Cannot serve a trainer outside a worker thread");
  let engine: TrainingEngine | undefined;
  let last: Promise<void> = Promise.resolve();
  const answer = async (request: ThreadRequest): Promise<void> => {
    try {
      if (request.name === "create") engine = await TrainingEngine.create(request.arguments[0]);
      if (engine === undefined) throw new TypeError("Cannot answer before the engine was created");
      const result = await run(engine, request);
      port.postMessage({ id: request.id, result } satisfies ThreadReply, listTransfers(result));
    } catch (error) {
      port.postMessage({ id: request.id, fault: describeFault(error) } satisfies ThreadReply);
    }
    if (request.name === "close") port.close();
  };
  port.on("message", (request: ThreadRequest) => {
    last = last.then(() => answer(request));
  });
}

async function run(engine: TrainingEngine, request: ThreadRequest): Promise<ThreadCalls[keyof ThreadCalls]["result"]> {
  switch (request.name) {
    case "create":
      return engine.id;
    case "decode":
      return engine.decode(...request.arguments);
    case "endStreams":
      engine.endStreams(...request.arguments);
      return undefined;
    case "score":
      return engine.score(...request.arguments);
    case "freezeReference":
      engine.freezeReference();
      return undefined;
    case "fillSlot":
      return engine.fillSlot(...request.arguments);
    case "step":
      return engine.step(...request.arguments);
    case "save":
      engine.save(...request.arguments);
      return undefined;
    case "load":
      return engine.load(...request.arguments);
    case "close":
      await engine.release();
      return undefined;
    default:
      return request satisfies never;
  }
}

/** Returns the memory of a result that can be handed over: the logits of a step. */
function listTransfers(result: ThreadCalls[keyof ThreadCalls]["result"]): ArrayBuffer[] {
  if (typeof result !== "object" || !("logits" in result)) return [];
  const { logits } = result;
  return logits instanceof Float32Array && logits.buffer instanceof ArrayBuffer ? [logits.buffer] : [];
}

function describeFault(error: unknown): ThreadFault {
  const message = errorMessage(error);
  const stack = error instanceof Error ? error.stack : undefined;
  if (error instanceof TurnwiseError) return { type: error.kind, message, stack, remedy: error.remedy };
  return { type: error instanceof RangeError ? "range" : "other", message, stack };
}
