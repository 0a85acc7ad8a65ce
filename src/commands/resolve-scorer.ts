import {
  createRandom,
  errorMessage,
  freezeDeep,
  inputError,
  PolicyError,
  usageError,
  type TextScorer,
  type Trajectory,
} from "../core/index.js";
import {
  createStoredScorer,
  createTurnScorer,
  type RenderedTurn,
  type RenderTurn,
  type TurnScorer,
} from "../diagnose/index.js";
import type { ChatSettings } from "./chat-settings.js";
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

/** Runs the user's rendering of one turn; what it throws, or gives that is no rendering, is an error of its file. */
async function callRendering(
  path: string,
  { episodeId, turns }: Trajectory,
  turnIndex: number,
  call: () => RenderedTurn | Promise<RenderedTurn>,
): Promise<RenderedTurn> {
  const attempt = `Cannot use the rendering of "${path}": for turn ${turnIndex + 1} of ${turns.length} in episode "${episodeId}"`;
  const remedy = "Return { prompt, continuation } with two texts, or undefined where the turn cannot be rendered";
  let rendered: unknown;
  try {
    rendered = await call();
  } catch (error) {
    throw inputError(`${attempt} it failed: ${errorMessage(error)}`, remedy, error);
  }
  if (rendered === undefined || rendered === null) return undefined;
  const { prompt, continuation } = rendered as { readonly prompt?: unknown; readonly continuation?: unknown }; // any value but these two has fields
  if (typeof prompt === "string" && typeof continuation === "string") return { prompt, continuation };
  throw inputError(`${attempt} it gave no prompt and continuation that are texts`, remedy);
}

/** What to do about a server that failed for good, by the class of its failure. */
function findServerRemedy(errorClass: string, chat: ChatSettings | undefined): string {
  const check = `turnwise doctor --base-url ${chat?.baseUrl ?? "URL"}`;
  if (errorClass === "authentication")
    return `Set the key that the server wants, then run the same command again; check with: ${check}`;
  return `See that the server runs and serves the model, then run the same command again; check with: ${check}`;
}

/** Returns a scorer whose server's failures say what to do: they are faults of the server, not of turnwise. */
function explainFailures(scorer: TurnScorer, chat: ChatSettings | undefined): TurnScorer {
  return {
    ...scorer,
    async scoreTurns(episodes, settings) {
      try {
        return await scorer.scoreTurns(episodes, settings);
      } catch (error) {
        if (!(error instanceof PolicyError) || settings?.signal?.aborted === true) throw error;
        throw inputError(
          `Cannot score turns under "${scorer.id}": the server failed (${error.errorClass}): ${error.message}`,
          findServerRemedy(error.errorClass, chat),
          error,
        );
      }
    },
  };
}

/** Releases a scorer; one of the user's that fails in this has done its work all the same. */
async function closeQuietly(
  { close }: { close?(): void | Promise<void> },
  context: PolicyContext,
  name: string,
): Promise<void> {
  try {
    await close?.();
  } catch (error) {
    context.events?.onMessage?.(`Closing ${name} failed: ${errorMessage(error)}`);
  }
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
      return (trajectory, turnIndex) =>
        callRendering(path, trajectory, turnIndex, () => render.call(value, freezeDeep(trajectory), turnIndex));
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
  const own = found;
  const isModule = isModulePath(specification);
  const scorer = createTurnScorer(own, {
    ...(render === undefined ? {} : { render }),
    ...(isModule ? { source: specification } : {}),
  });
  return {
    scorer: { ...explainFailures(scorer, context.chat), id: label ?? scorer.id },
    close: () => closeQuietly({ close: () => own.close?.() }, context, `scorer "${label ?? scorer.id}"`),
  };
}
