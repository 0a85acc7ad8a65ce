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
  let waitSignal: AbortSignal | undefined;
  return {
    body,
    // About four bytes of JSON make a token; put right when the server says what it counted.
    tokens: hasTokenLimit ? Math.ceil(body.length / 4) + (request.maxTokens ?? 0) : 0,
    signal,
    failed: new Set(),
    // Made only for calls that have to wait: most never do, and a joined signal is not free.
    getWaitSignal: () => (waitSignal ??= signal === undefined ? stop : AbortSignal.any([signal, stop])),
    requestCount: 0,
    attemptCount: 0,
    wastedCost: 0,
    lastMessage: undefined,
  };
}
