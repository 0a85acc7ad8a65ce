import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { errorMessage, inputError, usageError } from "../core/index.js";
import {
  checkCitations,
  listCitationContexts,
  parseContextAnswers,
  parseRegistry,
  renderRegistry,
  resolveRegistry,
  type Assurance,
  type CitationContext,
  type CitationResolver,
  type CitationsDetails,
  type RegistryEntry,
  type ResolutionCache,
  type ResolvedRegistry,
  type StageArtefact,
} from "../publish/index.js";
import { findBibliography, openRegistry, readBibliography, readCitationSettings } from "./bibliography.js";
import { loadExport } from "./load-module.js";
import { publishFolder, readDocuments, readInput, writeStage, type DocumentFlags } from "./publish-files.js";

/** What `turnwise publish cites check` may use. */
export interface PublishCitesOptions extends DocumentFlags {
  readonly level?: Assurance;
  /** Default `turnwise-publish`. */
  readonly out?: string;
  readonly config?: string;
  /** Registry of the project, beside those that documents name. */
  readonly registry?: string;
  /** The bibliography may not be changed: only sentences are. */
  readonly isFrozen?: boolean;
  /** File with a reviewer's answers about the uses. */
  readonly answers?: string;
  /** Default now. */
  readonly now?: Date;
}

/** What became of the citations of one document. */
export interface CheckedCitations {
  readonly id: string;
  readonly file: string;
  readonly artefact: StageArtefact<CitationsDetails>;
  readonly written: readonly string[];
}

/**
 * Checks the citations of documents, those named together against each other, and writes the artefacts of the stage
 * `citations`. Nothing is looked up on a network.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function checkCitationFiles(
  paths: readonly string[],
  options: PublishCitesOptions = {},
): Promise<readonly CheckedCitations[]> {
  const { out = publishFolder, now = new Date(), kind, lang, level } = options;
  const settings = await readCitationSettings(options.config);
  const documents = await readDocuments(paths, { kind, lang });
  const answersText =
    options.answers === undefined ? undefined : new TextDecoder().decode(await readInput(options.answers, "answers"));
  const answers = answersText === undefined ? [] : parseContextAnswers(answersText, options.answers ?? "");
  const checked: CheckedCitations[] = [];
  for (const document of documents) {
    const artefact = checkCitations(document, {
      ...findBibliography(document, options.registry ?? settings.registry),
      set: documents,
      venues: settings.venues,
      isFrozen: options.isFrozen ?? settings.isFrozen,
      answers,
      level: level ?? document.frontMatter.assurance ?? "draft",
      generatedAt: now.toISOString(),
    });
    checked.push({
      id: document.id,
      file: document.file,
      artefact,
      written: [await writeStage(out, document.id, artefact)],
    });
  }
  return checked;
}

/** Returns what a reviewer is asked about the citations of documents. */
export async function listContexts(
  paths: readonly string[],
  options: PublishCitesOptions = {},
): Promise<readonly CitationContext[]> {
  const settings = await readCitationSettings(options.config);
  const documents = await readDocuments(paths, { kind: options.kind, lang: options.lang });
  return documents.flatMap((document) =>
    listCitationContexts(document, openRegistry(document, options.registry ?? settings.registry)),
  );
}

async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw inputError(`Cannot write "${file}": ${errorMessage(error)}`, undefined, error);
  }
}

/** What an import took over. */
export interface ImportedBibliography {
  readonly file: string;
  readonly added: readonly string[];
  /** Keys that were there: their facts come from the import, what was checked and noted of them is kept. */
  readonly updated: readonly string[];
  readonly unchanged: number;
}

function merge(own: RegistryEntry, incoming: RegistryEntry): RegistryEntry {
  return { ...own, ...incoming, custom: { ...incoming.custom, ...own.custom, ...pickFacts(incoming) } };
}

/** Facts that the bibliography states, which an import brings up to date. */
function pickFacts({ custom: { arxiv, venue_year } }: RegistryEntry): Partial<RegistryEntry["custom"]> {
  return { ...(arxiv === undefined ? {} : { arxiv }), ...(venue_year === undefined ? {} : { venue_year }) };
}

