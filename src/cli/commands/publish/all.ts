import { Option, type Command } from "@commander-js/extra-typings";
import { collect, parseCount, parsePositive } from "../../option-parsers.js";
import type { CliSession } from "../../session.js";
import { addPublishOptions } from "./shared.js";
import { addReviewerOptions, readReviewerFlags } from "./review.js";

const allHelp = `
Order: lint, code, parity of translations named together, claims, citations, experiments, review, page and its checks,
audit with its pages, gate. Every stage leaves its artefact, whatever came before. Without --backend nobody reviews, which
is on record as REVIEW_UNAVAILABLE: the gate may open at draft and stays closed at release.
Nothing is committed; a message for whoever does is printed.
Exit code of the gate: 0 open, 1 closed by a verdict, 3 closed because something is stale or missing.

Examples:
  turnwise publish all guide.md
  turnwise publish all guide.md guide.vi.md --level release --config publish.yaml --backend human`;

/** Adds `turnwise publish all`. */
export function addAllCommand(publish: Command, session: CliSession): void {
  const all = publish
    .command("all")
    .description("run every stage on documents, write page, audit and their pages, and ask the gate")
    .argument("<file...>", "Markdown files, or folders of them")
    .addHelpText("after", allHelp);
  addReviewerOptions(addPublishOptions(all))
    .option("--loop", "review and fix in turn until there is a reason to stop")
    .option("--fixer <line>", "program that fixes findings in the file, with --loop")
    .option("--ban-list <file>", "terms that must not be published, from a file outside the repository")
    .option("--waivers <file>", "waivers beside those the documents name")
    .option("--python <path>", "Python interpreter, or none (default: the first on the PATH)")
    .option("--browser <path>", "browser that looks at pages, or none (default: the one that is found)")
    .option("--previous <path>", "page that readers know, or folder of such pages (default: that of --out)")
    .option("--seconds <s>", "longest run of one code block", parsePositive, 10)
    .action(async (files, flags) => {
      const { publishAll, renderPublishText } = await import("../../../commands/index.js");
      const display = session.createProgress();
      const result = await publishAll(files, {
        ...flags,
        ...readReviewerFlags(flags),
        isLoop: flags.loop === true,
        fixerCommand: flags.fixer,
        maxSeconds: flags.seconds,
        signal: session.listenForStop(display).abort,
        onMessage: (text) => display.onMessage?.(text),
      });
      display.finish();
      session.exitCode = result.exitCode;
      if (flags.json === true) return session.printJson(result);
      session.print(renderPublishText(result));
      const written = result.documents.flatMap(({ page, audit }) => [page, audit]);
      session.print(`\nwrote    ${written.join("\n         ")}`);
      session.print(`next     turnwise publish site ${files.join(" ")} -o ${flags.out}`);
    });
}

/** Adds `turnwise publish site`. */
export function addSiteCommand(publish: Command, session: CliSession): void {
  const site = publish
    .command("site")
    .description("write the pages of documents and their records, with an index that can be searched offline")
    .argument("<folder...>", "folders of Markdown files, or files")
    .option("--title <text>", "title of the index")
    .addHelpText(
      "after",
      "\nNothing is judged anew: run publish all first. The pages are in the output folder and need neither server nor\nnetwork.\n\nExample:\n  turnwise publish site docs/ -o site",
    );
  addPublishOptions(site).action(async (folders, flags) => {
    const { writeSite } = await import("../../../commands/index.js");
    const result = await writeSite(folders, flags);
    if (flags.json === true) return session.printJson(result);
    for (const { file, page, verdict, gate } of result.documents)
      session.print(`${file}: ${page}, ${verdict}, gate ${gate}`);
    session.print(`\nwrote    ${result.index} and ${result.written.length - 1} other pages`);
    session.print(`next     open ${result.index}`);
  });
}

/** Adds `turnwise publish draft`. */
export function addDraftCommand(publish: Command, session: CliSession): void {
  publish
    .command("draft")
    .description("ask a backend for a first draft on a topic, with every unverified statement marked")
    .argument("<topic>", "what the document is about")
    .addOption(new Option("--backend <kind>", "who writes").choices(["command", "http"] as const))
    .option("--command <line>", "program and arguments of the author; no shell")
    .option("--model <name>", "model of the endpoint, or behind the program")
    .option("--base-url <url>", "address of the endpoint (default: OPENAI_BASE_URL)")
    .option("--api-key-variable <name>", "variable that holds the key (default: OPENAI_API_KEY where set)")
    .option("--max-tokens <n>", "most tokens of the draft", parseCount(1))
    .option("--author-id <id>", "name of the author (default: the model, or the program)")
    .option("--author-family <family>", "model family of the author (default: told from the model's name)")
    .option("--timeout <s>", "longest time of the answer", parsePositive, 900)
    .option("--evidence <path>", "file or folder the author may rest on; repeatable", collect)
    .addOption(
      new Option("--kind <kind>", "kind of the document; chooses its sections")
        .choices(["tutorial", "report", "paper", "page"] as const)
        .default("tutorial" as const),
    )
    .option("--lang <tag>", "language, e.g. en, zh, vi", "en")
    .option("--id <id>", "name of the document and its file (default: made from the topic)")
    .option("--title <title>", "title (default: the topic)")
    .option("--folder <folder>", "where the document is written", ".")
    .option("-o, --out <folder>", "folder of artefacts", "turnwise-publish")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      '\nAn existing file is never overwritten. An answer that is no document is refused, with its faults named.\nThe author is put on record: a reviewer of the same family counts for nothing.\n\nExample:\n  turnwise publish draft "Turn budgets" --kind page --backend http --model qwen3-32b --base-url http://localhost:8000',
    )
    .action(async (topic, { authorId, authorFamily, timeout, json, ...flags }) => {
      const { draftDocument } = await import("../../../commands/index.js");
      const draft = await draftDocument(topic, {
        ...flags,
        reviewerId: authorId,
        reviewerFamily: authorFamily,
        timeoutSeconds: timeout,
        environment: process.env,
      });
      if (json === true) return session.printJson(draft);
      session.print(`${draft.file}: ${draft.statementCount} statements to verify, written by ${draft.author.id}`);
      for (const { severity, ruleId, message, place } of draft.findings)
        session.print(`  ${draft.file}:${place?.line}  ${severity}  ${ruleId}  ${message}`);
      session.print(`\nwrote    ${draft.written.join("\n         ")}`);
      session.print(`next     turnwise publish review ${draft.file} --backend human`);
    });
}
