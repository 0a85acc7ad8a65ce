import { setMaxListeners } from "node:events";
import {
  isJsonObject,
  PolicyError,
  type JsonObject,
  type Random,
  type TextScore,
  type TextScoreRequest,
  type TextScorer,
} from "../core/index.js";
import type { ChatClock } from "./clock.js";
import { readPromptTokens, scoreByIds, scoreByText, type ScoringDialect } from "./completions-answer.js";
import { badResponse, classifyErrorBody, classifyStatus, findErrorBody, isHtml, type Failure } from "./failure.js";
import { classifyNetworkError } from "./network-failure.js";
import { drawBackoffSeconds, parseRetryAfter, type RetryConfig } from "./retry.js";
import type { ChatEndpoint } from "./settings.js";
import { createTarget } from "./target.js";
import { createAbortError, createAgent } from "./transport.js";

/** Settings of {@linkcode createCompletionsScorer}. */
export interface CompletionsScorerOptions {
  /** Names the scorer; default the model's name. */
  readonly id?: string;
  readonly checkpoint?: string;
  readonly endpoint: ChatEndpoint;
  /** How log-probs of given text are asked for; default: `prompt_logprobs`, then `echo`, whichever the server answers. */
  readonly dialect?: ScoringDialect;
  /** Requests in flight; default 16. */
  readonly maxConcurrency?: number;
  /** Longest silence of the server; default 600. */
  readonly timeoutSeconds?: number;
  readonly retry?: RetryConfig;
  /** Fields put into every request body as they are. */
  readonly extraBody?: JsonObject;
  /** Where keys are looked up. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly clock: ChatClock;
  /** Source of the jitter; has no influence on scores. */
  readonly random: Random;
}

/** Both ways to ask, in the order they are tried. */
const dialects: readonly ScoringDialect[] = ["prompt_logprobs", "echo"];

/** What a server says that cannot do it, so that the other way is tried instead of failing. */
const refusals: ReadonlySet<string> = new Set(["bad_request", "not_found"]);

function createBody(
  request: TextScoreRequest,
  model: string,
  dialect: ScoringDialect,
  extraBody: JsonObject,
): JsonObject {
  const { prompt, continuation } = request;
  const given =
    prompt.kind === "ids" && continuation.kind === "ids"
      ? [...prompt.ids, ...continuation.ids]
      : prompt.kind === "text" && continuation.kind === "text"
        ? prompt.text + continuation.text
        : undefined;
  if (given === undefined)
    throw new TypeError("Cannot score a request whose prompt and continuation are not both ids or both text");
  // One token is sampled and thrown away: not every server takes 0.
  const shared = { model, prompt: given, max_tokens: 1, temperature: 0, stream: false };
  return dialect === "prompt_logprobs"
    ? { ...shared, prompt_logprobs: 0, return_token_ids: prompt.kind === "text" ? true : undefined, ...extraBody }
    : { ...shared, echo: true, logprobs: 1, ...extraBody };
}

function readScore(body: JsonObject, { prompt, continuation }: TextScoreRequest): TextScore | undefined {
  const ids = prompt.kind === "ids" && continuation.kind === "ids" ? [...prompt.ids, ...continuation.ids] : undefined;
  const tokens = readPromptTokens(body, ids);
  if (tokens === undefined) return undefined;
  if (ids !== undefined && continuation.kind === "ids") return scoreByIds(tokens, ids, continuation.ids.length);
  return prompt.kind === "text" && continuation.kind === "text"
    ? scoreByText(tokens, prompt.text, continuation.text)
    : undefined;
}

/** Sends bodies to the completions endpoint of one server, with retries. */
class CompletionsConnection {
  readonly #options: CompletionsScorerOptions;
  readonly #target: ReturnType<typeof createTarget>;
  readonly #agent: ReturnType<typeof createAgent>;
  #hasAnswered = false;

  constructor(options: CompletionsScorerOptions) {
    const { endpoint, environment, maxConcurrency = 16, timeoutSeconds = 600 } = options;
    this.#options = options;
    this.#target = createTarget(endpoint, environment);
    this.#agent = createAgent(maxConcurrency, timeoutSeconds);
  }

  /** Returns the answer's body, or a failure that asking again does not mend. */
  async send(body: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject | Failure> {
    const { retry = {}, clock, random } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(JSON.stringify(body), signal);
      if (!isFailure(answer)) {
        this.#hasAnswered = true;
        return answer;
      }
      if (!answer.isRetryable || attempt >= (retry.maxAttempts ?? 8)) return answer;
      const wait = Math.max(answer.retryAfterSeconds ?? 0, drawBackoffSeconds(attempt, random, retry));
      await clock.sleep(wait, signal);
    }
  }

