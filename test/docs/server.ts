import { createPlayer } from "../mock-server/player.js";
import { startMockServer } from "../mock-server/server.js";

/** The server behind $OPENAI_BASE_URL while documents run. */
export interface DocsServer {
  /** What the commands of a document find in their environment. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a server that plays any env with legal actions, the same ones for the same request. */
export async function startDocsServer(): Promise<DocsServer> {
  const server = await startMockServer({ script: createPlayer("random", 1), models: ["my-model"], recording: false });
  return { env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "none" }, close: () => server.close() };
}
