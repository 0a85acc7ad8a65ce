import type { JsonObject, Random } from "../core/index.js";
import type { ChatClock } from "./clock.js";
import type { PriceTable } from "./price.js";
import type { RetryConfig } from "./retry.js";

/** One server that answers. */
export interface ChatEndpoint {
  /** As the user writes it; see {@linkcode parseBaseUrl}. */
  readonly baseUrl: string;
  /** The model's name on this server. */
  readonly model: string;
  /** Name of the environment variable that holds the key; absent sends none. */
  readonly apiKeyVariable?: string;
  /** Header that carries the bare key instead of `Authorization: Bearer`, e.g. Azure's `api-key`. */
  readonly apiKeyHeader?: string;
  /** Further headers. Not for secrets. */
  readonly headers?: { readonly [name: string]: string };
  /** Limits of this endpoint; default to the client's. */
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** When to stop asking an endpoint that does not work. */
export interface CircuitConfig {
  /** Failures in a row, over all calls, that open the circuit. Default 5. */
  readonly failureThreshold?: number;
  /** Seconds before the first probe; doubles with each failed probe. Default 5. */
  readonly openSeconds?: number;
  /** Most seconds between two probes. Default 60. */
  readonly maxOpenSeconds?: number;
  /** Seconds of outage after which calls fail with class `outage` instead of waiting. Default 600. */
  readonly patienceSeconds?: number;
}

/** What happens behind a call, for the progress display. */
export type ChatEvent =
  | {
      readonly type: "retry";
      readonly baseUrl: string;
      readonly errorClass: string;
      readonly message: string;
      /** Attempts made so far. */
      readonly attemptCount: number;
      readonly delaySeconds: number;
    }
  /** The endpoint said "too many"; it is left alone for `pauseSeconds`. */
  | { readonly type: "rate_limited"; readonly baseUrl: string; readonly pauseSeconds: number }
  | { readonly type: "circuit_open"; readonly baseUrl: string; readonly errorClass: string; readonly seconds: number }
  | { readonly type: "circuit_closed"; readonly baseUrl: string; readonly outageSeconds: number };

/** Settings of a chat client. */
export interface ChatClientOptions {
  /** At least one. Calls go to the least busy one that works. */
  readonly endpoints: readonly ChatEndpoint[];
  /** Per endpoint; absent is unlimited. */
  readonly requestsPerMinute?: number;
  /** Per endpoint, prompt and completion together; absent is unlimited. */
  readonly tokensPerMinute?: number;
  /** Calls in flight per endpoint, one connection each. Default 64. */
  readonly maxConcurrency?: number;
  /** Longest silence of the server: until its answer begins, and between two pieces of it; comments and blanks are silence. Default 600. */
  readonly timeoutSeconds?: number;
  readonly retry?: RetryConfig;
  readonly circuit?: CircuitConfig;
  /** Ask for the answer piece by piece, so that long answers are not mistaken for silence. Default false. */
  readonly streaming?: boolean;
  /** Fields put into every request body as they are. */
  readonly extraBody?: JsonObject;
  /** The name under which the server reads the token limit. Default `max_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Move `<think>...</think>` at the beginning of a text over to the reasoning. Default true. */
  readonly splitThink?: boolean;
  /** Prices by model name. Without one, the cost that the server states is taken, if any. */
  readonly priceTable?: PriceTable;
  /** Where keys are looked up. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly clock: ChatClock;
  /** Source of the jitter; has no influence on answers. */
  readonly random: Random;
  /** Told what happens behind calls. Must not throw. */
  readonly onEvent?: (event: ChatEvent) => void;
}
