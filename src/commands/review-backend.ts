import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { createChatClient, systemClock, type ChatClient } from "../chat/index.js";
import { createRandom, errorMessage, inputError, usageError } from "../core/index.js";
import {
  createCommandBackend,
  createHttpBackend,
  createHumanBackend,
  createNoneBackend,
  createReplayBackend,
  findModelFamily,
  reviewPasses,
  type PublishPaths,
  type RecordedResponse,
  type ReviewBackend,
  type ReviewBackendKind,
  type ReviewIdentity,
} from "../publish/index.js";

/** Where reviewers come from. */
export interface ReviewBackendOptions {
  /** Default `none`. */
  readonly backend?: ReviewBackendKind;
  /** Program and arguments of backend `command`, as one line; quotes hold blanks together. */
  readonly command?: string;
  /** Model of backend `http`, or behind the program of backend `command`. */
  readonly model?: string;
  /** Default: the variable `OPENAI_BASE_URL`. */
  readonly baseUrl?: string;
  /** Default `OPENAI_API_KEY` where it is set. */
  readonly apiKeyVariable?: string;
  readonly maxTokens?: number;
  readonly reviewerId?: string;
  readonly reviewerFamily?: string;
  readonly reasoning?: string;
  /** File of recorded responses of backend `replay`: a list, or one response a line. */
  readonly replay?: string;
  /** Longest time of one answer. Default 900. */
  readonly timeoutSeconds?: number;
  readonly environment?: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal;
}

/**
 * Returns a command line as program and arguments; quotes hold blanks together, and there is no shell.
 *
 * @throws {TurnwiseError} (usage) for an empty line or an open quote.
 */
