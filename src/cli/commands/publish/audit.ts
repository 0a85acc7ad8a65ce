import { Option, type Command } from "@commander-js/extra-typings";
import { writeFile } from "node:fs/promises";
import { errorMessage, inputError } from "../../../core/index.js";
import { collect } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

/** Adds `turnwise publish audit`. */
export function addAuditCommand(publish: Command, session: CliSession): void {
  const audit = publish
    .command("audit")
    .description("merge what the stages of a document left into its audit file, and write the pages about it")
    .argument("<file>", "Markdown file")
    .option(
      "--against <audit>",
      "audit file that the page of differences starts from (default: the last of another text)",
    )
    .option("--sarif <file>", "write the findings on record as SARIF 2.1.0")
    .addHelpText("after", "\nExample:\n  turnwise publish audit guide.md");
  addPublishOptions(audit).action(async (file, flags) => {
    const { auditDocument, renderAuditSarif } = await import("../../../commands/index.js");
    const result = await auditDocument(file, flags);
    if (flags.sarif !== undefined) {
      try {
        await writeFile(flags.sarif, `${JSON.stringify(renderAuditSarif(result.audit), null, 2)}\n`);
      } catch (error) {
        throw inputError(`Cannot write "${flags.sarif}": ${errorMessage(error)}`, undefined, error);
      }
    }
    if (flags.json === true) return session.printJson(result);
    session.print(`${result.file}: ${result.audit.summary}`);
    session.print(
      `\nwrote    ${[...result.written, ...(flags.sarif === undefined ? [] : [flags.sarif])].join("\n         ")}`,
    );
    session.print(`next     turnwise publish gate ${file}`);
  });
}

/** Adds `turnwise publish gate`. */
export function addGateCommand(publish: Command, session: CliSession): void {
  const gate = publish
    .command("gate")
    .description("decide from the record whether documents may go out")
    .argument("[file...]", "Markdown files")
    .option("--all", "every document that has an audit in the output folder")
    .option("--no-record", "do not put the decision into the audit")
    .addHelpText(
      "after",
      "\nExit code 0: open. 1: closed by a verdict. 3: closed because something is stale or missing.\nNothing is committed, pushed or changed in version control.\n\nExamples:\n  turnwise publish gate guide.md\n  turnwise publish gate --all --level release",
    );
  addPublishOptions(gate).action(async (files, flags) => {
    const { gateFiles, renderGateText } = await import("../../../commands/index.js");
    const result = await gateFiles(files, { ...flags, isAll: flags.all === true, isRecorded: flags.record });
    session.exitCode = result.exitCode;
    if (flags.json === true) return session.printJson(result);
    session.print(renderGateText(result));
  });
}

/** Adds `turnwise publish verify`. */
export function addVerifyCommand(publish: Command, session: CliSession): void {
  publish
    .command("verify")
    .description("check the hashes of audits: inputs, pages, artefacts, traces, chain of versions")
    .argument("[folder]", "output folder, or one audit file", "turnwise-publish")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExit code 3 when something was changed or is gone.\n\nExample:\n  turnwise publish verify")
    .action(async (folder, { json }) => {
      const { verifyAudits, renderVerifyText } = await import("../../../commands/index.js");
      const results = await verifyAudits(folder);
      if (results.some(({ problems }) => problems.length > 0)) session.exitCode = 3;
      if (json === true) return session.printJson({ audits: results });
      session.print(renderVerifyText(results));
    });
}