/**
 * Takes bibliographies (BibTeX, CSL-JSON) over into the registry `to`, which is made where it is not there.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function importBibliographies(files: readonly string[], to: string): Promise<ImportedBibliography> {
  if (/\.bib(?:tex)?$/i.test(to))
    throw usageError(`Cannot import into "${to}": a registry is CSL-JSON`, "Name a .json file with --to");
  const entries = new Map<string, RegistryEntry>();
  if (existsSync(to)) for (const entry of parseRegistry(await readFile(to, "utf8"), to)) entries.set(entry.id, entry);
  const added = new Set<string>();
  const updated = new Set<string>();
  let unchanged = 0;
  for (const file of files) {
    for (const incoming of readBibliography(file).entries) {
      const own = entries.get(incoming.id);
      const merged = own === undefined ? incoming : merge(own, incoming);
      if (own === undefined) added.add(incoming.id);
      else if (JSON.stringify(own) === JSON.stringify(merged)) unchanged += 1;
      else if (!added.has(incoming.id)) updated.add(incoming.id);
      entries.set(incoming.id, merged);
    }
  }
  await writeText(to, renderRegistry([...entries.values()]));
  return { file: to, added: [...added], updated: [...updated], unchanged };
}

/** How `turnwise publish cites resolve` works. */
export interface ResolveCitesOptions {
  /** Module files with `export const resolver`; nothing is built in. */
  readonly resolvers: readonly string[];
  /** File of kept answers; default `<registry>.cache.json`. */
  readonly cache?: string;
  /** Days for which an answer is used again; default 30. */
  readonly maxAgeDays?: number;
  readonly signal?: AbortSignal;
  /** Default now. */
  readonly now?: () => Date;
}

/** What a look-up gave. */
export interface ResolvedBibliography extends Omit<ResolvedRegistry, "entries" | "cache"> {
  readonly file: string;
  readonly cacheFile: string;
  readonly entryCount: number;
}

function isResolver(value: unknown): value is CitationResolver {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "resolve" in value &&
    typeof value.resolve === "function"
  );
}

async function loadResolver(module: string): Promise<CitationResolver> {
  const value = await loadExport(module, ["resolver"], "a resolver of citations");
  if (isResolver(value)) return value;
  throw inputError(`Cannot use the resolver of "${module}": it must be { name, resolve(entry, signal) }`);
}

async function readCache(file: string): Promise<ResolutionCache> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(await readFile(file, "utf8")) as ResolutionCache; // written below
  } catch (error) {
    throw inputError(`Cannot read the cache "${file}": ${errorMessage(error)}`, "Remove it: it is made again", error);
  }
}

/**
 * Looks the works of a registry up by the resolvers the user names, and keeps in the registry what they said.
 *
 * @throws {TurnwiseError} (usage, input) without a resolver, and for files that cannot be used.
 */
export async function resolveBibliography(file: string, options: ResolveCitesOptions): Promise<ResolvedBibliography> {
  const { resolvers: modules, cache: cacheFile = `${file}.cache.json`, now = () => new Date() } = options;
  if (modules.length === 0)
    throw usageError(
      "Cannot look works up: no resolver is named, and none is built in",
      "Name a module with export const resolver: --resolver ./my-resolver.js",
    );
  if (/\.bib(?:tex)?$/i.test(file))
    throw usageError(
      `Cannot keep what was looked up in "${file}": it is BibTeX`,
      `Import it first: turnwise publish cites import ${file} --to references.json`,
    );
  const { entries } = readBibliography(file);
  const resolvers: CitationResolver[] = [];
  for (const module of modules) resolvers.push(await loadResolver(module));
  const resolved = await resolveRegistry(entries, resolvers, {
    cache: await readCache(cacheFile),
    now,
    wait: (milliseconds) => setTimeout(milliseconds),
    ...(options.maxAgeDays === undefined ? {} : { maxAgeDays: options.maxAgeDays }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  await writeText(file, renderRegistry(resolved.entries));
  await writeText(cacheFile, `${JSON.stringify(resolved.cache, null, 1)}\n`);
  return { file, cacheFile, entryCount: entries.length, differences: resolved.differences, counts: resolved.counts };
}
