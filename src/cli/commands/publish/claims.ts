import type { Command } from "@commander-js/extra-typings";
import { collect, parseCount } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

const checkHelp = `
Numbers are bound as [74.2%]{#c:id} or filled in as [[c:id]]; the ledger claims.yaml beside the document says from
which artefact and by which expression each is computed. Exit code 1 when a number does not follow from its evidence,
3 when evidence or ledger are missing or cannot be read.

Examples:
  turnwise publish claims check report.md
  turnwise publish claims check turnwise-runs/vault/report`;

function addCheck(claims: Command, session: CliSession): void {
  const check = claims
    .command("check")
    .description("compute every number again from its evidence")
    .argument("<file...>", "Markdown files, or folders with a report of turnwise")
    .addHelpText("after", checkHelp);
  addPublishOptions(check)
    .option("--ledger <file>", "ledger (default: <id>.claims.yaml or claims.yaml beside the document)")
    .option("--evidence <folder>", "evidence beside that which the document names; repeatable", collect)
    .option("--max-findings <n>", "findings shown of each rule", parseCount(1), 10)
    .action(async (files, flags) => {
      const { checkClaimFiles, renderClaimsText } = await import("../../../commands/index.js");
      const checked = await checkClaimFiles(files, flags);
      const verdicts = checked.map(({ artefact }) => artefact.verdict);
      if (verdicts.includes("BLOCKED")) session.exitCode = 3;
      if (verdicts.includes("FAIL")) session.exitCode = 1;
      if (verdicts.includes("ERROR")) session.exitCode = 4;
      if (flags.json === true) return session.printJson({ documents: checked });
      session.print(renderClaimsText(checked, flags.maxFindings));
      session.print(`\nwrote    ${checked.flatMap(({ written }) => written).join("\n         ")}`);
      session.print(`next     turnwise publish claims list ${files[0]}`);
    });
}

function addBind(claims: Command, session: CliSession): void {
  const bind = claims
    .command("bind")
    .description("put the id of its claim to each number that states exactly one claim of the ledger")
    .argument("<file>", "Markdown file; it is changed")
    .addHelpText("after", "\nExample:\n  turnwise publish claims bind report.md --dry-run");
  addPublishOptions(bind)
    .option("--ledger <file>", "ledger (default: <id>.claims.yaml or claims.yaml beside the document)")
    .option("--evidence <folder>", "evidence beside that which the document names; repeatable", collect)
    .option("--dry-run", "show what would be bound, write nothing")
    .action(async (file, flags) => {
      const { bindClaimFile, renderBindText } = await import("../../../commands/index.js");
      const bound = await bindClaimFile(file, { ...flags, isDryRun: flags.dryRun === true });
      if (flags.json === true) return session.printJson(bound);
      session.print(renderBindText(bound));
      session.print(
        `${bound.isWritten ? `\nwrote    ${bound.file}` : ""}\nnext     turnwise publish claims check ${file}`,
      );
    });
}

function addList(claims: Command, session: CliSession): void {
  const list = claims
    .command("list")
    .description("list the claims with value and status, and the numbers that have none")
    .argument("<file...>", "Markdown files, or folders with a report of turnwise")
    .addHelpText("after", "\nExample:\n  turnwise publish claims list report.md");
  addPublishOptions(list)
    .option("--ledger <file>", "ledger (default: <id>.claims.yaml or claims.yaml beside the document)")
    .option("--evidence <folder>", "evidence beside that which the document names; repeatable", collect)
    .action(async (files, flags) => {
      const { checkClaimFiles, renderClaimList } = await import("../../../commands/index.js");
      const checked = await checkClaimFiles(files, flags);
      if (flags.json === true)
        return session.printJson({
          documents: checked.map(({ id, file, artefact: { details } }) => ({
            id,
            file,
            claims: details.claims,
            unbound: details.unbound,
          })),
        });
      session.print(renderClaimList(checked));
      session.print(`\nnext     turnwise publish claims check ${files[0]}`);
    });
}

/** Adds `turnwise publish claims` with `check`, `bind` and `list`. */
export function addClaimsCommand(publish: Command, session: CliSession): void {
  const claims = publish
    .command("claims")
    .description("bind the numbers of a document to the evidence they are computed from");
  addCheck(claims, session);
  addBind(claims, session);
  addList(claims, session);
}
