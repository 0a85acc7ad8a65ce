import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { errorMessage, inputError, usageError, type JsonObject } from "../core/index.js";
import {
  checkParity,
  fixSafely,
  hashBanTerm,
  isHashedBanList,
  lintDocument,
  loadPythonParser,
  parseBanList,
  parseWaivers,
  renderFixDiff,
  toLintSarif,
  type Assurance,
  type BanList,
  type LintDetails,
  type LintFinding,
  type LintSubject,
  type LintWaiver,
  type PublishDocument,
  type StageArtefact,
} from "../publish/index.js";
import { getPackageVersion } from "./package-version.js";
import {
  publishFolder,
  readDocuments,
  readInput,
  readPublishConfig,
  writeStage,
  type DocumentFlags,
} from "./publish-files.js";

/** What `turnwise publish lint` and `parity` do beside reading documents. */
export interface PublishLintOptions extends DocumentFlags {
  /** Default that of the document, else `draft`. */
  readonly level?: Assurance;
  /** Default `turnwise-publish`. */
  readonly out?: string;
  readonly config?: string;
  readonly rules?: readonly string[];
  readonly disabled?: readonly string[];
  readonly thresholds?: { readonly [name: string]: number };
  /** File of terms that must not be published. */
  readonly banList?: string;
  /** File of waivers, for all documents, beside those their front matter names. */
  readonly waivers?: string;
  /** Mend what can be mended safely, in the sources. */
  readonly isFixing?: boolean;
  /** Only show what would be mended; write nothing. */
  readonly isDryRun?: boolean;
  /** Default now. */
  readonly now?: Date;
}

/** What became of one document. */
export interface LintedDocument {
  readonly id: string;
  readonly file: string;
  readonly artefact: StageArtefact<LintDetails>;
  /** Where the document translates another one of the set. */
  readonly parity?: StageArtefact<LintDetails>;
  /** Paths written. */
  readonly written: readonly string[];
  /** Diff of the safe fixes, made or shown. */
  readonly fixes?: string;
}

const lintConfig = z.strictObject({
  disabled: z.array(z.string()).optional(),
  thresholds: z.record(z.string(), z.number()).optional(),
  ban_list: z.string().optional(),
  waivers: z.string().optional(),
});

/** Returns the options with the settings of the configuration file below those of the call. */
async function mergeConfig(options: PublishLintOptions): Promise<PublishLintOptions> {
  const result = lintConfig.safeParse(await readPublishConfig(options.config, "lint"));
  if (!result.success) {
    const [{ path, message }] = result.error.issues;
    throw inputError(
      `Cannot use "lint.${path.join(".")}" of configuration "${options.config}": ${message}`,
      "Allowed are disabled, thresholds, ban_list and waivers",
    );
  }
  const { disabled = [], thresholds = {}, ban_list, waivers } = result.data;
  const near = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : join(dirname(options.config ?? "."), file);
  return {
    ...options,
    disabled: [...disabled, ...(options.disabled ?? [])],
    thresholds: { ...thresholds, ...options.thresholds },
    banList: options.banList ?? near(ban_list),
    waivers: options.waivers ?? near(waivers),
  };
}

