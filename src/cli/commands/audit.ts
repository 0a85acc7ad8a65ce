import type { Command, OptionValues } from "@commander-js/extra-typings";
import { writeFile } from "node:fs/promises";
import type { AuditLogOptions } from "../../commands/index.js";
import { describeSystemError, inputError, usageError, type AuditResult } from "../../core/index.js";
import { collect, parseCount, parseCounts } from "../option-parsers.js";
import type { CliSession } from "../session.js";

const logExamples = `
A folder stands for the logs in it and below; what is passed over is listed. Exit code 1 when a finding is of severity
error, 3 when a file could not be audited.

Examples:
  turnwise audit log outputs/checkpoint-500/trainer_state.json
  turnwise audit log progress.csv --threshold entropy-collapse.minShare=0.1
  turnwise audit log rollouts/ train.log --sarif audit.sarif`;

const maskExamples = `
A record holds token ids, a loss mask, and what is known of the sampled tokens: an action mask, the sampler's turns, or
roles. Exit code 1 when a finding is of severity error, 3 when no sample of a file could be read or judged.

Examples:
  turnwise audit mask batch.jsonl --tokenizer tokenizer.json
  turnwise audit mask batch.jsonl --end-ids 151645 --template-ids 151644
  turnwise audit mask batch.jsonl --rule mask-shift --rule prefix-broken`;

type AuditKind = AuditResult["kind"];

/** The parsed options that both audits share. */
interface AuditFlags {
  readonly format: string;
  readonly rule?: readonly string[];
  readonly disable?: readonly string[];
  readonly threshold?: readonly string[];
  readonly maxFindings: number;
  readonly sarif?: string;
  readonly list?: true;
  readonly json?: true;
}

function addAuditOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & AuditFlags> {
  command
    .option("--format <name>", "reader; auto recognises the file (--list shows all)", "auto")
    .option("--rule <id>", "run only this rule; repeatable", collect)
    .option("--disable <id>", "do not run this rule; repeatable", collect)
    .option("--threshold <rule.name=value>", "change a threshold; repeatable (--list shows all)", collect)
    .option("--max-findings <n>", "findings shown of each rule", parseCount(1), 5)
    .option("--sarif <file>", "write the findings as SARIF 2.1.0")
    .option("--list", "list rules with their thresholds, and formats")
    .option("--json", "print one JSON document");
  return command as unknown as Command<Arguments, Options & AuditFlags>; // the same object, with the options just added
}

/** Returns texts of the form `name=value` as a record. */
function readPairs(texts: readonly string[], form: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      if (at < 1 || value === "") throw usageError(`Cannot read "${text}": write ${form}`);
      return [name, value];
    }),
  );
}

function readThresholdFlags(texts: readonly string[]): { readonly [name: string]: number } {
  const form = "rule.name=number, e.g. kl-blow-up.maxKl=5";
  return Object.fromEntries(
    Object.entries(readPairs(texts, form)).map(([name, value]) => {
      if (!Number.isFinite(Number(value))) throw usageError(`Cannot read "${name}=${value}": write ${form}`);
      return [name, Number(value)];
    }),
  );
}

function readAuditFlags({ format, rule, disable, threshold, maxFindings }: AuditFlags): AuditLogOptions {
  return {
    format,
    maxFindings,
    ...(rule === undefined ? {} : { rules: rule }),
    ...(disable === undefined ? {} : { disabled: disable }),
    ...(threshold === undefined ? {} : { thresholds: readThresholdFlags(threshold) }),
  };
}

async function printList(session: CliSession, kind: AuditKind, isJson: boolean): Promise<void> {
  const { listAuditFormats, listAuditRules, listCommonMetrics } = await import("../../commands/index.js");
  const [rules, formats] = [listAuditRules(kind), listAuditFormats(kind)];
  const metrics = kind === "log" ? listCommonMetrics() : [];
  if (isJson) {
    session.printJson({ rules, formats, ...(kind === "log" ? { metrics } : {}) });
    return;
  }
  for (const { id, severity, description, thresholds } of rules) {
    session.print(`${id.padEnd(24)} ${severity.padEnd(8)} ${description}`);
    for (const { name, default: value, description: words } of thresholds)
      session.print(`${" ".repeat(34)}${name} = ${value}: ${words}`);
  }
  if (metrics.length > 0) session.print("\nMetrics:");
  for (const { metric, description } of metrics) session.print(`  ${metric.padEnd(20)} ${description}`);
  session.print("\nFormats:");
  for (const { format, description } of formats) session.print(`  ${format.padEnd(20)} ${description}`);
}

async function finishAudit(session: CliSession, result: AuditResult, { sarif, json }: AuditFlags): Promise<void> {
  const { renderAuditText, renderSarif } = await import("../../commands/index.js");
  if (sarif !== undefined) {
    try {
      await writeFile(sarif, `${JSON.stringify(renderSarif(result), null, 2)}\n`);
    } catch (error) {
      throw inputError(`Cannot write "${sarif}": ${describeSystemError(error)}`, undefined, error);
    }
  }
  if (json === true) session.printJson(result);
  else {
    session.print(renderAuditText(result, { colour: session.hasColour }));
    if (sarif !== undefined) session.print(`\nSARIF    ${sarif}`);
  }
  const { counts, refused = [] } = result;
  if (counts.error > 0) session.exitCode = 1;
  if (refused.length > 0) {
    // The others are audited all the same; a check must not pass while some files were not looked at.
    const [{ reason, remedy }] = refused;
    const what = refused.length === 1 ? reason : `Cannot audit ${refused.length} of the files, the first: ${reason}`;
    session.exitCode = session.reportFailure(inputError(what, remedy));
  }
}

/** Adds `turnwise audit log` and `turnwise audit mask`. */
export function addAudit(program: Command, session: CliSession): void {
  const audit = program.command("audit").description("look for faults in training logs and training samples");
  const log = audit
    .command("log")
    .description("is the training run healthy? judge its logs, with places and remedies")
    .argument("[file...]", "logs of TRL, verl, RAGEN, Baselines, TensorBoard, W&B; or folders that hold them")
    .addHelpText("after", logExamples);
  const logOptions = addAuditOptions(log).option(
    "--metric <metric=column>",
    "take a column as a metric; repeatable (--list shows the metrics)",
    collect,
  );
  logOptions.action(async (files, flags) => {
    if (flags.list === true) return printList(session, "log", flags.json === true);
    const { auditLogFiles } = await import("../../commands/index.js");
    return finishAudit(
      session,
      await auditLogFiles(files, {
        ...readAuditFlags(flags),
        metrics: readPairs(flags.metric ?? [], "metric=column, e.g. reward=my/score"),
      }),
      flags,
    );
  });
  const mask = audit
    .command("mask")
    .description("is the mask right? judge token-level training samples, showing the tokens")
    .argument("[file...]", "training samples of verl, TRL, Tinker, verifiers or your own trainer (JSON, JSONL)")
    .option("--tokenizer <file>", "tokenizer.json of the model: texts and special tokens")
    .option("--end-ids <list>", "ids that end a message", parseCounts(0))
    .option("--template-ids <list>", "ids that only the chat template writes", parseCounts(0))
    .addHelpText("after", maskExamples);
  addAuditOptions(mask).action(async (files, flags) => {
    if (flags.list === true) return printList(session, "mask", flags.json === true);
    const { auditMaskFiles } = await import("../../commands/index.js");
    const { tokenizer, endIds, templateIds } = flags;
    return finishAudit(
      session,
      await auditMaskFiles(files, { ...readAuditFlags(flags), tokenizer, endIds, templateIds }),
      flags,
    );
  });
}
