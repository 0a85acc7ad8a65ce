import type { Command } from "@commander-js/extra-typings";
import { parsePositive } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

const examples = `
A fence says how it is treated: exec=run, exec=parse (the usual way) or exec=skip why="...". With continues it sees what
the block before it defined; expect="..." states what it prints, or its last value. TypeScript and JavaScript run in a
sandbox without files, network and modules. Python runs by an interpreter of this machine, which is asked to refuse
network, processes and writing: do not run documents of people you do not trust.
Exit code 1 when a block fails or cannot be run.

Examples:
  turnwise publish code guide.md
  turnwise publish code guide.md --python none --seconds 5`;

/** Adds `turnwise publish code`. */
export function addCodeCommand(publish: Command, session: CliSession): void {
  const code = publish
    .command("code")
    .description("parse the code blocks of documents and run those marked exec=run")
    .argument("[file...]", "Markdown files, or folders of them")
    .addHelpText("after", examples);
  addPublishOptions(code)
    .option("--python <path>", "Python interpreter, or none (default: the first on the PATH)")
    .option("--seconds <s>", "longest run of one block", parsePositive, 10)
    .action(async (files, { out, kind, lang, python, seconds, json }) => {
      const { checkCodeFiles, renderCodeText } = await import("../../../commands/index.js");
      const checked = await checkCodeFiles(files, { out, kind, lang, python, maxSeconds: seconds });
      if (checked.some(({ artefact: { verdict } }) => verdict === "FAIL" || verdict === "BLOCKED"))
        session.exitCode = 1;
      if (json === true) return session.printJson({ documents: checked });
      session.print(renderCodeText(checked));
      session.print(`\nwrote    ${checked.flatMap(({ written }) => written).join("\n         ")}`);
      session.print(`next     turnwise publish render ${checked[0].file}`);
    });
}