/** Adds `turnwise publish import`. */
export function addImportAuditCommand(publish: Command, session: CliSession): void {
  publish
    .command("import")
    .description("take over audit files of before version 1; labels decide nothing, rounds on record do")
    .argument("<file...>", "review.json files without schema_version")
    .option("-o, --out <folder>", "folder of audits", "turnwise-publish")
    .option("--root <folder>", "folder that the paths in the files are relative to, for hashing what they name")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  turnwise publish import docs/*.review.json --root .")
    .action(async (files, { out, root, json }) => {
      const { importAudits, renderImportText } = await import("../../../commands/index.js");
      const imported = await importAudits(files, { out, root });
      if (json === true) return session.printJson({ imported });
      session.print(renderImportText(imported));
      session.print(`next     turnwise publish verify ${out}`);
    });
}

/** Adds `turnwise publish residue`. */
export function addResidueCommand(publish: Command, session: CliSession): void {
  const residue = publish
    .command("residue")
    .description("look for the old wordings of every correction in all documents, languages and pages")
    .argument("[file...]", "Markdown files of the set, or folders of them")
    .option("--all", "every document that has an audit in the output folder")
    .addHelpText(
      "after",
      "\nExit code 1 when an old wording still stands somewhere without a waiver.\n\nExample:\n  turnwise publish residue docs/\n  turnwise publish residue --all",
    );
  addPublishOptions(residue).action(async (files, flags) => {
    const { scanResidueFiles, renderResidueText } = await import("../../../commands/index.js");
    const scans = await scanResidueFiles(files, { ...flags, isAll: flags.all === true });
    if (scans.some(({ isClean }) => !isClean)) session.exitCode = 1;
    if (flags.json === true) return session.printJson({ documents: scans });
    session.print(renderResidueText(scans));
    if (scans.length > 0) session.print(`\nwrote    ${scans.map(({ audit }) => audit).join("\n         ")}`);
  });
}

/** Adds `turnwise publish triage`. */
export function addTriageCommand(publish: Command, session: CliSession): void {
  const triage = publish
    .command("triage")
    .description("decide about findings, corrections and marked statements; lists them when nothing is decided")
    .argument("<file>", "Markdown file")
    .option("--as <id>", "who decides; an arbiter is neither author nor fixer")
    .option("--accept <id>", "a finding is right; repeatable", collect)
    .option("--reject <id>", "a finding is wrong (arbiter, with --reason); repeatable", collect)
    .option("--defer <id>", "a minor finding waits (arbiter, with --reason, --owner, --expires); repeatable", collect)
    .option("--reopen <id>", "a finding is open again (arbiter, with --reason); repeatable", collect)
    .option("--reason <text>", "why")
    .option("--owner <name>", "who will do it")
    .option("--expires <date>", "until when it may wait, e.g. 2030-01-31")
    .option("--waive <correction>", "places where old words may stay (arbiter, with --reason)")
    .option("--waive-file <file>", "only in this file")
    .option("--waive-text <text>", "only in lines with these words")
    .option("--fixed <file>", "fixes already made in the text, as JSON of schema review-fix/1")
    .option("--settle <id>", "a marked statement is settled, with --state")
    .addOption(
      new Option("--state <state>", "how it is settled").choices([
        "verified",
        "corrected",
        "hedged",
        "removed",
      ] as const),
    )
    .option("--source <text>", "where it was looked up")
    .option("--quote <text>", "what stands there")
    .option("--hedge <text>", "the words of the document that say that it is unverified")
    .addHelpText(
      "after",
      '\nExamples:\n  turnwise publish triage guide.md\n  turnwise publish triage guide.md --as kim --reject f-0123456789ab --reason "the sign is that of the loss"\n  turnwise publish triage guide.md --settle nv-0123456789 --state verified --source arXiv:1707.06347 --quote "..."',
    );
  addPublishOptions(triage).action(async (file, flags) => {
    const { triageDocument, renderTriageText } = await import("../../../commands/index.js");
    const result = await triageDocument(file, flags);
    const { audit: _audit, ...shown } = result;
    if (flags.json === true) return session.printJson(shown);
    session.print(renderTriageText(result));
    if (result.written.length > 0) session.print(`\nwrote    ${result.written.join("\n         ")}`);
    session.print(`next     turnwise publish gate ${file}`);
  });
}
