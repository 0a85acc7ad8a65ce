import {
  createChatClient,
  type ChatClient,
  type ChatClientOptions,
  type ChatEvent,
  type ChatRequest,
} from "../../src/chat/index.js";
import { createRandom, PolicyError } from "../../src/core/index.js";
import { createInstantClock } from "./manual-clock.js";
import { textReply, type Reply } from "./reply.js";
import { startMockServer, type MockCall, type MockServer } from "./server.js";

/** The shortest request. */
export const hello: ChatRequest = { messages: [{ role: "user", content: "hello there" }] };

/** A client with the events it told. */
export interface Connected {
  readonly client: ChatClient;
  readonly events: ChatEvent[];
}

/** Starts mock servers and clients for tests, and closes what is still open. */
export interface MockKit {
  serve(
    script: (call: MockCall) => Reply | Promise<Reply>,
    options?: { readonly apiKey?: string },
  ): Promise<MockServer>;
  /** Serves these replies in order, then the text "ok". */
  serveReplies(...replies: readonly Reply[]): Promise<MockServer>;
  /** Returns a client on these servers whose waits take no time, unless options say otherwise. */
  connect(servers: readonly MockServer[], options?: Partial<ChatClientOptions>): Connected;
  closeAll(): Promise<void>;
}

/** Returns an empty kit. Call `closeAll` after each test. */
export function createMockKit(): MockKit {
  const opened: { close(): Promise<void> }[] = [];
  async function serve(
    script: (call: MockCall) => Reply | Promise<Reply>,
    options: { readonly apiKey?: string } = {},
  ): Promise<MockServer> {
    const server = await startMockServer({ script, ...options });
    opened.push(server);
    return server;
  }
  return {
    serve,
    serveReplies: (...replies) => serve(({ index }) => replies[index] ?? textReply("ok")),
    connect(servers, options = {}) {
      const events: ChatEvent[] = [];
      const client = createChatClient({
        endpoints: servers.map(({ url }) => ({ baseUrl: url, model: "mock" })),
        environment: {},
        clock: createInstantClock(),
        random: createRandom("chat test"),
        onEvent: (event) => events.push(event),
        ...options,
      });
      opened.push(client);
      return { client, events };
    },
    async closeAll() {
      for (const { close } of opened.splice(0).reverse()) await close();
    },
  };
}

/** Returns the policy error that a promise rejects with; throws when it does not, or with another error. */
export async function catchPolicyError(promise: Promise<unknown>): Promise<PolicyError> {
  const error: unknown = await promise.then(
    () => new Error("The call was expected to fail and did not"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PolicyError)) throw error;
  return error;
}
