import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { errorMessage, inputError } from "../core/index.js";
import {
  createRegistry,
  makeVenue,
  parseBibtex,
  parseRegistry,
  toRegistryEntry,
  type CheckCitationsOptions,
  type PublishDocument,
  type Registry,
  type RegistryEntry,
  type Venue,
} from "../publish/index.js";
import { readPublishConfig } from "./publish-files.js";

/**
 * Returns the entries of a bibliography: BibTeX by its ending `.bib`, else CSL-JSON.
 *
 * @throws {TurnwiseError} (input) for a file that cannot be read.
 */
export function readBibliography(file: string): {
  readonly entries: readonly RegistryEntry[];
  readonly sha256: string;
} {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw inputError(`Cannot read the bibliography "${file}": ${errorMessage(error)}`, undefined, error);
  }
  const text = new TextDecoder().decode(bytes);
  const entries = /\.bib(?:tex)?$/i.test(file)
    ? parseBibtex(text, file).map(toRegistryEntry)
    : parseRegistry(text, file);
  return { entries, sha256: `sha256:${createHash("sha256").update(bytes).digest("hex")}` };
}

const citationsConfig = z.strictObject({
  /** Registry of the project, beside those that documents name. */
  registry: z.string().optional(),
  /** Venues that the list does not know. */
  venues: z.array(z.string()).optional(),
  frozen: z.boolean().optional(),
});

/** Settings of the stage `citations`; paths as seen from the current folder. */
export interface CitationSettings {
  readonly registry?: string;
  readonly venues: readonly Venue[];
  readonly isFrozen: boolean;
}

/**
 * Returns the settings of a configuration file.
 *
 * @throws {TurnwiseError} (input) for settings that do not fit.
 */
export async function readCitationSettings(config: string | undefined): Promise<CitationSettings> {
  const parsed = citationsConfig.safeParse(await readPublishConfig(config, "citations"));
  if (!parsed.success)
    throw inputError(
      `Cannot use "citations" of configuration "${config}":\n${z.prettifyError(parsed.error)}`,
      "Allowed are registry, venues and frozen",
    );
  const { registry, venues = [], frozen = false } = parsed.data;
  return {
    ...(registry === undefined ? {} : { registry: join(dirname(config ?? "."), registry) }),
    venues: venues.map(makeVenue),
    isFrozen: frozen,
  };
}

/** What a document's citations are checked against, as found on the disk. */
export interface FoundBibliography extends Pick<CheckCitationsOptions, "registry" | "registrySha256" | "block"> {
  readonly inputHashes: { readonly [path: string]: string };
}

/**
 * Returns the registry of a document: the bibliographies it names and the project's, the document's own first. A file
 * that cannot be read blocks the stage; the others still count.
 */
export function findBibliography(document: PublishDocument, common?: string): FoundBibliography {
  const folder = dirname(document.file);
  const own = (document.frontMatter.bibliography ?? []).map((path) => resolve(folder, path));
  const files = [...new Set([...own, ...(common === undefined ? [] : [resolve(common)])])];
  const entries: RegistryEntry[] = [];
  const inputHashes: { [path: string]: string } = {};
  let block: FoundBibliography["block"];
  for (const file of files) {
    try {
      const read = readBibliography(file);
      entries.push(...read.entries);
      inputHashes[relative(folder, file).replaceAll("\\", "/")] = read.sha256;
    } catch (error) {
      const reason_code = existsSync(file) ? "bibliography-unreadable" : "bibliography-missing";
      block ??= { reason_code, message: errorMessage(error).split("\n").slice(0, 4).join(" ") };
      if (existsSync(file))
        inputHashes[relative(folder, file).replaceAll("\\", "/")] =
          `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
    }
  }
  const [hash] = Object.values(inputHashes);
  return {
    inputHashes,
    ...(files.length === 0 ? {} : { registry: createRegistry(entries) }),
    ...(hash === undefined || files.length !== 1 ? {} : { registrySha256: hash }),
    ...(block === undefined ? {} : { block }),
  };
}

/** Returns the registry of a document, an empty one where nothing can be read. */
export function openRegistry(document: PublishDocument, common?: string): Registry {
  return findBibliography(document, common).registry ?? createRegistry([]);
}
