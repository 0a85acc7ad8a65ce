import { Option, type Command, type OptionValues } from "@commander-js/extra-typings";

/** The options that every publish command has. */
export type PublishFlags = {
  readonly level?: "draft" | "release";
  readonly config?: string;
  readonly out: string;
  readonly kind?: "tutorial" | "report" | "paper" | "page";
  readonly lang?: string;
  readonly json?: true;
};

/** Adds the options that every publish command has. */
export function addPublishOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & PublishFlags> {
  command
    .addOption(
      new Option("--level <level>", "how strict (default: that of the document, else draft)").choices([
        "draft",
        "release",
      ] as const),
    )
    .option("--config <file>", "settings in YAML or JSON, a section for each stage")
    .option("-o, --out <folder>", "folder of artefacts", "turnwise-publish")
    .addOption(
      new Option("--kind <kind>", "kind of documents that do not say it").choices([
        "tutorial",
        "report",
        "paper",
        "page",
      ] as const),
    )
    .option("--lang <tag>", "language of documents that do not say it, e.g. en, zh, vi")
    .option("--json", "print one JSON document");
  return command as unknown as Command<Arguments, Options & PublishFlags>; // the same object, with the options just added
}
