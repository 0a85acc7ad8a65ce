// internal
import { errors, type Client, type Dispatcher } from "undici";
import { systemClock, type ChatClock } from "./clock.js";
import type { ConnectionHandler, Connections } from "./connections.js";
import { parseRetryAfter } from "./retry.js";
import { StreamAssembly } from "./stream.js";
import type { Target } from "./target.js";

/** What a server sent, before it is known what it says. */
export interface Received {
  readonly status: number;
  readonly contentType: string;
  /** Seconds that the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body, or its events put together. */
  readonly body: string | StreamAssembly;
}

type Headers = { readonly [name: string]: string | string[] | undefined };

/** Returns what the headers ask to wait: OpenAI's milliseconds are finer than the standard's seconds. */
function readRetryAfter(headers: Headers, clock: ChatClock): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds / 1000;
  const header = headers["retry-after"];
  return typeof header === "string" ? parseRetryAfter(header, clock.now()) : undefined;
}

/** Returns a body's text, without the byte order mark that JSON does not allow. */
function decodeBody(pieces: readonly Buffer[]): string {
  const text = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Bytes that one answer may have: far more than any model writes, and little enough for many at once. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Thrown when an answer does not end: the connection is given up before it fills the memory. */
export class EndlessAnswerError extends Error {
  override readonly name = "EndlessAnswerError";
}

/** Says whether a piece of a body is nothing but the white space that JSON allows anywhere. */
function isBlank(piece: Buffer): boolean {
  return piece.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** What settles the promise of an exchange. */
interface Settler {
  resolve(received: Received): void;
  reject(error: unknown): void;
}

/** One request and what comes back: listens to undici directly, since a stream for each answer costs more than reading it. */
class Exchange implements ConnectionHandler {
  connection: Client | undefined;
  readonly #connections: Connections;
  readonly #from: string;
  readonly #signal: AbortSignal | undefined;
  readonly #clock: ChatClock;
  readonly #settler: Settler;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #contentType = "";
  #retryAfterSeconds: number | undefined;
  #pieces: Buffer[] = [];
  #byteCount = 0;
  /** When the server last said something, by the machine's clock, as undici's own timeouts. */
  #heardAt = systemClock.now();
  #stream: { readonly assembly: StreamAssembly; readonly decoder: TextDecoder } | undefined;

  constructor(connections: Connections, from: string, { signal, clock }: ExchangeOptions, settler: Settler) {
    this.#connections = connections;
    this.#from = from;
    this.#signal = signal;
    this.#clock = clock;
    this.#settler = settler;
    signal?.addEventListener("abort", this);
  }

  /** The signal was aborted. */
  handleEvent(): void {
    const reason: unknown = this.#signal?.reason;
    const error = reason instanceof Error ? reason : new Error("the call was aborted", { cause: reason });
    if (this.#controller !== undefined) this.#controller.abort(error);
    else if (this.#connections.cancel(this)) this.fail(error);
    // A connection that is still being opened cannot be told yet: onRequestStart does, and the caller need not wait.
    else this.#settler.reject(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#heardAt = systemClock.now();
    if (this.#signal?.aborted === true) this.handleEvent();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.#noteSound(controller, status >= 200);
    if (status < 200) return; // an interim answer: the real one follows
    this.#status = status;
    this.#contentType = String(headers["content-type"] ?? "");
    this.#retryAfterSeconds = readRetryAfter(headers, this.#clock);
    if (status < 300 && this.#contentType.includes("text/event-stream")) {
      this.#stream = { assembly: new StreamAssembly(this.#from), decoder: new TextDecoder() };
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#byteCount += piece.length;
    if (this.#byteCount > maxAnswerBytes) {
      controller.abort(new EndlessAnswerError(`the answer is longer than ${maxAnswerBytes} bytes`));
    } else if (this.#stream === undefined) {
      this.#pieces.push(piece);
      this.#noteSound(controller, !isBlank(piece));
    } else {
      const { assembly, decoder } = this.#stream;
      this.#noteSound(controller, assembly.feed(decoder.decode(piece, { stream: true })));
    }
  }

  onResponseEnd(): void {
    this.#finish();
    this.#settler.resolve(this.#getReceived());
  }

  /** Undici takes every byte for a sign of life: one that says nothing must not keep a call waiting for ever. */
  #noteSound(controller: Dispatcher.DispatchController, isNews: boolean): void {
    const now = systemClock.now();
    if (isNews) this.#heardAt = now;
    else if (now - this.#heardAt > this.#connections.timeoutSeconds) {
      controller.abort(new errors.BodyTimeoutError("nothing but signs of life"));
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: Error): void {
    this.#finish();
    // A connection that breaks after the stream said that it is complete took nothing away, nor after it told an error.
    const isComplete = this.#stream?.assembly.isDone === true && this.#signal?.aborted !== true;
    if (isComplete) this.#settler.resolve(this.#getReceived());
    else this.#settler.reject(error);
  }

  #finish(): void {
    this.#signal?.removeEventListener("abort", this);
    this.#connections.release(this);
  }

  #getReceived(): Received {
    const body = this.#stream?.assembly ?? decodeBody(this.#pieces);
    return { status: this.#status, contentType: this.#contentType, retryAfterSeconds: this.#retryAfterSeconds, body };
  }
}

/** What an exchange needs beside the request. */
export interface ExchangeOptions {
  readonly signal?: AbortSignal;
  /** For `Retry-After` dates. */
  readonly clock: ChatClock;
}

/** Sends the request and reads what comes back. Rejects with what the socket, undici or the signal throws. */
export function exchange(
  connections: Connections,
  { baseUrl, headers, chatPath: path }: Target,
  body: Buffer,
  options: ExchangeOptions,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted === true) {
      reject(options.signal.reason);
      return;
    }
    const handler = new Exchange(connections, baseUrl.text, options, { resolve, reject });
    connections.send({ path, method: "POST", headers, body, blocking: false }, handler);
  });
}
