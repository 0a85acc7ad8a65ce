import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { parse } from "yaml";
import { errorMessage, inputError, usageError, type JsonObject } from "../core/index.js";
import { parseDocument, type DocumentKind, type PublishDocument, type StageArtefact } from "../publish/index.js";

/** What is said of documents that do not say it themselves. */
export interface DocumentFlags {
  readonly kind?: DocumentKind;
  readonly lang?: string;
}

/** Folder that publish commands write to. */
export const publishFolder = "turnwise-publish";

/**
 * Returns the bytes of a file.
 *
 * @throws {TurnwiseError} (input) where it cannot be read; `what` names it in the message.
 */
export async function readInput(file: string, what: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw inputError(`Cannot read ${what} "${file}": ${errorMessage(error)}`, undefined, error);
  }
}

async function listMarkdown(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return [path];
  const names = (await readdir(path)).filter((name) => /\.(?:md|markdown)$/i.test(name)).sort();
  if (names.length === 0) throw inputError(`Cannot find documents in "${path}": it holds no Markdown file`);
  return names.map((name) => join(path, name));
}

/**
 * Reads and parses documents: files, or folders whose Markdown files are taken. Files are named as seen from the
 * current folder.
 *
 * @throws {TurnwiseError} (usage) without a path and for two documents with one id; (input) for a file that cannot be read.
 */
export async function readDocuments(
  paths: readonly string[],
  flags: DocumentFlags = {},
): Promise<readonly PublishDocument[]> {
  if (paths.length === 0) throw usageError("Cannot go on without a document: name Markdown files or folders of them");
  const files = [...new Set((await Promise.all(paths.map(listMarkdown))).flat())];
  const documents = await Promise.all(
    files.map(async (file) =>
      parseDocument(await readInput(file, "document"), {
        file: relative(process.cwd(), file).replaceAll("\\", "/"),
        ...flags,
      }),
    ),
  );
  const byId = new Map<string, PublishDocument>();
  for (const document of documents) {
    const rival = byId.get(document.id);
    if (rival !== undefined)
      throw usageError(
        `Cannot use "${rival.file}" and "${document.file}" together: both have the id "${document.id}"`,
        "Give one of them an id of its own in its front matter",
      );
    byId.set(document.id, document);
  }
  return documents;
}

/** Writes the artefact of a stage to `<folder>/<id>.publish/<stage>.json` and returns that path. */
export async function writeStage(folder: string, id: string, artefact: StageArtefact): Promise<string> {
  const file = join(folder, `${id}.publish`, `${artefact.stage}.json`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(artefact, null, 2)}\n`);
  } catch (error) {
    throw inputError(`Cannot write "${file}": ${errorMessage(error)}`, "Choose another folder with --out", error);
  }
  return file;
}

/**
 * Returns the settings of one stage from a configuration file in YAML or JSON, an empty object where it has none.
 *
 * @throws {TurnwiseError} (input) for a file that cannot be read or is no mapping.
 */
export async function readPublishConfig(file: string | undefined, section: string): Promise<JsonObject> {
  if (file === undefined) return {};
  const text = new TextDecoder().decode(await readInput(file, "configuration"));
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw inputError(
      `Cannot read configuration "${file}" as YAML: ${errorMessage(error).split("\n")[0]}`,
      undefined,
      error,
    );
  }
  const isMapping = (item: unknown): item is JsonObject =>
    typeof item === "object" && item !== null && !Array.isArray(item);
  if (!isMapping(value ?? {}))
    throw inputError(`Cannot use configuration "${file}": it is no mapping of stages to settings`);
  const own = (value as JsonObject | null)?.[section] ?? {}; // a mapping, just checked
  if (!isMapping(own)) throw inputError(`Cannot use configuration "${file}": "${section}" is no mapping of settings`);
  return own;
}
