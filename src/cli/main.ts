#!/usr/bin/env node
import { Console } from "node:console";
import { fileURLToPath } from "node:url";
import { watchForEarlyEnd } from "./early-end.js";
import { runCli } from "./run-cli.js";
import { createSession } from "./session.js";
import { findStrayFault } from "./stray-failure.js";

const end = watchForEarlyEnd(process, (error) => createSession(process).reportFailure(error));
// A reader that goes away early (`turnwise … | head`) is no fault of ours or theirs.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") {
    end();
    process.exit(0);
  }
  throw error;
});
// A terminal that was closed takes no more messages; what is being written is finished all the same.
process.stderr.on("error", () => undefined);
// Standard output is the result, one JSON document with --json: what modules of the user's print goes to standard error.
globalThis.console = new Console(process.stderr, process.stderr);
function reportStray(error: unknown): void {
  end();
  const fault = findStrayFault(error, fileURLToPath(new URL("../", import.meta.url))) ?? error;
  process.exit(createSession(process).reportFailure(fault));
}
process.on("uncaughtException", reportStray);
process.on("unhandledRejection", reportStray);
process.exitCode = await runCli(process.argv.slice(2));
end();
