import { createRandom, inputError, usageError, type TextScorer, type Trajectory } from "../core/index.js";
import { createStoredScorer, createTurnScorer, type RenderTurn, type TurnScorer } from "../diagnose/index.js";
import { isModulePath, loadExport } from "./load-module.js";
import { splitLabel, type PolicyContext } from "./resolve-policy.js";

/** A scorer of turns and how to release it. */
export interface ResolvedScorer {
  readonly scorer: TurnScorer;
  close(): Promise<void>;
}

function isTextScorer(value: unknown): value is TextScorer {
  if (typeof value !== "object" || value === null) return false;
  const { id, score } = value as Partial<TextScorer>; // read as a scorer to see whether it is one
  return typeof id === "string" && typeof score === "function";
}

async function createChatScorer(
  model: string,
  id: string,
  { chat = {}, environment }: PolicyContext,
): Promise<TextScorer> {
  const { createCompletionsScorer, systemClock } = await import("../chat/index.js");
  const { baseUrl = environment["OPENAI_BASE_URL"], extraBody, maxConcurrency, timeoutSeconds, maxAttempts } = chat;
  if (baseUrl === undefined || baseUrl === "") {
    throw usageError(
      `Cannot score with model "${model}": no server is named`,
      "Pass --base-url http://localhost:8000/v1, or set OPENAI_BASE_URL",
    );
  }
  const apiKeyVariable = chat.apiKeyVariable ?? (environment["OPENAI_API_KEY"] ? "OPENAI_API_KEY" : undefined);
  return createCompletionsScorer({
    id,
    endpoint: { baseUrl, model, ...(apiKeyVariable === undefined ? {} : { apiKeyVariable }) },
    environment,
    clock: systemClock,
    random: createRandom("scorer jitter", id),
    ...(extraBody === undefined ? {} : { extraBody }),
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
  });
}

/**
 * Returns the rendering that a module of the user's exports as `rendering`, an object with
 * `render(trajectory, turnIndex)` that returns the exact prompt and continuation of a turn, or `undefined`.
 *
 * @throws {TurnwiseError} (input) when the module cannot be used.
 */
export async function loadRendering(path: string): Promise<RenderTurn> {
  const value = await loadExport(path, ["rendering", "default"], "a rendering");
  if (typeof value === "object" && value !== null) {
    const { render } = value as { readonly render?: RenderTurn }; // read as a rendering to see whether it is one
    if (typeof render === "function")
      return (trajectory: Trajectory, turnIndex: number) => render(trajectory, turnIndex);
  }
  throw inputError(`Cannot load a rendering from "${path}": what it exports has no render(trajectory, turnIndex)`);
}

/**
 * Returns the scorer that a specification names: `stored` (the log-probs recorded when the turns were sampled),
 * `chat:MODEL` (a completions endpoint that gives log-probs of given text) or a module (`./scorer.js`, exporting `scorer`
 * or `createScorer`, an object with `id` and `score(requests)`). `NAME=` before it sets its name.
 *
 * @throws {TurnwiseError} (usage) for what names no scorer; (input) for files that cannot be used.
 */
export async function resolveScorer(
  text: string,
  context: PolicyContext,
  render?: RenderTurn,
): Promise<ResolvedScorer> {
  const { label, specification } = splitLabel(text);
  if (specification === "stored") return { scorer: createStoredScorer(label), close: async () => {} };
  let found: TextScorer | undefined;
  if (isModulePath(specification)) {
    const value = await loadExport(specification, ["scorer", "createScorer", "default"], "a scorer");
    if (!isTextScorer(value))
      throw inputError(`Cannot load a scorer from "${specification}": what it exports has no id and score()`);
    found = value;
  } else if (specification.startsWith("chat:") && specification.length > 5) {
    const model = specification.slice(5);
    found = await createChatScorer(model, label ?? model, context);
  }
  if (found === undefined) {
    throw usageError(
      `Cannot find scorer "${specification}"`,
      "Write stored, chat:MODEL, or a module file such as ./scorer.js",
    );
  }
  const scorer = createTurnScorer(found, render === undefined ? {} : { render });
  return {
    scorer: { ...scorer, id: label ?? scorer.id },
    async close() {
      await found.close?.();
    },
  };
}