function findRepository(path: string): string | undefined {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Returns the terms that must not be published; `undefined` without a file.
 *
 * @throws {TurnwiseError} (usage) for plain terms inside the repository they guard, which the list itself would
 * publish; (input) for a file that cannot be read.
 */
export async function readBanList(
  file: string | undefined,
  documents: readonly PublishDocument[],
): Promise<BanList | undefined> {
  if (file === undefined) return undefined;
  const list = parseBanList(new TextDecoder().decode(await readInput(file, "ban list")), file);
  const isInside = documents.some((document) => {
    const root = findRepository(dirname(document.file));
    return root !== undefined && !relative(root, resolve(file)).startsWith("..");
  });
  if (isInside && !isHashedBanList(list))
    throw usageError(
      `Cannot use ban list "${file}": it lies in the repository of the documents and holds terms in plain text`,
      "Move it out of the repository, or keep it hashed: turnwise publish lint --hash-ban-list FILE",
    );
  return list;
}

/**
 * Returns the waivers of the file that a document names and of a common one, with the hashes of these files by path.
 *
 * @throws {TurnwiseError} (input) for a file that cannot be used.
 */
export async function readWaivers(
  document: PublishDocument,
  common: string | undefined,
): Promise<{ readonly waivers: readonly LintWaiver[]; readonly inputHashes: { readonly [path: string]: string } }> {
  const { waivers } = document.frontMatter;
  const files = [
    ...(waivers === undefined ? [] : [join(dirname(document.file), waivers)]),
    ...(common === undefined ? [] : [common]),
  ];
  const all: LintWaiver[] = [];
  const inputHashes: { [path: string]: string } = {};
  for (const file of files) {
    const bytes = await readInput(file, "waivers");
    const name = relative(dirname(document.file), file).replaceAll("\\", "/");
    all.push(...parseWaivers(new TextDecoder().decode(bytes), name));
    inputHashes[name] = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  }
  return { waivers: all, inputHashes };
}

/** Returns the names of users of this machine that must not stand in a text. */
export function listUserNames(): readonly string[] {
  try {
    return [userInfo().username];
  } catch {
    return []; // a process without an entry in the user database
  }
}

async function applyFixes(document: PublishDocument, isDryRun: boolean): Promise<string> {
  const fix = fixSafely(document);
  if (!isDryRun && fix.source !== document.source) {
    try {
      await writeFile(document.file, fix.source);
    } catch (error) {
      throw inputError(`Cannot write "${document.file}": ${errorMessage(error)}`, undefined, error);
    }
  }
  return renderFixDiff(document.file, fix);
}

/**
 * Judges documents by the lint rules, those that translate another one of the set also by the parity rules, and
 * writes the artefacts. With `isFixing` the sources are mended first, or with `isDryRun` only shown as mended.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function lintFiles(
  paths: readonly string[],
  given: PublishLintOptions = {},
): Promise<readonly LintedDocument[]> {
  const options = await mergeConfig(given);
  const { out = publishFolder, now = new Date(), isFixing = false, isDryRun = false } = options;
  const flags = { kind: options.kind, lang: options.lang };
  let documents = await readDocuments(paths, flags);
  const banList = await readBanList(options.banList, documents);
  const fixes = new Map<string, string>();
  if (isFixing) {
    for (const document of documents) fixes.set(document.id, await applyFixes(document, isDryRun));
    if (!isDryRun) documents = await readDocuments(paths, flags);
  }
  const shared = { set: documents, today: now.toISOString().slice(0, 10), python: await loadPythonParser() };
  const linted: LintedDocument[] = [];
  for (const document of documents) {
    const { waivers, inputHashes } = await readWaivers(document, options.waivers);
    const subject: LintSubject = {
      ...shared,
      document,
      level: options.level ?? document.frontMatter.assurance ?? "draft",
      original: documents.find(({ id }) => id === document.frontMatter.translation_of),
      ...(banList === undefined ? {} : { banList }),
      userNames: listUserNames(),
      hasFile: (path) => existsSync(join(dirname(document.file), path)),
    };
    const { rules, disabled, thresholds } = options;
    const lintOptions = { rules, disabled, thresholds, waivers, inputHashes, generatedAt: now.toISOString() };
    const artefact = lintDocument(subject, lintOptions);
    const parity = subject.original === undefined ? undefined : checkParity(subject, lintOptions);
    const artefacts = [artefact, ...(parity === undefined ? [] : [parity])];
    const written = isDryRun ? [] : await Promise.all(artefacts.map((each) => writeStage(out, document.id, each)));
    linted.push({
      id: document.id,
      file: document.file,
      artefact,
      ...(parity === undefined ? {} : { parity }),
      written,
      ...(isFixing ? { fixes: fixes.get(document.id) ?? "" } : {}),
    });
  }
  return linted;
}

/**
 * Compares a translation with its original and writes the artefact `parity` of the translation.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function checkParityFiles(
  originalFile: string,
  translationFile: string,
  given: PublishLintOptions = {},
): Promise<LintedDocument> {
  const options = await mergeConfig(given);
  const { out = publishFolder, now = new Date() } = options;
  const [original] = await readDocuments([originalFile], { kind: options.kind });
  const [document] = await readDocuments([translationFile], { kind: options.kind });
  const { waivers, inputHashes } = await readWaivers(document, options.waivers);
  const subject: LintSubject = {
    document,
    original,
    set: [document],
    level: options.level ?? document.frontMatter.assurance ?? "draft",
    python: await loadPythonParser(),
    userNames: [],
  };
  const { rules, disabled, thresholds } = options;
  const artefact = checkParity(subject, {
    rules,
    disabled,
    thresholds,
    waivers,
    inputHashes,
    generatedAt: now.toISOString(),
  });
  return { id: document.id, file: document.file, artefact, written: [await writeStage(out, document.id, artefact)] };
}

/** Returns the findings of linted documents as SARIF 2.1.0. */
export function renderLintSarif(linted: readonly LintedDocument[]): JsonObject {
  const findings: readonly LintFinding[] = linted.flatMap(({ artefact, parity }) => [
    ...artefact.details.findings,
    ...(parity?.details.findings ?? []),
  ]);
  return toLintSarif(findings, { name: "turnwise", version: getPackageVersion() });
}

/**
 * Returns a ban list with every plain term hashed; patterns and comments are left out, since they cannot be.
 *
 * @throws {TurnwiseError} (input) for a file that cannot be read.
 */
export async function hashBanList(file: string, salt: string): Promise<string> {
  const text = new TextDecoder().decode(await readInput(file, "ban list"));
  parseBanList(text, file);
  const terms = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const lines = terms.flatMap((term) => {
    if (term.startsWith("sha256:")) return [term];
    return /^\/.+\/[imu]*$/.test(term) ? [] : [hashBanTerm(term.replace(/\*$/, ""), salt)];
  });
  return `${lines.join("\n")}\n`;
}
