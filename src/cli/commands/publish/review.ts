import { Option, type Command, type OptionValues } from "@commander-js/extra-typings";
import { collect, parseCount, parsePositive, parseWords } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";

const examples = `
A review is made of passes, each in a fresh session that is told nothing but the text. Who wrote, fixes and arbitrates
stands in the configuration (parties: author, fixer, arbiter, each with id and family). A reviewer of the author's family
counts for nothing. Nobody there is a verdict too: REVIEW_UNAVAILABLE.
Exit code 1 when the content stage is FAIL or ERROR.

Backends:
  command   a program that reads the packet as JSON and prints a response      --command "node reviewer.mjs"
  http      an OpenAI-compatible server                                        --model NAME --base-url URL
  human     writes a form for each pass; fill it in and run the command again
  replay    recorded responses, for tests; never counts at release             --replay FILE

Examples:
  turnwise publish review guide.md --backend human
  turnwise publish review guide.md --pass math,code --backend command --command "node reviewer.mjs" --reviewer-family qwen
  turnwise publish review guide.md --backend http --model qwen3-32b --base-url http://localhost:8000 --loop --fixer "node fix.mjs"`;

const passes = ["math", "code", "qa", "citation", "claim", "consistency", "coverage"] as const;
const classes = [
  "flip_sign",
  "drop_factor",
  "swap_cells",
  "change_year",
  "change_arxiv_digit",
  "rename_identifier",
  "remove_import",
  "invert_comparison",
  "alter_number",
] as const;

/** The parsed options of whoever asks a reviewer. */
export type ReviewerFlags = {
  readonly backend: "command" | "http" | "human" | "replay" | "none";
  readonly pass?: ("math" | "code" | "qa" | "citation" | "claim" | "consistency" | "coverage")[];
  readonly command?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyVariable?: string;
  readonly maxTokens?: number;
  readonly reviewerId?: string;
  readonly reviewerFamily?: string;
  readonly reasoning?: string;
  readonly replay?: string;
  readonly timeout: number;
  readonly evidence?: readonly string[];
  readonly topics?: string;
  readonly set?: readonly string[];
  readonly traces: "full" | "meta" | "off";
};

/** Adds the options of whoever asks a reviewer. */
export function addReviewerOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & ReviewerFlags> {
  command
    .addOption(
      new Option("--backend <kind>", "where the reviewer comes from")
        .choices(["command", "http", "human", "replay", "none"] as const)
        .default("none" as const),
    )
    .option("--pass <list>", "passes, e.g. math,code (default: those the kind of document needs)", parseWords(passes))
    .option("--command <line>", "program and arguments of the reviewer; no shell")
    .option("--model <name>", "model of the endpoint, or behind the program")
    .option("--base-url <url>", "address of the endpoint (default: OPENAI_BASE_URL)")
    .option("--api-key-variable <name>", "variable that holds the key (default: OPENAI_API_KEY where set)")
    .option("--max-tokens <n>", "most tokens of an answer", parseCount(1))
    .option("--reviewer-id <id>", "name of the reviewer (default: the model, or the program)")
    .option("--reviewer-family <family>", "model family of the reviewer (default: told from the model's name)")
    .option("--reasoning <setting>", "reasoning setting, for the record")
    .option("--replay <file>", "recorded responses")
    .option("--timeout <s>", "longest time of one answer", parsePositive, 900)
    .option("--evidence <path>", "file or folder reviewers may use as evidence; repeatable", collect)
    .option("--topics <file>", "what the document must cover, a topic a line")
    .option("--set <file>", "another document of the set; repeatable", collect)
    .addOption(
      new Option("--traces <mode>", "how much of each call is kept")
        .choices(["full", "meta", "off"] as const)
        .default("full" as const),
    );
  return command as unknown as Command<Arguments, Options & ReviewerFlags>; // the same object, with the options just added
}

/** Returns the options of whoever asks a reviewer as the library takes them. */
export function readReviewerFlags({ pass, timeout, ...rest }: ReviewerFlags) {
  return {
    ...rest,
    ...(pass === undefined ? {} : { passes: pass }),
    timeoutSeconds: timeout,
    environment: process.env,
  };
}

/** Adds `turnwise publish review`. */
export function addReviewCommand(publish: Command, session: CliSession): void {
  const review = publish
    .command("review")
    .description("have a document reviewed, and record findings, coverage and who spoke")
    .argument("<file>", "Markdown file")
    .addHelpText("after", examples);
  addReviewerOptions(addPublishOptions(review))
    .option("--loop", "review and fix in turn until there is a reason to stop")
    .option("--fixer <line>", "program that fixes findings in the file, with --loop")
    .option("--max-rounds <n>", "rounds of one loop that are never exceeded", parseCount(1), 10)
    .action(async (file, flags) => {
      const { reviewFile, renderReviewText } = await import("../../../commands/index.js");
      const display = session.createProgress();
      const result = await reviewFile(file, {
        ...flags,
        ...readReviewerFlags(flags),
        isLoop: flags.loop === true,
        fixerCommand: flags.fixer,
        maxRounds: flags.maxRounds,
        signal: session.listenForStop(display).abort,
        onMessage: (text) => display.onMessage?.(text),
      });
      display.finish();
      if (result.verdict === "FAIL" || result.verdict === "ERROR") session.exitCode = 1;
      const { audit: _audit, ...shown } = result;
      if (flags.json === true) return session.printJson(shown);
      session.print(renderReviewText(result));
      session.print(`\nwrote    ${result.written.join("\n         ")}`);
      session.print(`next     turnwise publish ${result.verdict === "FAIL" ? "triage" : "gate"} ${file}`);
    });
}

/** Adds `turnwise publish probe`. */
export function addProbeCommand(publish: Command, session: CliSession): void {
  const probe = publish
    .command("probe")
    .description("measure a reviewer by known defects put into copies of a document")
    .argument("<file>", "Markdown file")
    .addHelpText(
      "after",
      `\nClasses: ${classes.join(", ")}.\nThe document is not changed, and nothing found here counts as a finding.\n\nExample:\n  turnwise publish probe guide.md --backend command --command "node reviewer.mjs" --classes flip_sign,swap_cells`,
    );
  addReviewerOptions(addPublishOptions(probe))
    .option("--classes <list>", "classes of defects (default: all)", parseWords(classes))
    .option("--per-class <n>", "most defects of each class", parseCount(1), 3)
    .option("--seed <n>", "seed of the defects", parseCount(0), 1)
    .action(async (file, flags) => {
      const { probeFile, renderProbeText } = await import("../../../commands/index.js");
      const result = await probeFile(file, { ...flags, ...readReviewerFlags(flags) });
      if (flags.json === true) return session.printJson(result);
      session.print(renderProbeText(result));
      session.print(`\nwrote    ${result.written.join("\n         ")}`);
      session.print(`next     turnwise publish review ${file}`);
    });
}
