import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage, inputError } from "../../core/index.js";
import type { ChatClient } from "../../chat/index.js";
import { ReviewerFault } from "../review/backend.js";
import { runProgram, type ProgramLimits } from "../review/backends/run-program.js";
import type { ReviewIdentity } from "../review/identity.js";
import { renderDraftRequest, type DraftRequest } from "./draft-request.js";

/** Who can be asked for a draft. */
export interface DraftAuthor {
  readonly kind: "command" | "http";
  readonly identity: ReviewIdentity;
  /**
   * Returns what the author wrote.
   *
   * @throws {TurnwiseError} (input) when there is no answer: it does not start, fails, hangs, or is cut.
   */
  write(request: DraftRequest): Promise<string>;
}

function toInputError(error: unknown, who: string): Error {
  return inputError(`Cannot get a draft from ${who}: ${errorMessage(error)}`, "Mend the backend, and ask again", error);
}

/** Returns the author behind a program: it gets the request as JSON on standard input and prints Markdown. */
export function createCommandAuthor(options: ProgramLimits & { readonly identity: ReviewIdentity }): DraftAuthor {
  const { identity, ...limits } = options;
  return {
    kind: "command",
    identity,
    async write(request) {
      const folder = await mkdtemp(join(tmpdir(), "turnwise-draft-"));
      try {
        return await runProgram(renderDraftRequest(request), folder, "draft", { ...limits, who: "author" });
      } catch (error) {
        if (!(error instanceof ReviewerFault)) throw error;
        throw toInputError(error, `the program "${limits.command[0]}"`);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** How a chat endpoint is asked for a draft. */
export interface HttpAuthorOptions {
  readonly client: ChatClient;
  readonly identity: ReviewIdentity;
  readonly maxTokens?: number;
  /** Default 900. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

/** Returns the author behind an OpenAI-compatible server. */
export function createHttpAuthor(options: HttpAuthorOptions): DraftAuthor {
  const { client, identity, maxTokens, timeoutSeconds = 900, signal } = options;
  return {
    kind: "http",
    identity,
    async write(request) {
      const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
      const messages = [
        {
          role: "system" as const,
          content: "You write documents. The user message is a request in JSON: do what its task says.",
        },
        { role: "user" as const, content: renderDraftRequest(request) },
      ];
      const answer = await client
        .complete(
          { messages, maxTokens },
          { signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]) },
        )
        .catch((error: unknown) => {
          throw toInputError(error, `the model "${identity.id}"`);
        });
      if (answer.finishReason === "length")
        throw inputError(
          `Cannot use the draft of the model "${identity.id}": it was cut at the token limit`,
          "Raise --max-tokens",
        );
      return answer.message.content;
    },
  };
}
