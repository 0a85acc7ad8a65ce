import type { RegistryEntry } from "./registry.js";
import { listYears, createRegistry, isSameTitle } from "./registry.js";
import { foldText, getFamily } from "./names.js";

/** What a source says of one work. `pending`: it could not be asked now; that is never "not found". */
export interface Resolution {
  readonly result: "verified" | "unverified" | "pending" | "error";
  /** What the source has of the work, as CSL. */
  readonly record?: Partial<RegistryEntry>;
  readonly note?: string;
}

/** A plug-in that looks works up. None is built in, and none is asked unless the user names it. */
export interface CitationResolver {
  /** Name of the source, e.g. `crossref`. */
  readonly name: string;
  /** Least milliseconds between two requests; default 0. */
  readonly minIntervalMs?: number;
  /**
   * Looks one work up. May throw: that is a failure that may pass, and the work stays `pending`. Answers `unverified`
   * for a work the source does not have.
   */
  resolve(entry: RegistryEntry, signal: AbortSignal): Promise<Resolution>;
}

/** An answer that is kept. */
export interface CachedResolution extends Resolution {
  /** UTC, ISO 8601. */
  readonly at: string;
}

/** Answers by source and work. */
export type ResolutionCache = { readonly [key: string]: CachedResolution };

/** How works are looked up. */
export interface ResolveOptions {
  readonly cache?: ResolutionCache;
  /** Days for which a definite answer is used again; default 30. */
  readonly maxAgeDays?: number;
  readonly now: () => Date;
  /** Waits between requests; the caller's timer. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Milliseconds after which a request is given up; default 20,000. */
  readonly timeoutMs?: number;
}

/** A field in which a source differs from the registry. */
export interface MetadataDifference {
  readonly key: string;
  readonly field: "title" | "author" | "year";
  readonly registry: string;
  readonly source: string;
}

/** A registry after its works were looked up. */
export interface ResolvedRegistry {
  readonly entries: readonly RegistryEntry[];
  readonly cache: ResolutionCache;
  readonly differences: readonly MetadataDifference[];
  readonly counts: { readonly [result in Resolution["result"]]: number };
}

function isFresh(cached: CachedResolution | undefined, now: Date, maxAgeDays: number): cached is CachedResolution {
  if (cached === undefined || cached.result === "pending" || cached.result === "error") return false;
  const age = now.getTime() - Date.parse(cached.at);
  return age >= 0 && age <= maxAgeDays * 86_400_000;
}

async function ask(
  resolver: CitationResolver,
  entry: RegistryEntry,
  { signal, timeoutMs = 20_000 }: ResolveOptions,
): Promise<Resolution> {
  const limit = AbortSignal.timeout(timeoutMs);
  const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    return await resolver.resolve(entry, both);
  } catch (error) {
    return { result: "pending", note: error instanceof Error ? error.message : String(error) };
  }
}

function compare(entry: RegistryEntry, { record }: Resolution): MetadataDifference[] {
  if (record === undefined) return [];
  const differences: MetadataDifference[] = [];
  const add = (field: MetadataDifference["field"], registry: string | undefined, source: string | undefined): void => {
    if (registry !== undefined && source !== undefined) differences.push({ key: entry.id, field, registry, source });
  };
  if (record.title !== undefined && entry.title !== undefined && !isSameTitle(record.title, entry.title))
    add("title", entry.title, record.title);
  const [own, theirs] = [entry.author?.[0], record.author?.[0]];
  if (own !== undefined && theirs !== undefined && foldText(getFamily(own)) !== foldText(getFamily(theirs)))
    add("author", getFamily(own), getFamily(theirs));
  const year = record.issued?.["date-parts"]?.[0]?.[0];
  const years = listYears(entry, createRegistry([entry]));
  if (year !== undefined && years.length > 0 && !years.includes(year)) add("year", years.join(" or "), String(year));
  return differences;
}

/**
 * Looks every entry up by every resolver, one request after the other, and returns the registry with what they said.
 * Definite answers are kept in the cache and used again while they are young; failures leave a work `pending`.
 */
export async function resolveRegistry(
  entries: readonly RegistryEntry[],
  resolvers: readonly CitationResolver[],
  options: ResolveOptions,
): Promise<ResolvedRegistry> {
  const { now, wait, signal, maxAgeDays = 30 } = options;
  const cache: { [key: string]: CachedResolution } = { ...options.cache };
  const counts = { verified: 0, unverified: 0, pending: 0, error: 0 };
  const differences: MetadataDifference[] = [];
  const resolved: RegistryEntry[] = [];
  let isFirst = true;
  for (const entry of entries) {
    const sources = [...(entry.custom.sources ?? [])];
    for (const resolver of resolvers) {
      const key = `${resolver.name}|${entry.custom.arxiv ?? entry.DOI ?? entry.id}`;
      let answer = cache[key];
      if (!isFresh(answer, now(), maxAgeDays)) {
        if (signal?.aborted === true) break;
        if (!isFirst && (resolver.minIntervalMs ?? 0) > 0) await wait(resolver.minIntervalMs ?? 0);
        isFirst = false;
        answer = { ...(await ask(resolver, entry, options)), at: now().toISOString() };
        // A failure that may pass is not kept in place of an answer.
        if (answer.result === "verified" || answer.result === "unverified" || cache[key] === undefined)
          cache[key] = answer;
      }
      const { result, at, note } = answer;
      counts[result] += 1;
      differences.push(...compare(entry, answer));
      const place = sources.findIndex(({ name }) => name === resolver.name);
      const source = { name: resolver.name, result, at, ...(note === undefined ? {} : { note }) };
      if (place < 0) sources.push(source);
      // What was once verified is not forgotten for a failed request.
      else if (result !== "pending" || sources[place].result !== "verified") sources[place] = source;
    }
    const checked = sources
      .map(({ at }) => at)
      .sort()
      .at(-1);
    resolved.push({
      ...entry,
      custom: {
        ...entry.custom,
        ...(sources.length === 0 ? {} : { sources }),
        ...(checked === undefined ? {} : { checked_at: checked }),
      },
    });
  }
  return { entries: resolved, cache, differences, counts };
}
