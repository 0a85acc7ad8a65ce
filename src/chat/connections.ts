// internal
import { buildConnector, Client, errors, type Dispatcher } from "undici";

/** What a request tells the connection that carries it. */
export type ConnectionRequest = Dispatcher.DispatchOptions;

/** What listens to one request: undici's handler, told which connection to give back at the end. */
export interface ConnectionHandler extends Dispatcher.DispatchHandler {
  connection: Client | undefined;
  /** The request will not be sent. */
  fail(error: Error): void;
}

/**
 * Connections opened in one round of the event loop. A burst of a thousand would overflow the backlog of many servers
 * (100 in Python's asyncio), and those left out come back only after a second or more. Opened few at a time, all are
 * there as soon as with a burst when the server takes its time; when it answers at once, fewer do the same work.
 */
const openedPerRound = 4;

/**
 * The connections to one server. Each carries one request at a time; the one used last is taken first, so that those
 * a quieter time does not need fall idle and are closed. An `undici` pool does the same, but searches all its
 * connections for a free one on every request, which at a thousand in flight costs more than the request.
 */
export class Connections {
  /** Longest silence of the server. */
  readonly timeoutSeconds: number;
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #all: Client[] = [];
  readonly #idle: Client[] = [];
  /** Requests without a connection, first come first served. */
  readonly #waiting = new Map<ConnectionHandler, ConnectionRequest>();
  #isOpening = false;
  #isDestroyed = false;

  /** `timeoutSeconds` is the longest silence of the server, before its answer begins and inside it. */
  constructor(origin: string, timeoutSeconds: number) {
    const milliseconds = timeoutSeconds * 1000;
    this.timeoutSeconds = timeoutSeconds;
    this.#origin = origin;
    this.#options = {
      pipelining: 1,
      headersTimeout: milliseconds,
      bodyTimeout: milliseconds,
      // One for all connections: it remembers TLS sessions.
      connect: buildConnector({ timeout: Math.min(milliseconds, 30_000) }),
      keepAliveTimeout: 30_000,
    };
  }

  /**
   * Sends a request; what comes of it is told to the handler, which gives the connection back with
   * {@linkcode release}. How many are open at once is the caller's to limit.
   *
   * @throws {ClientDestroyedError} after {@linkcode destroy}.
   */
  send(request: ConnectionRequest, handler: ConnectionHandler): void {
    if (this.#isDestroyed) throw new errors.ClientDestroyedError();
    const client = this.#idle.pop();
    if (client === undefined) {
      this.#waiting.set(handler, request);
      this.#openSoon();
    } else this.#start(client, request, handler);
  }

  /** Takes back a request that still waits for a connection; says whether it did. */
  cancel(handler: ConnectionHandler): boolean {
    return this.#waiting.delete(handler);
  }

  /** Takes the connection of a finished request back. One that broke is opened anew by its next request. */
  release(handler: ConnectionHandler): void {
    const client = handler.connection;
    handler.connection = undefined;
    if (client !== undefined && !this.#startNext(client)) this.#idle.push(client);
  }

  /** Closes all connections; requests in flight fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    for (const handler of waiting) handler.fail(new errors.ClientDestroyedError());
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  #start(client: Client, request: ConnectionRequest, handler: ConnectionHandler): void {
    handler.connection = client;
    client.dispatch(request, handler);
  }

  /** Gives the connection to whoever has waited longest; says whether anybody did. */
  #startNext(client: Client): boolean {
    for (const [handler, request] of this.#waiting) {
      this.#waiting.delete(handler);
      this.#start(client, request, handler);
      return true;
    }
    return false;
  }

  #openSoon(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    setImmediate(() => {
      this.#isOpening = false;
      for (let i = 0; i < openedPerRound && this.#waiting.size > 0; i += 1) {
        const client = new Client(this.#origin, this.#options);
        this.#all.push(client);
        this.#startNext(client);
      }
      if (this.#waiting.size > 0) this.#openSoon();
    });
  }
}
