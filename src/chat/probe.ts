import { createRandom, errorMessage, PolicyError } from "../core/index.js";
import { createChatClient, type ChatClient } from "./client.js";
import { systemClock } from "./clock.js";
import type { EndpointCheck } from "./endpoint-check.js";
import { listModels } from "./list-models.js";
import { checkLogProbs, checkSeed, checkStreaming, checkTokenIds, checkTools, checkUsage } from "./probe-checks.js";
import type { ChatClientOptions, ChatEndpoint } from "./settings.js";
import { createTarget } from "./target.js";
import { createAgent } from "./transport.js";

/** What was found out about an endpoint. */
export interface EndpointProbe {
  readonly baseUrl: string;
  /** The model that was tried, when there was one. */
  readonly model?: string;
  /** Models that the server lists. */
  readonly models: readonly string[];
  readonly checks: readonly EndpointCheck[];
}

/** What to probe, and how long to wait. */
export interface EndpointProbeOptions extends Pick<
  ChatEndpoint,
  "baseUrl" | "apiKeyVariable" | "apiKeyHeader" | "headers"
> {
  /** Default: the first model that the server lists. */
  readonly model?: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Longest wait for one answer. Default 60. */
  readonly timeoutSeconds?: number;
}

type Connect = (more?: Partial<ChatClientOptions>) => ChatClient;

/** Tries the plain chat; returns the client settings under which it works. */
async function checkChat(
  connect: Connect,
): Promise<{ readonly check: EndpointCheck; readonly settings?: Partial<ChatClientOptions> }> {
  const client = connect();
  const request = {
    messages: [{ role: "user", content: "Reply with the single word: ready" }],
    maxTokens: 64,
  } as const;
  const startedAt = systemClock.now();
  try {
    const { message, finishReason } = await client.complete(request);
    const seconds = (systemClock.now() - startedAt).toFixed(2);
    const said = JSON.stringify((message.content || message.reasoning || "").slice(0, 60));
    return {
      check: {
        name: "chat",
        status: "ok",
        found: `answered ${said} in ${seconds} s (${finishReason ?? "no finish reason"})`,
      },
      settings: {},
    };
  } catch (error) {
    const message = errorMessage(error);
    if (!(error instanceof PolicyError) || !/max_completion_tokens/.test(message)) {
      return {
        check: {
          name: "chat",
          status: "missing",
          found: message,
          remedy: "Check the model name, the key and the base URL",
        },
      };
    }
    const settings = { maxTokensField: "max_completion_tokens" } as const;
    const retried = connect(settings);
    try {
      await retried.complete(request);
      const found = 'works, but reads the token limit only as "max_completion_tokens"';
      return {
        check: { name: "chat", status: "note", found, remedy: 'Set "maxTokensField" to "max_completion_tokens"' },
        settings,
      };
    } catch (secondError) {
      return { check: { name: "chat", status: "missing", found: errorMessage(secondError) } };
    } finally {
      await retried.close();
    }
  } finally {
    await client.close();
  }
}

/** Returns what the list of models says: whether the server answers, which models it has, and which one to try. */
async function checkModels(
  options: EndpointProbeOptions,
): Promise<{ readonly checks: EndpointCheck[]; readonly models: readonly string[]; readonly model?: string }> {
  const { timeoutSeconds = 60, environment, model } = options;
  const target = createTarget({ ...options, model: model ?? "none" }, environment);
  const agent = createAgent(1, timeoutSeconds);
  const listed = await listModels(agent, target);
  await agent.destroy();
  if ("errorClass" in listed) {
    const { errorClass, message } = listed;
    const isThere = errorClass === "not_found" || errorClass === "bad_request" || errorClass === "bad_response";
    if (!isThere) return { checks: [{ name: "reachable", status: "missing", found: message }], models: [] };
    const remedy = 'Name the model to try, and check that the base URL is the one that ends in "/v1"';
    const reachable: EndpointCheck = { name: "reachable", status: "ok", found: "a server answers" };
    const check: EndpointCheck = {
      name: "models",
      status: model === undefined ? "missing" : "note",
      found: `no list of models: ${message}`,
      remedy,
    };
    return { checks: [reachable, check], models: [], model };
  }
  const reachable: EndpointCheck = { name: "reachable", status: "ok", found: `${target.baseUrl.text} answers` };
  const names =
    listed
      .slice(0, 10)
      .map((name) => `"${name}"`)
      .join(", ") + (listed.length > 10 ? `, and ${listed.length - 10} more` : "");
  const chosen = model ?? listed[0];
  if (chosen === undefined)
    return { checks: [reachable, { name: "models", status: "missing", found: "the list is empty" }], models: [] };
  const isListed = listed.includes(chosen);
  const check: EndpointCheck = isListed
    ? { name: "models", status: "ok", found: `${names}; trying "${chosen}"` }
    : {
        name: "models",
        status: "note",
        found: `"${chosen}" is not listed; the list has ${names}`,
        remedy: "Check the model name if the chat fails",
      };
  return { checks: [reachable, check], models: listed, model: chosen };
}

/**
 * Finds out what an endpoint is good for, with about eight short requests: whether it can be reached, its models,
 * whether chat works, token counts, tools, log-probabilities, token ids, seeds and streaming. What fails is
 * reported, not thrown; later checks are left out when an earlier one makes them pointless.
 *
 * @throws a usage error for a bad base URL or a missing key variable.
 */
export async function probeEndpoint(options: EndpointProbeOptions): Promise<EndpointProbe> {
  const { baseUrl, apiKeyVariable, apiKeyHeader, headers, environment, timeoutSeconds = 60 } = options;
  const { checks, models, model } = await checkModels(options);
  if (model === undefined) return { baseUrl, models, checks };
  const connect: Connect = (more = {}) =>
    createChatClient({
      endpoints: [{ baseUrl, model, apiKeyVariable, apiKeyHeader, headers }],
      environment,
      timeoutSeconds,
      retry: { maxAttempts: 2 },
      clock: systemClock,
      random: createRandom("endpoint probe"),
      ...more,
    });
  const { check, settings } = await checkChat(connect);
  checks.push(check);
  if (settings === undefined) return { baseUrl, model, models, checks };
  const client = connect(settings);
  const streamingClient = connect({ ...settings, streaming: true });
  try {
    for (const run of [checkUsage, checkTools, checkLogProbs, checkTokenIds, checkSeed]) checks.push(await run(client));
    checks.push(await checkStreaming(streamingClient));
  } finally {
    await client.close();
    await streamingClient.close();
  }
  return { baseUrl, model, models, checks };
}
