import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderRepairRequest, type ReviewBackend, type ReviewSession } from "../backend.js";
import type { ReviewIdentity } from "../identity.js";
import { runProgram, type ProgramLimits } from "./run-program.js";

/** How a program is run as a reviewer. */
export interface CommandBackendOptions extends ProgramLimits {
  readonly reviewer: ReviewIdentity;
  readonly createSessionId: () => string;
}

/**
 * Returns the backend that runs a program for each session. It gets the packet as JSON on standard input and prints a
 * response. When the form is wrong it is run once more with the conversation so far as JSON
 * (`{ schema: "review-conversation/1", session_id, messages: [{ role, content }] }`), whose last message carries the
 * validator's words. Each session has an empty working folder of its own, kept for the repair and then removed.
 */
export function createCommandBackend(options: CommandBackendOptions): ReviewBackend {
  const { command, reviewer, createSessionId, timeoutSeconds = 900 } = options;
  return {
    kind: "command",
    settings: { program: command[0].split(/[\\/]/).at(-1), parameters: command.length - 1, timeoutSeconds },
    canRepair: true,
    async openSession(): Promise<ReviewSession> {
      const id = createSessionId();
      const folder = await mkdtemp(join(tmpdir(), "turnwise-review-"));
      const messages: { role: "user" | "assistant"; content: string }[] = [];
      return {
        id,
        getIdentity: () => reviewer,
        async review(_packet, packetText) {
          const text = await runProgram(packetText, folder, id, options);
          messages.push({ role: "user", content: packetText }, { role: "assistant", content: text });
          return { text };
        },
        async repair(problems) {
          messages.push({ role: "user", content: renderRepairRequest(problems) });
          const conversation = JSON.stringify({ schema: "review-conversation/1", session_id: id, messages });
          return { text: await runProgram(conversation, folder, id, options) };
        },
        close: () => rm(folder, { recursive: true, force: true }),
      };
    },
  };
}
