// internal
import { errorMessage, PolicyError, type ErrorBoundary, type StopReason } from "../core/index.js";
import { ReplayError } from "./replay.js";
import { Stopped, TimeUp } from "./wait-for.js";

/** Returns the text of what was thrown, also where it has none that is a string. */
function getMessage(error: unknown): string {
  try {
    return String(errorMessage(error));
  } catch {
    return "What was thrown has no text";
  }
}

/** Returns the stop reason for what a boundary threw, and for a call that took longer than the episode may. */
export function describeFailure(boundary: ErrorBoundary, error: unknown): StopReason {
  if (error instanceof TimeUp) return { type: "max_seconds" };
  if (error instanceof PolicyError && error.errorClass === "context_overflow") return { type: "context_overflow" };
  const hasClass = error instanceof PolicyError || error instanceof ReplayError || error instanceof Stopped;
  const errorClass = hasClass ? String(error.errorClass) : "exception";
  return { type: "error", boundary, errorClass, message: getMessage(error) };
}
