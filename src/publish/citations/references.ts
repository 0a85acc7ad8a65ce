import type { PublishDocument } from "../document.js";
import type { PageReference } from "../render/evidence.js";
import { judgeUses } from "./check-citations.js";
import { getExistence } from "./judge-entries.js";
import { getFamily } from "./names.js";
import { findYear, getShortAuthors, type Registry, type RegistryEntry } from "./registry.js";

function describeFull(entry: RegistryEntry): string {
  const names = (entry.author ?? []).map((each) =>
    [each.given, getFamily(each)].filter((part) => part !== undefined && part !== "").join(" "),
  );
  const shown = names.length > 10 ? [...names.slice(0, 10), "and others"] : names;
  const { arxiv, preprint_date } = entry.custom;
  const place = entry["container-title"] ?? (arxiv === undefined ? undefined : `arXiv:${arxiv}`);
  const preprint =
    entry["container-title"] === undefined || arxiv === undefined
      ? undefined
      : `arXiv:${arxiv}${preprint_date === undefined ? "" : ` (${preprint_date})`}`;
  return [shown.join(", "), findYear(entry)?.toString(), entry.title, place, preprint]
    .filter((part) => part !== undefined && part !== "")
    .join(". ");
}

function findUrl({ URL, DOI, custom: { arxiv } }: RegistryEntry): string | undefined {
  if (arxiv !== undefined) return `https://arxiv.org/abs/${arxiv}`;
  if (DOI !== undefined) return `https://doi.org/${DOI}`;
  return URL !== undefined && /^https?:\/\//i.test(URL) ? URL : undefined;
}

/** Returns the works that a document cites by key, in the order of their first use, as its page lists them. */
export function listReferences(document: PublishDocument, registry: Registry): PageReference[] {
  const keys = new Set(judgeUses(document, registry).flatMap(({ key }) => key ?? []));
  return [...keys].flatMap((key): PageReference[] => {
    const entry = registry.find(key);
    if (entry === undefined) return [];
    const { existence, at } = getExistence(entry);
    const year = findYear(entry);
    const url = findUrl(entry);
    const { status } = entry.custom;
    const note = status === "withdrawn" || status === "retracted" ? status : existence;
    return [
      {
        key,
        short: `${getShortAuthors(entry)}${year === undefined ? "" : ` ${year}`}`,
        full: describeFull(entry),
        ...(url === undefined ? {} : { url }),
        status: note,
        ...(at === undefined ? {} : { checkedAt: at }),
      },
    ];
  });
}
