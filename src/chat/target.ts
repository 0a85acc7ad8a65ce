// internal
import { usageError } from "../core/index.js";
import { parseBaseUrl, type BaseUrl } from "./base-url.js";
import type { ChatEndpoint } from "./settings.js";

/** An endpoint made ready for requests. The key is only in `headers` and `redact`, never in text. */
export interface Target {
  readonly baseUrl: BaseUrl;
  readonly model: string;
  /** Path of chat completions, with the base URL's query. */
  readonly chatPath: string;
  readonly headers: { readonly [name: string]: string };
  /** Returns `text` with this endpoint's key, and what looks like a key, blotted out. */
  redact(text: string): string;
}

function createRedactor(key: string | undefined): (text: string) => string {
  return (text) => {
    const withoutKey = key === undefined || key === "" ? text : text.replaceAll(key, "[redacted]");
    // Servers echo keys shortened ("sk-ab***yz") or as they stood in a header.
    return withoutKey.replace(/\bsk-[\w*-]{4,}/g, "[redacted]").replace(/\bBearer\s+[^\s"']+/gi, "Bearer [redacted]");
  };
}

/**
 * Returns the endpoint with its URL parsed and its key looked up.
 *
 * @throws a usage error when the named variable is not set or the model is empty.
 */
export function createTarget(
  endpoint: ChatEndpoint,
  environment: { readonly [name: string]: string | undefined },
): Target {
  const { model, apiKeyVariable, apiKeyHeader, headers = {} } = endpoint;
  const baseUrl = parseBaseUrl(endpoint.baseUrl);
  if (model === "") throw usageError(`Cannot use "${baseUrl.text}": no model is named`);
  const key = apiKeyVariable === undefined ? undefined : environment[apiKeyVariable]?.trim();
  if (apiKeyVariable !== undefined && (key === undefined || key === "")) {
    throw usageError(
      `Cannot use "${baseUrl.text}": the environment variable "${apiKeyVariable}" for its API key is not set`,
      `Set "${apiKeyVariable}", or name another variable`,
    );
  }
  const credentials: { [name: string]: string } = {};
  if (key !== undefined)
    credentials[apiKeyHeader ?? "authorization"] = apiKeyHeader === undefined ? `Bearer ${key}` : key;
  return {
    baseUrl,
    model,
    chatPath: `${baseUrl.path}/chat/completions${baseUrl.search}`,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
      ...credentials,
    },
    redact: createRedactor(key),
  };
}
