// internal
import { decide, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an address that is none names no file and no id
  }
}

export const linkTargetsCheck: RenderCheck = {
  id: "R15",
  name: "link_targets_absolute",
  weight: "fidelity",
  description:
    "Links that leave the file are absolute or lead to a file beside the page; those within it lead to an id",
  judge({ evidence: { parts }, hasFile }) {
    const ids = new Set(parts.ids.map(({ text }) => text));
    const links = parts.addresses.filter(
      ({ tag, attribute }) => (tag === "a" || tag === "area") && attribute === "href",
    );
    let unknown = 0;
    const problems = links.flatMap(({ address: written, isInContents, ...place }): CheckLocation[] => {
      // As browsers read it.
      const address = written.replace(/[\u0000-\u0020]/g, "");
      if (address.startsWith("#")) {
        // Entries of the contents have a check of their own.
        const isThere = isInContents || address === "#" || ids.has(decode(address.slice(1)));
        return isThere ? [] : [problemAt(place, `The link leads to no id: ${address}`)];
      }
      if (address.startsWith("//")) return [problemAt(place, `The link has no scheme: ${address}`)];
      if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return [];
      if (address.startsWith("/")) return [problemAt(place, `The link leads to the root of a site: ${address}`)];
      const path = decode(address.replace(/[?#].*$/s, ""));
      if (hasFile === undefined) unknown += 1;
      return hasFile === undefined || path === "" || hasFile(path)
        ? []
        : [problemAt(place, `The link leads to no file beside the page: ${address}`)];
    });
    return decide({
      expected: "absolute links, or files beside the page",
      actual: `${links.length} links`,
      problems,
      gap: unknown === 0 ? undefined : `${unknown} links lead to files; the folder of the page was not given`,
    });
  },
};

export const uniqueIdsCheck: RenderCheck = {
  id: "R18",
  name: "unique_ids",
  weight: "fidelity",
  description: "No id twice; every id of the previous page still leads somewhere",
  judge({ evidence: { parts }, previousIds = [] }) {
    const seen = new Set<string>();
    const problems: CheckLocation[] = [];
    for (const { text = "", ...place } of parts.ids) {
      if (seen.has(text)) problems.push(problemAt(place, `The id "${text}" is there twice`));
      seen.add(text);
    }
    for (const id of previousIds)
      if (!seen.has(id)) problems.push({ message: `The id "${id}" of the previous page leads nowhere now` });
    const past =
      previousIds.length === 0 ? "no previous page" : `${previousIds.length} of the previous page among them`;
    return decide({ expected: "ids that are unique and stay", actual: `${seen.size} ids, ${past}`, problems });
  },
};
