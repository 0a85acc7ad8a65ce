import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { getEpisodeKey, inputError, type JsonObject } from "../../core/index.js";
import { openImportSource } from "../reading/source.js";
import { createRunManifest, type RunManifest, type RunSource } from "../store/manifest.js";
import { createRunStore, type RunStore } from "../store/run-store.js";
import { skipped } from "./episode.js";
import { digestFile, type FileDigest } from "./file-digest.js";
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

/** A file of an import with what tells it from the others. */
interface OpenedFile extends ImportedFile {
  readonly path: string;
  readonly digest: FileDigest;
}

async function* reportSameFile(path: string, earlier: string): AsyncGenerator<ImportItem> {
  yield skipped("same_file", `"${path}" holds the same bytes as "${earlier}" and is not read again`);
}

/** Opens the files; one whose content an earlier one has already yields that problem alone, so no episode counts twice. */
async function openFiles(paths: readonly string[], format: string, options: ImportOptions): Promise<OpenedFile[]> {
  const ledger = createImportLedger();
  const opened: OpenedFile[] = [];
  const byContent = new Map<string, OpenedFile>();
  for (const path of paths) {
    const digest = await digestFile(path);
    const earlier = byContent.get(digest.contentSha256);
    const file: OpenedFile =
      earlier === undefined
        ? { ...(await importWithLedger(path, format, options, ledger)), path, digest }
        : { ...earlier, path, digest, items: reportSameFile(path, earlier.path) };
    if (earlier === undefined) byContent.set(digest.contentSha256, file);
    opened.push(file);
  }
  return opened;
}

/**
 * Imports files into a run folder. The files are read as a stream, so memory stays bounded by the index of the run
 * (about 300 bytes an episode) and what a format must read as a whole. The same import into the same folder again
 * adds what is new. Of files with the same content (after decompression) the first is read; the others are listed in the
 * sources without episodes and reported as `same_file`.
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
  const opened = await openFiles(files, format, options);
  const policies = options.policyId === undefined ? [] : [{ id: options.policyId }];
  const manifest = createRunManifest({ kind: "import", config: describeImport(files, options), policies }, context);
  const store = await createRunStore(folder, manifest);
  const sources: RunSource[] = [];
  let importedCount = 0;
  let knownCount = 0;
  try {
    for (const { path, digest, ...file } of opened) {
      const counts = await copyFile(path, file, store, options);
      importedCount += counts.importedCount;
      knownCount += counts.knownCount;
      sources.push({
        name: basename(path),
        format: file.format,
        sha256: digest.sha256,
        byteCount: digest.byteCount,
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
