import type { Command } from "@commander-js/extra-typings";
import { parseCount } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

const examples = `
A document is rendered first; its page, the artefact of the stage and pictures are written. The browser runs without a
network: every request is refused and counted. Accessibility needs axe-core ("npm install axe-core"); without it that
check is undecided. Checks R01 to R20 fail at every level, R21 to R31 only at release, R32 warns.
Exit code 1 when a check fails or no browser is there.

Examples:
  turnwise publish check-html guide.md
  turnwise publish check-html guide.md --html site/guide.html --previous old/guide.html
  turnwise publish check-html site/guide.html --source guide.md --level release`;

/** Adds `turnwise publish check-html`. */
export function addCheckHtmlCommand(publish: Command, session: CliSession): void {
  const check = publish
    .command("check-html")
    .description("look at pages in a browser: nothing lost, safe, readable, by 32 checks")
    .argument("<file...>", "Markdown files, or finished pages")
    .addHelpText("after", examples);
  addPublishOptions(check)
    .option("--source <file>", "document that the page was made from")
    .option("--html <file>", "page to check instead of a new one")
    .option("--previous <file>", "page that readers know: its ids must still lead somewhere")
    .option("--browser <path>", "Chromium, or none (default: the one that is found)")
    .option("--max-bytes <n>", "largest page (default: 5 MiB)", parseCount(1))
    .option("--ban-list <file>", "terms that must not be published, from a file outside the repository")
    .option("--waivers <file>", "waivers of lint beside those the documents name")
    .option("--all", "show the checks that pass too")
    .action(async (files, { all, json, ...flags }) => {
      const { checkHtmlFiles, renderCheckText } = await import("../../../commands/index.js");
      const checked = await checkHtmlFiles(files, flags);
      if (checked.some(({ artefact: { verdict } }) => verdict === "FAIL" || verdict === "BLOCKED"))
        session.exitCode = 1;
      if (json === true) return session.printJson({ documents: checked });
      session.print(renderCheckText(checked, { isFull: all === true }));
      session.print(`\nwrote    ${checked.flatMap(({ written }) => written).join("\n         ")}`);
      const [{ file }] = checked;
      const isAlone = /\.html?$/i.test(file);
      session.print(`next     turnwise publish ${isAlone ? `check-html ${file} --source FILE.md` : `gate ${file}`}`);
    });
}