  async #attempt(body: string, signal: AbortSignal | undefined): Promise<JsonObject | Failure> {
    const { baseUrl, headers, redact } = this.#target;
    const from = baseUrl.text;
    try {
      const response = await this.#agent.request({
        origin: baseUrl.origin,
        path: `${baseUrl.path}/completions${baseUrl.search}`,
        method: "POST",
        headers,
        body,
        signal,
      });
      const text = await response.body.text();
      const contentType = String(response.headers["content-type"] ?? "");
      const retryAfter = response.headers["retry-after"];
      const seconds =
        typeof retryAfter === "string" ? parseRetryAfter(retryAfter, this.#options.clock.now()) : undefined;
      const failure = readFailure(response.statusCode, text, contentType, from);
      if (failure === undefined) return JSON.parse(text) as JsonObject; // readFailure saw that it is one
      return {
        ...failure,
        message: redact(failure.message),
        ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      };
    } catch (error) {
      if (signal?.aborted === true) throw createAbortError(signal);
      return classifyNetworkError(error, from, this.#hasAnswered);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function isFailure(value: JsonObject | Failure): value is Failure {
  return typeof value["errorClass"] === "string" && typeof value["isRetryable"] === "boolean";
}

function readFailure(status: number, text: string, contentType: string, from: string): Failure | undefined {
  if (status < 200 || status >= 300) return classifyStatus(status, text, contentType, from);
  if (isHtml(text, contentType))
    return { ...badResponse(`"${from}" answered with an HTML page instead of JSON`), isRetryable: false };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return badResponse(`"${from}" answered with text that is not JSON`);
  }
  const error = findErrorBody(body);
  if (error !== undefined) return classifyErrorBody(error, from);
  return isJsonObject(body) ? undefined : badResponse(`"${from}" answered with JSON that is no object`);
}

/** Runs `work` on every item with at most `width` at once; results are in the order of the items. */
async function mapLimited<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, run));
  return results;
}

/**
 * Returns a scorer that asks an OpenAI-compatible completions endpoint for the log-probs of given text: vLLM's
 * `prompt_logprobs`, or `echo` with `logprobs` as SGLang, llama-cpp-python and others offer. The first way that a server
 * answers with log-probs is kept. A server that offers neither scores nothing: every score is `not_available`.
 *
 * @throws a usage error for a bad base URL, no model, or a key variable that is not set.
 */
export function createCompletionsScorer(options: CompletionsScorerOptions): TextScorer {
  const { endpoint, checkpoint, dialect, extraBody = {}, maxConcurrency = 16 } = options;
  const connection = new CompletionsConnection(options);
  let known = dialect;
  let refusal: string | undefined;

  async function ask(
    request: TextScoreRequest,
    way: ScoringDialect,
    signal: AbortSignal | undefined,
  ): Promise<TextScore | string> {
    const answer = await connection.send(createBody(request, endpoint.model, way, extraBody), signal);
    if (isFailure(answer)) {
      if (refusals.has(answer.errorClass)) return answer.message;
      if (answer.errorClass === "context_overflow")
        return { kind: "not_available", reason: "the text does not fit the model's context" };
      throw new PolicyError(answer.errorClass, answer.message, { cause: answer.cause });
    }
    return readScore(answer, request) ?? "its answers hold no log-probs of the text they were given";
  }
  async function scoreOne(request: TextScoreRequest, signal: AbortSignal | undefined): Promise<TextScore> {
    if (refusal !== undefined) return { kind: "not_available", reason: refusal };
    const reasons: string[] = [];
    for (const way of known === undefined ? dialects : [known]) {
      const score = await ask(request, way, signal);
      if (typeof score === "string") {
        reasons.push(`${way}: ${score}`);
        continue;
      }
      known = way;
      return score;
    }
    const reason = `the server gives no log-probs of given text (${reasons.join("; ")})`;
    // Before any score the server cannot do it at all; later, one request was bad.
    if (known === undefined) refusal = reason;
    return { kind: "not_available", reason };
  }
  return {
    id: options.id ?? endpoint.model,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    config: {
      type: "completions",
      model: endpoint.model,
      ...(Object.keys(extraBody).length === 0 ? {} : { extraBody }),
    },
    async score(requests, { signal } = {}) {
      if (requests.length === 0) return [];
      // Every request in flight listens to it: many listeners are no leak.
      if (signal !== undefined) setMaxListeners(0, signal);
      // The first request alone finds out how the server wants to be asked.
      const first = await scoreOne(requests[0], signal);
      return [first, ...(await mapLimited(requests.slice(1), maxConcurrency, (request) => scoreOne(request, signal)))];
    },
    close: () => connection.close(),
  };
}
