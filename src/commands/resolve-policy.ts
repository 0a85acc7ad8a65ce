import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createRandom, describeSystemError, inputError, usageError, type Policy } from "../core/index.js";
import { chatPolicyFileSchema, parseSettings, type ChatPolicyFile, type ChatSettings } from "./chat-settings.js";
import { isModulePath, loadExport } from "./load-module.js";
import type { RunEvents } from "./run-events.js";

/** What policies are made from beside their specification. */
export interface PolicyContext {
  readonly chat?: ChatSettings;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly events?: RunEvents;
}

function isPolicy(value: unknown): value is Policy {
  if (typeof value !== "object" || value === null) return false;
  const { id, act } = value as Partial<Policy>; // read as a policy to see whether it is one
  return typeof id === "string" && typeof act === "function";
}

/** A name before `=`: of any letters and with spaces inside, but nothing that begins a path or another specification. */
const labelled = /^([^\s=:#/\\\p{C}](?:[^=:#/\\\p{C}]*[^\s=:#/\\\p{C}])?)=(.+)$/su;

/**
 * Returns `label=specification` in its two parts; the label is absent when none is given.
 *
 * @example
 * splitLabel("after RL=runs/rl"); // { label: "after RL", specification: "runs/rl" }
 */
export function splitLabel(text: string): { readonly label?: string; readonly specification: string } {
  const match = labelled.exec(text);
  return match === null ? { specification: text } : { label: match[1], specification: match[2] };
}

async function createChat(file: ChatPolicyFile, defaultId: string, context: PolicyContext): Promise<Policy> {
  const { createChatClient, systemClock } = await import("../chat/index.js");
  const { createChatPolicy } = await import("../policies/index.js");
  const { baseUrl: _server, apiKeyVariable: _key, ...shared } = context.chat ?? {};
  const { type: _type, id = defaultId, checkpoint, endpoints, ...own } = file;
  const settings = { ...shared, ...own };
  const { maxAttempts, patienceSeconds, ...rest } = settings;
  const { streaming, maxConcurrency, requestsPerMinute, tokensPerMinute, timeoutSeconds, ...more } = rest;
  const { maxTokensField, splitThink, priceTable, ...policyOptions } = more;
  const unpriced = endpoints.find(({ model }) => priceTable !== undefined && priceTable[model] === undefined);
  if (unpriced !== undefined) {
    throw usageError(
      `Cannot price model "${unpriced.model}" of policy "${id}": the price table has ${
        Object.keys(priceTable ?? {})
          .map((model) => `"${model}"`)
          .join(", ") || "no model"
      }`,
      "Add the model to the price file",
    );
  }
  const client = createChatClient({
    endpoints,
    streaming,
    maxConcurrency,
    requestsPerMinute,
    tokensPerMinute,
    timeoutSeconds,
    maxTokensField,
    splitThink,
    priceTable,
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
    ...(patienceSeconds === undefined ? {} : { circuit: { patienceSeconds } }),
    environment: context.environment,
    clock: systemClock,
    random: createRandom("chat jitter", id),
    onEvent(event) {
      const { events } = context;
      if (event.type === "circuit_open") {
        events?.onMessage?.(
          `Paused: ${event.baseUrl} does not answer (${event.errorClass}); next try in ${event.seconds.toFixed(0)} s`,
        );
      } else if (event.type === "circuit_closed") {
        events?.onMessage?.(`Going on: ${event.baseUrl} answers again after ${event.outageSeconds.toFixed(0)} s`);
      }
    },
  });
  return createChatPolicy({ id, client, ...(checkpoint === undefined ? {} : { checkpoint }), ...policyOptions });
}

function readPolicyFile(path: string): ChatPolicyFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw inputError(`Cannot read policy file "${path}": ${describeSystemError(error)}`, undefined, error);
  }
  return parseSettings(chatPolicyFileSchema, value, `policy file "${path}"`);
}

