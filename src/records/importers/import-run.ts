import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { getEpisodeKey, inputError, type JsonObject } from "../../core/index.js";
import { openImportSource } from "../reading/source.js";
import { createRunManifest, type RunManifest, type RunSource } from "../store/manifest.js";
import { createRunStore, type RunStore } from "../store/run-store.js";
import { importWithLedger } from "./import-with-ledger.js";
import { createImportLedger } from "./import-ledger.js";
import type { ImportedFile, ImportItem, ImportOptions } from "./importer.js";
import { importers, recognizeImporter } from "./registry.js";

/** Optional arguments of {@linkcode importRun}. */
export interface ImportRunOptions extends ImportOptions {
  /** Importer name, or `auto`. Default `auto`. */
  readonly format?: string;
  /** Called for every problem, as it is met. Must not throw. */
  readonly onProblem?: (path: string, problem: Extract<ImportItem, { readonly type: "problem" }>) => void;
  /** Called now and then with what was kept so far. Must not throw. */
  readonly onProgress?: (progress: { readonly path: string; readonly episodeCount: number }) => void;
}

/** What an import did. */
export interface ImportSummary {
  readonly manifest: RunManifest;
  readonly sources: readonly RunSource[];
  /** Episodes written now. */
  readonly importedCount: number;
  /** Episodes that the run held already, from an earlier import of the same files. */
  readonly knownCount: number;
}

/** Episodes that wait for one sync together: enough to share its cost, few enough to bound memory. */
const batchLength = 256;

async function hashFile(path: string): Promise<{ readonly sha256: string; readonly byteCount: number }> {
  const hash = createHash("sha256");
  let byteCount = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer; // a binary stream's chunks are buffers
    hash.update(bytes);
    byteCount += bytes.length;
  }
  return { sha256: hash.digest("hex"), byteCount };
}

/**
 * Returns the files to import at a path: the file itself, or, of a folder and the folders in it, every file that an
 * importer recognises (with a named format: that this importer recognises), in the order of their names. Files that
 * another one of them already covers, as a job's result covers its trials, are left out.
 *
 * @throws {TurnwiseError} (input) when there is none.
 */
export async function listImportFiles(path: string, format = "auto"): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    throw inputError(`Cannot import "${path}": there is no such file or folder`, undefined, error);
  }
  if (!isFolder) return [path];
  const named = importers.find((importer) => importer.format === format);
  const found: string[] = [];
  const parts = new Set<string>(); // files whose records another file's import yields too
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const source = await openImportSource(file);
    const importer = named === undefined ? recognizeImporter(source) : named.detect(source) > 0 ? named : undefined;
    if (importer === undefined) continue;
    found.push(file);
    for (const part of (await importer.listParts?.(source)) ?? []) parts.add(join(dirname(file), part));
  }
  // Files that point at each other are parts of nothing else: all are read then.
  const whole = found.filter((file) => !parts.has(file.replace(/\.gz$/, "")));
  if (found.length > 0) return whole.length > 0 ? whole : found;
  throw inputError(
    `Cannot import "${path}": none of its ${files.length} files was recognised`,
    "Name the file, and its format with --format",
  );
}

function describeImport(files: readonly string[], options: ImportRunOptions): JsonObject {
  const { format = "auto", policyId, rewardField, successField, taskField, successThreshold, map } = options;
  return {
    files: files.map((file) => basename(file)),
    format,
    policyId,
    rewardField,
    successField,
    taskField,
    successThreshold,
    map,
  };
}

/** Writes one file's episodes to the store; counts problems by class. */
async function copyFile(path: string, file: ImportedFile, store: RunStore, options: ImportRunOptions) {
  const problemCounts: Record<string, number> = {};
  let importedCount = 0;
  let knownCount = 0;
  let batch: Promise<void>[] = [];
  let earlier: Promise<unknown> = Promise.resolve();
  const flush = async (): Promise<void> => {
    // One batch is written while the next one is read.
    await earlier;
    earlier = Promise.all(batch);
    earlier.catch(() => undefined); // a failure is thrown by the next await, not as unhandled
    batch = [];
    options.onProgress?.({ path, episodeCount: importedCount + knownCount });
  };
  for await (const item of file.items) {
    if (item.type === "problem") {
      problemCounts[item.problemClass] = (problemCounts[item.problemClass] ?? 0) + 1;
      options.onProblem?.(path, item);
    } else if (store.hasFinished(getEpisodeKey(item.trajectory))) knownCount += 1;
    else {
      importedCount += 1;
      batch.push(store.append(item.trajectory));
      if (batch.length >= batchLength) await flush();
    }
  }
  await flush();
  await earlier;
  return { problemCounts, importedCount, knownCount };
}

/**
 * Imports files into a run folder. The files are read as a stream, so memory stays bounded by the index of the run
 * (about 300 bytes an episode) and what a format must read as a whole. The same import into the same folder again
 * adds what is new.
 *
 * @throws {TurnwiseError} as {@linkcode importFile} and {@linkcode createRunStore}; (input) when no episode was found.
 */
export async function importRun(
  paths: readonly string[],
  folder: string,
  context: { readonly now: Date; readonly turnwiseVersion: string },
  options: ImportRunOptions = {},
): Promise<ImportSummary> {
  const { format = "auto" } = options;
  const files: string[] = [];
  for (const path of paths) files.push(...(await listImportFiles(path, format)));
  const ledger = createImportLedger();
  const opened: ImportedFile[] = [];
  for (const path of files) opened.push(await importWithLedger(path, format, options, ledger));
  const policies = options.policyId === undefined ? [] : [{ id: options.policyId }];
  const manifest = createRunManifest({ kind: "import", config: describeImport(files, options), policies }, context);
  const store = await createRunStore(folder, manifest);
  const sources: RunSource[] = [];
  let importedCount = 0;
  let knownCount = 0;
  try {
    for (const [fileIndex, path] of files.entries()) {
      const file = opened[fileIndex];
      const counts = await copyFile(path, file, store, options);
      importedCount += counts.importedCount;
      knownCount += counts.knownCount;
      sources.push({
        name: basename(path),
        format: file.format,
        ...(await hashFile(path)),
        episodeCount: counts.importedCount + counts.knownCount,
        turnNote: file.turnNote,
        problemCounts: counts.problemCounts,
      });
    }
    if (importedCount + knownCount === 0)
      throw inputError(`Cannot import ${files.map((file) => `"${file}"`).join(", ")}: no episode was found`);
    await store.updateManifest({ sources });
    return { manifest: store.manifest, sources, importedCount, knownCount };
  } finally {
    await store.close();
  }
}
