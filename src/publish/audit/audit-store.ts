import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { describeSystemError, errorMessage, inputError, sha256 } from "../../core/index.js";
import type { PublishStage } from "../verdict.js";
import { hashAuditText, parseAuditFile, renderAuditFile, type AuditFile } from "./audit-file.js";
import { parseStageArtefact, publishStages, type StoredStageArtefact } from "./stage-artefact.js";

/** Where the files of a published document lie. */
export interface PublishPaths {
  readonly out: string;
  readonly audit: string;
  readonly page: string;
  /** Folder of stage artefacts, traces, forms and earlier audits. */
  readonly folder: string;
  readonly traces: string;
  readonly forms: string;
  readonly history: string;
}

/**
 * Returns where the files of a document lie in an output folder.
 *
 * @throws {TurnwiseError} (input) for an id that is no file name.
 */
export function getPublishPaths(out: string, documentId: string): PublishPaths {
  if (documentId === "" || /[\\/:]|^\.{1,2}$/.test(documentId))
    throw inputError(
      `Cannot name files after the document id "${documentId}"`,
      "Use letters, digits, points, dashes and underscores",
    );
  const folder = join(out, `${documentId}.publish`);
  return {
    out,
    audit: join(out, `${documentId}.review.json`),
    page: join(out, `${documentId}.html`),
    folder,
    traces: join(folder, "traces"),
    forms: join(folder, "forms"),
    history: join(folder, "history"),
  };
}

/** Returns the path from a folder to a file with forward slashes, as audits write it. */
export function toRelativePath(folder: string, file: string): string {
  const path = relative(resolve(folder), resolve(file));
  // Another drive has no relative path; then only the name is kept.
  return (isAbsolute(path) ? (file.split(/[\\/]/).at(-1) ?? file) : path).split(sep).join("/");
}

/** Writes a file as a whole: readers see the old one or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const partial = `${path}.${process.pid}.partial`;
    await writeFile(partial, text);
    await rename(partial, path);
  } catch (error) {
    throw inputError(`Cannot write "${path}": ${errorMessage(error)}`, undefined, error);
  }
}

/** Returns the hash of a file's bytes, `sha256:<hex>`, or `undefined` when it is not there. */
export async function hashFile(path: string): Promise<string | undefined> {
  try {
    return `sha256:${sha256(await readFile(path))}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns the audit of a document with the hash of its text, or `undefined` when there is none.
 *
 * @throws {TurnwiseError} (input) for a file that is no audit of version 1.
 */
export async function readAudit(
  path: string,
): Promise<{ readonly audit: AuditFile; readonly sha256: string } | undefined> {
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw inputError(`Cannot read the audit "${path}": ${describeSystemError(error)}`, undefined, error);
  });
  return { audit: parseAuditFile(text, path), sha256: hashAuditText(text) };
}

/**
 * Writes the next version of an audit and keeps the one before under its hash, so that the chain can be followed. An
 * audit that another program wrote meanwhile is not overwritten.
 *
 * @throws {TurnwiseError} (input) when the file on disk is not the version this one follows.
 */
export async function writeAudit(paths: PublishPaths, audit: AuditFile): Promise<string> {
  const text = renderAuditFile(audit);
  const now = existsSync(paths.audit) ? await readFile(paths.audit, "utf8") : undefined;
  const before = now === undefined ? undefined : hashAuditText(now);
  if (before !== audit.prev_audit_sha256)
    throw inputError(
      `Cannot write "${paths.audit}": it was changed by somebody else meanwhile`,
      "Run the command again",
    );
  if (now !== undefined && before !== undefined) await replaceFile(join(paths.history, `${before.slice(7)}.json`), now);
  await replaceFile(paths.audit, text);
  return hashAuditText(text);
}

/** Writes the artefact of a stage and returns its path and hash. */
export async function writeStageArtefact(
  paths: PublishPaths,
  artefact: StoredStageArtefact,
): Promise<{ readonly path: string; readonly sha256: string }> {
  const path = join(paths.folder, `${artefact.stage}.json`);
  const text = `${JSON.stringify(artefact, null, 2)}\n`;
  await replaceFile(path, text);
  return { path, sha256: hashAuditText(text) };
}

/** A stage artefact with its place and hash. */
export interface FoundArtefact {
  readonly artefact: StoredStageArtefact;
  readonly path: string;
  readonly sha256: string;
}

/** Returns the artefacts that stages left, and what is wrong with those that cannot be read. */
export async function readStageArtefacts(paths: PublishPaths): Promise<{
  readonly found: ReadonlyMap<PublishStage, FoundArtefact>;
  readonly problems: ReadonlyMap<PublishStage, string>;
}> {
  const found = new Map<PublishStage, FoundArtefact>();
  const problems = new Map<PublishStage, string>();
  for (const stage of publishStages) {
    const path = join(paths.folder, `${stage}.json`);
    if (!existsSync(path)) continue;
    try {
      const text = await readFile(path, "utf8");
      const artefact = parseStageArtefact(text, path);
      if (artefact.stage === stage) found.set(stage, { artefact, path, sha256: hashAuditText(text) });
      else problems.set(stage, `"${path}" is the artefact of stage "${artefact.stage}"`);
    } catch (error) {
      problems.set(stage, errorMessage(error));
    }
  }
  return { found, problems };
}

/** An input that is not what a stage read. */
export interface ChangedInput {
  readonly path: string;
  readonly expected: string;
  /** Absent when the file is gone. */
  readonly actual?: string;
}

/** Returns the inputs whose bytes differ now from those recorded; paths are relative to `folder`. */
export async function findChangedInputs(
  inputs: Readonly<Record<string, string>>,
  folder: string,
): Promise<ChangedInput[]> {
  const changed: ChangedInput[] = [];
  for (const [path, expected] of Object.entries(inputs)) {
    const actual = await hashFile(resolve(folder, path));
    if (actual !== expected) changed.push({ path, expected, ...(actual === undefined ? {} : { actual }) });
  }
  return changed;
}

/** Returns the audits in a folder, by path. */
export async function listAudits(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw inputError(`Cannot read folder "${folder}": ${errorMessage(error)}`, undefined, error);
  });
  return names
    .filter((name) => name.endsWith(".review.json"))
    .sort()
    .map((name) => join(folder, name));
}
