/** The server behind $OPENAI_BASE_URL while documents run. */
export interface DocsServer {
  /** What the commands of a document find in their environment. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a server that plays well enough for every command of the guides. */
export async function startDocsServer(): Promise<DocsServer> {
  throw new Error("no mock server yet");
}
