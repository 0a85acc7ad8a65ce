// internal
import { readFile, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { inputError, sha256 } from "../core/index.js";
import { toRelativePath, type PublishDocument } from "../publish/index.js";

/** Most bytes of one evidence file, and of all. */
const [maxEvidenceFile, maxEvidence] = [500_000, 2_000_000];

async function listEvidenceFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path, { recursive: true })).sort();
  return names
    .filter((name) => /\.(?:json|jsonl|csv|tsv|ya?ml|txt|md|log|bib)$/i.test(name))
    .map((name) => join(path, name));
}

/**
 * Returns files, and those in folders, as packets carry them: paths as seen from `folder`, in the order given.
 *
 * @throws {TurnwiseError} (input) when they are too large for a packet.
 */
async function readPacketFiles(roots: readonly string[], folder: string, out?: string) {
  const found = [...new Set((await Promise.all(roots.map(listEvidenceFiles))).flat())];
  // What publishing wrote itself is no evidence, and would change with every stage.
  const files = found.filter((file) => out === undefined || !file.startsWith(resolve(out) + sep));
  const evidence = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      return { path: toRelativePath(folder, file), sha256: `sha256:${sha256(bytes)}`, text: bytes.toString("utf8") };
    }),
  );
  const tooLarge = evidence.find(({ text }) => text.length > maxEvidenceFile);
  const total = evidence.reduce((sum, { text }) => sum + text.length, 0);
  if (tooLarge !== undefined || total > maxEvidence)
    throw inputError(
      `Cannot hand over ${tooLarge === undefined ? `${total} characters of evidence` : `"${tooLarge.path}"`}: at most ${maxEvidenceFile} characters a file and ${maxEvidence} in all fit a packet`,
      "Name the files that matter in evidence, or a summary of the large ones",
    );
  return evidence;
}

/**
 * Returns the evidence files of a document as reviewers get them: those its head names and those given. Missing ones are
 * left out here and make the stage BLOCKED. Files in `out`, the folder of artefacts, are no evidence.
 *
 * @throws {TurnwiseError} (input) when they are too large for a packet.
 */
export async function readEvidence(document: PublishDocument, extra: readonly string[] = [], out?: string) {
  const folder = dirname(document.file);
  const roots = [
    ...(document.frontMatter.evidence ?? []).map((path) => resolve(folder, path)),
    ...extra.map((path) => resolve(path)),
  ];
  return readPacketFiles(roots, folder, out);
}

/**
 * Returns named files and folders as an author gets them.
 *
 * @throws {TurnwiseError} (input) for one that is not there, and when they are too large for a packet.
 */
export async function readEvidenceFiles(paths: readonly string[], folder: string) {
  for (const path of paths)
    if ((await stat(path).catch(() => undefined)) === undefined)
      throw inputError(`Cannot read evidence "${path}": there is no such file or folder`);
  return readPacketFiles(
    paths.map((path) => resolve(path)),
    folder,
  );
}
