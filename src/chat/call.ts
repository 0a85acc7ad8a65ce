// internal
import type { ChatRequest } from "./message.js";
import { renderBody, type BodySettings } from "./request-body.js";
import type { Entrant, Station } from "./station.js";

/** One call's memory over its attempts. */
export interface Call extends Entrant {
  readonly body: string;
  readonly signal: AbortSignal | undefined;
  readonly failed: Set<Station>;
  requestCount: number;
  attemptCount: number;
  /** What failed attempts cost, as far as it is known. */
  wastedCost: number;
  lastMessage: string | undefined;
  /** Lets go of the signals. Call once, at the end. */
  release(): void;
}

/** A signal that follows two others, as `AbortSignal.any` does, but lets go of them when told. */
interface JoinedSignal {
  readonly signal: AbortSignal;
  release(): void;
}

function joinSignals(first: AbortSignal, second: AbortSignal): JoinedSignal {
  const controller = new AbortController();
  const follow = (): void => controller.abort(first.aborted ? first.reason : second.reason);
  if (first.aborted || second.aborted) follow();
  first.addEventListener("abort", follow);
  second.addEventListener("abort", follow);
  return {
    signal: controller.signal,
    release() {
      first.removeEventListener("abort", follow);
      second.removeEventListener("abort", follow);
    },
  };
}

/** Returns a call that has not been sent yet. `hasTokenLimit` says whether its size matters to any gate. */
export function createCall(
  request: ChatRequest,
  settings: BodySettings,
  hasTokenLimit: boolean,
  signal: AbortSignal | undefined,
  stop: AbortSignal,
): Call {
  const body = renderBody(request, settings);
  let joined: JoinedSignal | undefined;
  return {
    body,
    // About four bytes of JSON make a token; put right when the server says what it counted.
    tokens: hasTokenLimit ? Math.ceil(body.length / 4) + (request.maxTokens ?? 0) : 0,
    signal,
    failed: new Set(),
    // Made only for calls that have to wait: most never do, and a joined signal is not free.
    getWaitSignal: () => (signal === undefined ? stop : (joined ??= joinSignals(signal, stop)).signal),
    release: () => joined?.release(),
    requestCount: 0,
    attemptCount: 0,
    wastedCost: 0,
    lastMessage: undefined,
  };
}
