#!/usr/bin/env node
import { runCli } from "./run-cli.js";

// A reader that goes away early (`turnwise … | head`) is no fault of ours or theirs.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
process.exitCode = await runCli(process.argv.slice(2));