/** Returns the policy file that `chat:MODEL` stands for. */
function describeChat(model: string, { chat, environment }: PolicyContext): ChatPolicyFile {
  const baseUrl = chat?.baseUrl ?? environment["OPENAI_BASE_URL"];
  if (baseUrl === undefined || baseUrl === "") {
    throw usageError(
      `Cannot ask model "${model}": no server is named`,
      "Pass --base-url http://localhost:8000/v1, or set OPENAI_BASE_URL",
    );
  }
  const apiKeyVariable = chat?.apiKeyVariable ?? (environment["OPENAI_API_KEY"] ? "OPENAI_API_KEY" : undefined);
  return { type: "chat", endpoints: [{ baseUrl, model, ...(apiKeyVariable === undefined ? {} : { apiKeyVariable }) }] };
}

/**
 * Returns the policy that a specification names: `scripted:NAME`, `trained:CHECKPOINT`, `chat:MODEL`, a module of the user's (`./agent.js`,
 * exporting `policy`, `createPolicy` or `default`) or a chat policy file (`./policy.json`). `label=` before it sets
 * the policy's id.
 *
 * @throws {TurnwiseError} (usage) for what names no policy; (input) for files that cannot be used.
 */
export async function resolvePolicy(text: string, context: PolicyContext): Promise<Policy> {
  const { label, specification } = splitLabel(text);
  const rename = (policy: Policy): Policy => (label === undefined ? policy : renamePolicy(policy, label));
  if (isModulePath(specification)) {
    const value = await loadExport(specification, ["policy", "createPolicy", "default"], "a policy");
    if (isPolicy(value)) return rename(value);
    throw inputError(
      `Cannot load a policy from "${specification}": what it exports has no id and act()`,
      `Check it with: turnwise doctor --policy ${specification}`,
    );
  }
  if (specification.endsWith(".json")) {
    return createChat(readPolicyFile(specification), label ?? basename(specification, ".json"), context);
  }
  const [kind, name] = [
    specification.slice(0, specification.indexOf(":")),
    specification.slice(specification.indexOf(":") + 1),
  ];
  if (kind === "chat" && name !== "") return createChat(describeChat(name, context), label ?? name, context);
  if (kind === "scripted") {
    const { createScriptedPreset, scriptedPresetNames } = await import("../policies/index.js");
    const preset = scriptedPresetNames.find((candidate) => candidate === name);
    if (preset !== undefined) return rename(createScriptedPreset(preset));
    throw usageError(`Cannot find scripted policy "${name}"`, `Choose one of ${scriptedPresetNames.join(", ")}`);
  }
  if (kind === "trained" && name !== "") {
    const { loadTrainedPolicy } = await import("./trained-policy.js");
    return loadTrainedPolicy(name, label);
  }
  throw usageError(
    `Cannot find policy "${specification}"`,
    "Write scripted:NAME, trained:CHECKPOINT, chat:MODEL, a module file such as ./agent.js, or a policy file such as ./policy.json",
  );
}

/** Returns a policy that acts like `policy` under another id. */
function renamePolicy(policy: Policy, id: string): Policy {
  const { checkpoint, config, needsOracle } = policy;
  return {
    id,
    config,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(needsOracle === undefined ? {} : { needsOracle }),
    act: (request) => policy.act(request),
    ...(policy.actBatch === undefined ? {} : { actBatch: policy.actBatch.bind(policy) }),
    ...(policy.findMismatch === undefined ? {} : { findMismatch: policy.findMismatch.bind(policy) }),
    close: () => policy.close?.(),
  };
}

/**
 * Returns the policies of several specifications; one that is a policy already stands for itself.
 *
 * @throws {TurnwiseError} (usage) when two have the same id, as their episodes could not be told apart.
 */
export async function resolvePolicies(named: readonly (string | Policy)[], context: PolicyContext): Promise<Policy[]> {
  if (named.length === 0) throw usageError("Cannot play without a policy", "Name at least one with --policy");
  const policies: Policy[] = [];
  for (const each of named) {
    const policy = typeof each === "string" ? await resolvePolicy(each, context) : each;
    if (policies.some((other) => other.id === policy.id)) {
      throw usageError(
        `Cannot play two policies with the same id "${policy.id}"`,
        "Give one of them another name: --policy NAME=...",
      );
    }
    policies.push(policy);
  }
  return policies;
}
