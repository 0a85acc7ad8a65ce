import type { Command } from "@commander-js/extra-typings";
import type { CliSession } from "../session.js";

/** Adds `turnwise demo`. */
export function addDemo(program: Command, session: CliSession): void {
  program
    .command("demo")
    .description("offline tour: known agents in the built-in envs and a real base and RL checkpoint, as reports")
    .option("-o, --output <folder>", "folder to write", "turnwise-demo")
    .option("--json", "print one JSON document")
    .action(async (flags) => {
      const { runDemo } = await import("../../commands/index.js");
      const display = session.createProgress();
      const result = await runDemo({ output: flags.output, events: display, stop: session.listenForStop(display) });
      display.finish();
      if (flags.json === true) {
        session.printJson(result);
        return;
      }
      session.print("");
      for (const { title, finding, causes, page } of result.reports)
        session.print(`${[title, finding, ...causes, page].join("\n  ")}\n`);
      session.print(`Open     ${result.indexPath}`);
      session.print("Next     turnwise eval budget --env vault --policy scripted:optimal --policy scripted:noisy");
    });
}
