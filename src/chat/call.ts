// internal
import type { ChatRequest } from "./message.js";
import { renderBody, type BodySettings } from "./request-body.js";
import type { Entrant, Station } from "./station.js";

/** What a client's calls have in common. */
export interface CallSettings extends BodySettings {
  readonly firstModel: string;
  /** Whether a call's size matters to any gate. */
  readonly hasTokenLimit: boolean;
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

/** One call's memory over its attempts. */
export class Call implements Entrant {
  readonly tokens: number;
  readonly signal: AbortSignal | undefined;
  failed: Set<Station> | undefined;
  requestCount = 0;
  attemptCount = 0;
  /** What failed attempts cost, as far as it is known. */
  wastedCost = 0;
  lastMessage: string | undefined;
  readonly #request: ChatRequest;
  readonly #settings: CallSettings;
  readonly #stop: AbortSignal;
  #rendered: { readonly model: string; readonly body: Buffer } | undefined;
  #joined: JoinedSignal | undefined;

  /** A call that has not been sent yet. `signal` is its caller's, `stop` the client's. */
  constructor(request: ChatRequest, settings: CallSettings, signal: AbortSignal | undefined, stop: AbortSignal) {
    this.#request = request;
    this.#settings = settings;
    this.#stop = stop;
    this.signal = signal;
    const { firstModel, hasTokenLimit } = settings;
    // About four bytes of JSON make a token; put right when the server says what it counted.
    this.tokens = hasTokenLimit ? Math.ceil(this.getBody(firstModel).length / 4) + (request.maxTokens ?? 0) : 0;
  }

  /** Returns the body for an endpoint's model; made once for as long as the model stays the same. */
  getBody(model: string): Buffer {
    if (this.#rendered?.model !== model) {
      this.#rendered = { model, body: renderBody(this.#request, model, this.#settings) };
    }
    return this.#rendered.body;
  }

  /** Returns the signal that ends the call's waiting. Made only when asked: most calls never wait. */
  getWaitSignal(): AbortSignal {
    if (this.signal === undefined) return this.#stop;
    this.#joined ??= joinSignals(this.signal, this.#stop);
    return this.#joined.signal;
  }

  /** Lets go of the signals. Call once, at the end. */
  release(): void {
    this.#joined?.release();
  }
}
