// internal
import { buildConnector, Client, errors, type Dispatcher } from "undici";

/** What a request tells the connection that carries it. */
export type ConnectionRequest = Dispatcher.DispatchOptions;

/** What listens to one request: undici's handler, told which connection to give back at the end. */
export interface ConnectionHandler extends Dispatcher.DispatchHandler {
  connection: Client | undefined;
}

/**
 * The connections to one server. Each carries one request at a time; the one used last is taken first, so that those
 * a quieter time does not need fall idle and are closed. An `undici` pool does the same, but searches all its
 * connections for a free one on every request, which at a thousand in flight costs more than the request.
 */
export class Connections {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #all: Client[] = [];
  readonly #idle: Client[] = [];
  #isDestroyed = false;

  /** `timeoutSeconds` is the longest silence of the server, before its answer begins and inside it. */
  constructor(origin: string, timeoutSeconds: number) {
    const milliseconds = timeoutSeconds * 1000;
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
    const client = this.#idle.pop() ?? this.#open();
    handler.connection = client;
    client.dispatch(request, handler);
  }

  /** Takes the connection of a finished request back. One that broke is opened anew by its next request. */
  release(handler: ConnectionHandler): void {
    if (handler.connection !== undefined) this.#idle.push(handler.connection);
    handler.connection = undefined;
  }

  /** Closes all connections; requests in flight fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  #open(): Client {
    const client = new Client(this.#origin, this.#options);
    this.#all.push(client);
    return client;
  }
}
