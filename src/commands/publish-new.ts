import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { stringify } from "yaml";
import { errorMessage, inputError, usageError } from "../core/index.js";
import { publishProfiles, type Block, type DocumentKind, type Inventory } from "../publish/index.js";
import { readDocuments, type DocumentFlags } from "./publish-files.js";

/** Options of {@linkcode createDocument}. */
export interface NewDocumentOptions {
  /** Folder of the new file; default the current one. */
  readonly folder?: string;
  /** Default `en`. */
  readonly lang?: string;
  readonly title?: string;
}

/** Returns the text of a new document: its head and the sections its profile asks for. */
export function renderSkeleton(kind: DocumentKind, id: string, options: NewDocumentOptions = {}): string {
  const { lang = "en", title = id } = options;
  const head = { id, kind, lang, title, ...(kind === "report" || kind === "paper" ? { evidence: ["."] } : {}) };
  const sections = publishProfiles[kind].sections.map(({ name }, index) => `## ${index + 1} ${name}\n\n`);
  return `---\n${stringify(head)}---\n\n# ${title}\n\n${sections.join("\n")}`;
}

/**
 * Writes a new document and returns its path. An existing file is never overwritten.
 *
 * @throws {TurnwiseError} (usage) for an id that is no file name; (input) when the file is there or cannot be written.
 */
export async function createDocument(
  kind: DocumentKind,
  id: string,
  options: NewDocumentOptions = {},
): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(id))
    throw usageError(
      `Cannot name a document "${id}"`,
      "Use letters, digits, points, dashes and underscores, beginning with a letter or digit",
    );
  const file = join(options.folder ?? ".", `${id}.md`);
  if (existsSync(file))
    throw inputError(`Cannot create "${file}": it is there already`, "Choose another id, or move the file away");
  try {
    await writeFile(file, renderSkeleton(kind, id, options), { flag: "wx" });
  } catch (error) {
    throw inputError(`Cannot write "${file}": ${errorMessage(error)}`, undefined, error);
  }
  return file;
}

/** What one document holds. */
export interface DocumentInventory {
  readonly id: string;
  readonly file: string;
  readonly inventory: Inventory;
  readonly blocks: readonly Pick<Block, "id" | "type" | "lineStart" | "lineEnd" | "parent" | "anchor">[];
}

/**
 * Counts what documents hold and lists their blocks.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function listInventories(
  paths: readonly string[],
  flags: DocumentFlags = {},
): Promise<readonly DocumentInventory[]> {
  const documents = await readDocuments(paths, flags);
  return documents.map(({ id, file, inventory, blocks }) => ({
    id,
    file,
    inventory,
    blocks: blocks.map(({ id: block, type, lineStart, lineEnd, parent, anchor }) => ({
      id: block,
      type,
      lineStart,
      lineEnd,
      ...(parent === undefined ? {} : { parent }),
      ...(anchor === undefined ? {} : { anchor }),
    })),
  }));
}

/** Returns inventories as text: one line for each count. */
export function renderInventoryText(inventories: readonly DocumentInventory[]): string {
  return inventories
    .flatMap(({ file, inventory, blocks }) => [
      `${basename(file)}: ${blocks.length} blocks`,
      ...Object.entries(inventory).map(([name, value]) => {
        const shown =
          typeof value === "number"
            ? String(value)
            : Object.entries(value as { readonly [part: string]: number }) // counts by kind or language
                .map(([part, count]) => `${part} ${count}`)
                .join(", ");
        return `  ${name.padEnd(14)} ${shown === "" ? "none" : shown}`;
      }),
    ])
    .join("\n");
}