export function splitCommandLine(line: string): [string, ...string[]] {
  const parts = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double?.replace(/\\(["\\])/g, "$1") ?? single ?? bare,
  );
  const [program, ...parameters] = parts;
  if (program === undefined || parts.some((part) => /^["']/.test(part)))
    throw usageError(
      `Cannot run "${line}": it names no program, or a quote is left open`,
      'Write it as "program argument argument"',
    );
  return [program, ...parameters];
}

/**
 * Returns a program and its arguments with the files among them named in full, since the program runs in an empty
 * folder of its own.
 */
export function locateProgram(parts: readonly [string, ...string[]]): [string, ...string[]] {
  const locate = (part: string): string => (existsSync(part) && statSync(part).isFile() ? resolve(part) : part);
  const [program, ...parameters] = parts;
  // A bare name is looked for among the programs of the system.
  return [/[\\/]/.test(program) ? locate(program) : program, ...parameters.map(locate)];
}

function createSessionId(): string {
  return `rs-${randomUUID()}`;
}

/** Returns who stands behind a backend, with the family told from the name of the model where it is not given. */
export function describeReviewer(
  { reviewerId, reviewerFamily, model, reasoning }: ReviewBackendOptions,
  fallback: string,
): ReviewIdentity {
  const family = reviewerFamily ?? findModelFamily(model ?? reviewerId ?? "");
  return {
    id: reviewerId ?? model ?? fallback,
    ...(family === undefined ? {} : { family }),
    ...(model === undefined ? {} : { model }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

const recordSchema = z.looseObject({
  pass: z.enum(reviewPasses as [RecordedResponse["pass"] & string]).optional(), // the list is not empty
  response: z.unknown().optional(),
  session_id: z.string().optional(),
});
const replaySchema = z.union([
  z.array(recordSchema),
  z.looseObject({
    reviewer: z.looseObject({ id: z.string(), family: z.string().optional() }).optional(),
    responses: z.array(recordSchema),
  }),
]);

/** A bare response is a record of its own pass. */
function toRecord(record: z.infer<typeof recordSchema>): RecordedResponse {
  if ("response" in record) return { pass: record.pass, response: record.response, session_id: record.session_id };
  return { pass: record.pass, response: record };
}

async function openReplay(options: ReviewBackendOptions): Promise<ReviewBackend> {
  const { replay } = options;
  if (replay === undefined) throw usageError("Cannot replay a review without its record", "Name it: --replay FILE");
  let value: unknown;
  try {
    value = JSON.parse(await readFile(replay, "utf8"));
  } catch (error) {
    throw inputError(`Cannot read recorded responses "${replay}": ${errorMessage(error)}`, undefined, error);
  }
  const parsed = replaySchema.safeParse(value);
  if (!parsed.success) throw inputError(`Cannot use recorded responses "${replay}":\n${z.prettifyError(parsed.error)}`);
  const isList = Array.isArray(parsed.data);
  const records = Array.isArray(parsed.data) ? parsed.data : parsed.data.responses;
  const recorded = isList || Array.isArray(parsed.data) ? undefined : parsed.data.reviewer;
  const reviewer =
    recorded === undefined || options.reviewerId !== undefined
      ? describeReviewer(options, "replay")
      : { id: recorded.id, family: recorded.family };
  return createReplayBackend(records.map(toRecord), { reviewer, createSessionId });
}

/**
 * Returns the client of the endpoint that the options describe.
 *
 * @throws {TurnwiseError} (usage) without a model or an address; `what` says what was to be asked for.
 */
export function createReviewChatClient(options: Omit<ReviewBackendOptions, "backend">, what: string): ChatClient {
  const { model, environment = {}, timeoutSeconds = 900 } = options;
  const baseUrl = options.baseUrl ?? environment["OPENAI_BASE_URL"];
  if (model === undefined || baseUrl === undefined)
    throw usageError(
      `Cannot ask an endpoint for ${what} without its ${model === undefined ? "model" : "address"}`,
      "Give --model and --base-url, or set OPENAI_BASE_URL",
    );
  const apiKeyVariable =
    options.apiKeyVariable ?? (environment["OPENAI_API_KEY"] === undefined ? undefined : "OPENAI_API_KEY");
  return createChatClient({
    endpoints: [{ baseUrl, model, ...(apiKeyVariable === undefined ? {} : { apiKeyVariable }) }],
    timeoutSeconds,
    retry: { maxAttempts: 3 },
    circuit: { patienceSeconds: 30 },
    environment,
    clock: systemClock,
    random: createRandom("review"), // spreads retries; has no influence on answers
  });
}

function openHttp(options: ReviewBackendOptions): ReviewBackend {
  const { model = "", timeoutSeconds = 900, maxTokens, signal } = options;
  return createHttpBackend({
    client: createReviewChatClient(options, "a review"),
    reviewer: describeReviewer(options, model),
    createSessionId,
    maxTokens,
    timeoutSeconds,
    signal,
  });
}

/**
 * Returns the backend that the options describe.
 *
 * @throws {TurnwiseError} (usage) when something it needs is not given; (input) for a record that cannot be read.
 */
export async function openReviewBackend(options: ReviewBackendOptions, paths: PublishPaths): Promise<ReviewBackend> {
  const { backend = "none", command, environment = {}, timeoutSeconds, signal } = options;
  switch (backend) {
    case "command": {
      if (command === undefined)
        throw usageError("Cannot run a reviewer without its program", 'Name it: --command "program argument"');
      const parts = splitCommandLine(command);
      const name = parts[0].split(/[\\/]/).at(-1) ?? parts[0];
      return createCommandBackend({
        command: locateProgram(parts),
        reviewer: describeReviewer(options, name),
        createSessionId,
        environment,
        timeoutSeconds,
        signal,
      });
    }
    case "http":
      return openHttp(options);
    case "human":
      return createHumanBackend({ getFormPath: (pass) => join(paths.forms, `${pass}.yaml`), createSessionId });
    case "replay":
      return openReplay(options);
    case "none":
      return createNoneBackend();
    default:
      return backend satisfies never;
  }
}

/** Moves forms that were read out of the way, so that the next round gets new ones. */
export async function archiveForms(
  paths: PublishPaths,
  passes: readonly { readonly pass: string; readonly session_id?: string; readonly verdict: string }[],
): Promise<void> {
  for (const { pass, session_id, verdict } of passes) {
    const form = join(paths.forms, `${pass}.yaml`);
    const isRead = verdict !== "ERROR" && verdict !== "REVIEW_UNAVAILABLE" && session_id !== undefined;
    if (isRead && existsSync(form)) await rename(form, join(paths.forms, `${pass}.${session_id}.done.yaml`));
  }
}
