import type { Command } from "@commander-js/extra-typings";
import { writeFile } from "node:fs/promises";
import type { LintedDocument, PublishLintOptions } from "../../../commands/index.js";
import { errorMessage, inputError, usageError } from "../../../core/index.js";
import { collect, parseCount } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

const examples = `
Exit code 1 when a finding is an error that nothing waives. Every rule, with examples: docs/lint-rules.md.

Examples:
  turnwise publish lint guide.md
  turnwise publish lint docs/ --fix-safe --dry-run
  turnwise publish lint a.md a.zh.md --level release --sarif lint.sarif
  turnwise publish lint a.md --ban-list ~/private/terms.txt`;

function readThresholds(texts: readonly string[]): { readonly [name: string]: number } {
  return Object.fromEntries(
    texts.map((text) => {
      const [name, value] = text.split("=").map((part) => part.trim());
      if (value === undefined || value === "" || !Number.isFinite(Number(value)))
        throw usageError(`Cannot read "${text}": write rule.name=number, e.g. parity.language.maxLetters=40`);
      return [name, Number(value)];
    }),
  );
}

async function printRules(session: CliSession, isJson: boolean): Promise<void> {
  const { listLintRules } = await import("../../../commands/index.js");
  const rules = listLintRules();
  if (isJson) return session.printJson({ rules });
  for (const { id, severity, description, thresholds } of rules) {
    session.print(`${id.padEnd(26)} ${severity.padEnd(8)} ${description}`);
    for (const { name, default: value, description: words } of thresholds)
      session.print(`${" ".repeat(36)}${name} = ${value}: ${words}`);
  }
}

async function writeSarif(file: string, linted: readonly LintedDocument[]): Promise<void> {
  const { renderLintSarif } = await import("../../../commands/index.js");
  try {
    await writeFile(file, `${JSON.stringify(renderLintSarif(linted), null, 2)}\n`);
  } catch (error) {
    throw inputError(`Cannot write "${file}": ${errorMessage(error)}`, undefined, error);
  }
}

/** Sets the exit code of a check from what it found. */
function judge(session: CliSession, linted: readonly LintedDocument[]): void {
  const artefacts = linted.flatMap(({ artefact, parity }) => [artefact, ...(parity === undefined ? [] : [parity])]);
  if (artefacts.some(({ verdict }) => verdict === "FAIL")) session.exitCode = 1;
}

/** Adds `turnwise publish lint`. */
export function addLintCommand(publish: Command, session: CliSession): void {
  const lint = publish
    .command("lint")
    .description("check structure, maths, wording, privacy, links and code of documents, without a reviewer")
    .argument(
      "[file...]",
      "Markdown files, or folders of them; documents named together are checked against each other",
    )
    .addHelpText("after", examples);
  addPublishOptions(lint)
    .option("--fix-safe", "first mend blanks, headings without a space and pipes in formulas of tables, in the files")
    .option("--dry-run", "with --fix-safe: show the changes, write nothing")
    .option("--rule <id>", "run only this rule; repeatable", collect)
    .option("--disable <id>", "do not run this rule; repeatable", collect)
    .option("--threshold <rule.name=value>", "change a threshold; repeatable", collect)
    .option("--ban-list <file>", "terms that must not be published, from a file outside the repository")
    .option("--hash-ban-list <file>", "print the list with its terms hashed, fit to be kept beside the documents")
    .option("--salt <text>", "with --hash-ban-list: salt of the hashes (default: the name of the list)")
    .option("--waivers <file>", "waivers beside those the documents name")
    .option("--max-findings <n>", "findings shown of each rule", parseCount(1), 10)
    .option("--sarif <file>", "write the findings as SARIF 2.1.0")
    .option("--list", "list the rules")
    .action(async (files, flags) => {
      const commands = await import("../../../commands/index.js");
      if (flags.list === true) return printRules(session, flags.json === true);
      if (flags.hashBanList !== undefined) {
        const salt = flags.salt ?? flags.hashBanList.split(/[\\/]/).at(-1) ?? "salt";
        return session.print((await commands.hashBanList(flags.hashBanList, salt)).trimEnd());
      }
      const options: PublishLintOptions = {
        ...flags,
        rules: flags.rule,
        disabled: flags.disable,
        thresholds: readThresholds(flags.threshold ?? []),
        isFixing: flags.fixSafe === true,
        isDryRun: flags.dryRun === true,
      };
      const linted = await commands.lintFiles(files, options);
      if (flags.sarif !== undefined) await writeSarif(flags.sarif, linted);
      judge(session, linted);
      if (flags.json === true) return session.printJson({ documents: linted });
      session.print(commands.renderLintText(linted, { maxFindings: flags.maxFindings }));
      const written = linted.flatMap((each) => each.written);
      if (written.length > 0) session.print(`\nwrote    ${written.join("\n         ")}`);
      if (flags.sarif !== undefined) session.print(`SARIF    ${flags.sarif}`);
      session.print(`next     turnwise publish code ${linted[0].file}`);
    });
}

/** Adds `turnwise publish parity`. */
export function addParityCommand(publish: Command, session: CliSession): void {
  const parity = publish
    .command("parity")
    .description("compare a translation with its original: blocks, formulas, numbers, sources, code")
    .argument("<original>", "the text that was translated")
    .argument("<translation>", "its translation")
    .addHelpText(
      "after",
      "\nExit code 1 when the texts differ in what must be equal.\n\nExample:\n  turnwise publish parity guide.md guide.zh.md",
    );
  addPublishOptions(parity)
    .option("--waivers <file>", "waivers beside those the translation names")
    .option("--max-findings <n>", "findings shown of each rule", parseCount(1), 10)
    .action(async (original, translation, flags) => {
      const { checkParityFiles, renderLintText } = await import("../../../commands/index.js");
      const linted = [await checkParityFiles(original, translation, flags)];
      judge(session, linted);
      if (flags.json === true) return session.printJson({ documents: linted });
      session.print(renderLintText(linted, { maxFindings: flags.maxFindings }));
      session.print(`\nwrote    ${linted[0].written.join("\n         ")}`);
      session.print(`next     turnwise publish lint ${original} ${translation}`);
    });
}
