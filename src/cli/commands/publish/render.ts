import type { Command } from "@commander-js/extra-typings";
import { usageError } from "../../../core/index.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

/** Adds `turnwise publish render`. */
export function addRenderCommand(publish: Command, session: CliSession): void {
  const render = publish
    .command("render")
    .description("turn documents into pages of one file, with what is on record about them")
    .argument("[file...]", "Markdown files, or folders of them")
    .addHelpText(
      "after",
      "\nA page needs no network and no script. It shows the verdicts on record, the evidence of bound numbers and the\nworks it cites. The same files give the same bytes.\nExit code 1 when a formula, image, link or claim cannot be shown as written; the page is written nevertheless.\n\nExamples:\n  turnwise publish render guide.md\n  turnwise publish render docs/ -o site",
    );
  addPublishOptions(render).action(async (files, flags) => {
    const { renderFiles } = await import("../../../commands/index.js");
    const rendered = await renderFiles(files, flags);
    if (rendered.some(({ problems }) => problems.length > 0)) session.exitCode = 1;
    if (flags.json === true) return session.printJson({ documents: rendered });
    for (const { file, page, bytes, problems } of rendered) {
      session.print(`${file}: ${page}, ${Math.ceil(bytes / 1024)} KiB`);
      for (const { rule, message, line } of problems) session.print(`  ${file}:${line}  ${rule}  ${message}`);
    }
    session.print(`\nwrote    ${rendered.map(({ page }) => page).join("\n         ")}`);
    session.print(`next     turnwise publish all ${rendered[0].file}`);
  });
}

/** Adds `turnwise publish inventory`. */
export function addInventoryCommand(publish: Command, session: CliSession): void {
  publish
    .command("inventory")
    .description("count what documents hold and list their blocks")
    .argument("<file...>", "Markdown files, or folders of them")
    .option("--json", "print one JSON document, with the blocks")
    .addHelpText("after", "\nExample:\n  turnwise publish inventory guide.md --json")
    .action(async (files, { json }) => {
      const { listInventories, renderInventoryText } = await import("../../../commands/index.js");
      const inventories = await listInventories(files);
      if (json === true) return session.printJson({ documents: inventories });
      session.print(renderInventoryText(inventories));
      session.print(`next     turnwise publish lint ${inventories[0].file}`);
    });
}

const kinds = ["tutorial", "report", "paper", "page"] as const;

/** Adds `turnwise publish new`. */
export function addNewCommand(publish: Command, session: CliSession): void {
  publish
    .command("new")
    .description("begin a document: its head and the sections its kind must have")
    .argument("<kind>", kinds.join(", "))
    .argument("<id>", "name of the document and its file")
    .option("--folder <folder>", "where the file is written", ".")
    .option("--lang <tag>", "language, e.g. en, zh, vi", "en")
    .option("--title <title>", "title (default: the id)")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      '\nAn existing file is never overwritten.\n\nExample:\n  turnwise publish new page guide --title "A guide"',
    )
    .action(async (kind, id, { folder, lang, title, json }) => {
      const found = kinds.find((each) => each === kind);
      if (found === undefined)
        throw usageError(`Cannot begin a document of kind "${kind}"`, `Choose one of ${kinds.join(", ")}`);
      const { createDocument } = await import("../../../commands/index.js");
      const file = await createDocument(found, id, { folder, lang, title });
      if (json === true) return session.printJson({ file });
      session.print(`wrote    ${file}`);
      session.print(`next     turnwise publish all ${file}`);
    });
}
