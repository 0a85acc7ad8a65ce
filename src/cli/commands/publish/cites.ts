import type { Command } from "@commander-js/extra-typings";
import { collect, parseCount } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

const checkHelp = `
Works are cited as [@key] from the bibliographies that the front matter names (BibTeX or CSL-JSON), or by arXiv id or
DOI. Nothing is looked up on a network. Works that no source and no person vouches for are unverified: a warning at
draft, a failure at release. Exit code 1 for a failure, 3 when a bibliography is missing or cannot be read.

Examples:
  turnwise publish cites check guide.md
  turnwise publish cites check docs/ --registry references.json --level release
  turnwise publish cites check guide.md --list-contexts --json > questions.json
  turnwise publish cites check guide.md --answers answers.json`;

function addCheck(cites: Command, session: CliSession): void {
  const check = cites
    .command("check")
    .description("check ids, keys, authors, years, titles and venues, within the set and against the registry")
    .argument(
      "<file...>",
      "Markdown files, or folders of them; documents named together are checked against each other",
    )
    .addHelpText("after", checkHelp);
  addPublishOptions(check)
    .option("--registry <file>", "bibliography of the project, beside those the documents name")
    .option("--frozen", "the bibliography may not be changed: propose changes of sentences only")
    .option("--list-contexts", "print each use with what is stored of the work, for a reviewer; check nothing")
    .option("--answers <file>", "a reviewer's answers: JSON list of { work, line, answer, note }")
    .option("--max-findings <n>", "findings shown of each rule", parseCount(1), 10)
    .action(async (files, flags) => {
      const commands = await import("../../../commands/index.js");
      const options = { ...flags, isFrozen: flags.frozen };
      if (flags.listContexts === true) {
        const contexts = await commands.listContexts(files, options);
        return flags.json === true
          ? session.printJson({ contexts })
          : session.print(commands.renderContextText(contexts));
      }
      const checked = await commands.checkCitationFiles(files, options);
      const verdicts = checked.map(({ artefact }) => artefact.verdict);
      if (verdicts.includes("BLOCKED")) session.exitCode = 3;
      if (verdicts.includes("FAIL")) session.exitCode = 1;
      if (verdicts.includes("ERROR")) session.exitCode = 4;
      if (flags.json === true) return session.printJson({ documents: checked });
      session.print(commands.renderCitesText(checked, flags.maxFindings));
      session.print(`\nwrote    ${checked.flatMap(({ written }) => written).join("\n         ")}`);
      session.print(`next     turnwise publish render ${checked[0].file}`);
    });
}

function addImport(cites: Command, session: CliSession): void {
  cites
    .command("import")
    .description("take BibTeX or CSL-JSON over into a registry, which keeps what was checked of each work")
    .argument("<file...>", ".bib or CSL-JSON files")
    .option("--to <file>", "registry to write", "references.json")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  turnwise publish cites import papers.bib --to references.json")
    .action(async (files, { to, json }) => {
      const { importBibliographies, renderImportedText } = await import("../../../commands/index.js");
      const imported = await importBibliographies(files, to);
      if (json === true) return session.printJson(imported);
      session.print(renderImportedText(imported));
      session.print(`\nwrote    ${to}\nnext     name it in front matter: bibliography: [${to}]`);
    });
}

function addResolve(cites: Command, session: CliSession): void {
  cites
    .command("resolve")
    .description("look works up by your own resolver; off unless you name one")
    .argument("<registry>", "CSL-JSON registry; what the sources say is kept in it")
    .option(
      "--resolver <file>",
      "module with export const resolver = { name, resolve(entry, signal) }; repeatable",
      collect,
    )
    .option("--cache <file>", "kept answers (default: <registry>.cache.json)")
    .option("--max-age <days>", "days for which an answer is used again", parseCount(0), 30)
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nA source that cannot be reached leaves a work pending, never not found.\n\nExample:\n  turnwise publish cites resolve references.json --resolver ./crossref.js",
    )
    .action(async (registry, { resolver = [], cache, maxAge, json }) => {
      const { renderResolvedText, resolveBibliography } = await import("../../../commands/index.js");
      const resolved = await resolveBibliography(registry, { resolvers: resolver, cache, maxAgeDays: maxAge });
      if (json === true) return session.printJson(resolved);
      session.print(renderResolvedText(resolved));
      session.print(`\nwrote    ${resolved.file}\n         ${resolved.cacheFile}`);
    });
}

/** Adds `turnwise publish cites` with `check`, `import` and `resolve`. */
export function addCitesCommand(publish: Command, session: CliSession): void {
  const cites = publish.command("cites").description("check what a document says of the works it cites");
  addCheck(cites, session);
  addImport(cites, session);
  addResolve(cites, session);
}
