import { sha256 } from "../../core/index.js";
import { foldText } from "./names.js";

/** Why an arXiv id cannot be one, or `undefined` when it can. `today` is an ISO date. */
export function findArxivFault(id: string, today?: string): string | undefined {
  const bare = id.replace(/v\d+$/, "");
  if (/^[a-z-]+(?:\.[A-Z]{2})?\/\d{7}$/.test(bare)) {
    const month = Number(bare.slice(-5, -3));
    return month >= 1 && month <= 12 ? undefined : `month ${bare.slice(-5, -3)} does not exist`;
  }
  const match = /^(\d{2})(\d{2})\.(\d+)$/.exec(bare);
  if (match === null) return "it is not of the form YYMM.NNNNN";
  const [, year, month, number] = match;
  if (Number(month) < 1 || Number(month) > 12) return `month ${month} does not exist`;
  const yearMonth = Number(year + month);
  if (yearMonth < 704) return "ids of this form begin with 0704";
  const wanted = yearMonth <= 1412 ? 4 : 5;
  if (number.length !== wanted)
    return `ids of ${year}${month} have ${wanted} digits after the point, not ${number.length}`;
  if (today !== undefined && `20${year}-${month}` > today.slice(0, 7)) return "it lies in the future";
  return undefined;
}

/** Returns year and month in which an arXiv id was given, `YYYY-MM`; `undefined` for what is no such id. */
export function findArxivMonth(id: string): string | undefined {
  const match = /^(\d{2})(0[1-9]|1[0-2])\.\d{4,5}/.exec(id) ?? /\/(\d{2})(0[1-9]|1[0-2])\d{3}/.exec(id);
  if (match === null) return undefined;
  const century = Number(match[1]) > 90 ? "19" : "20";
  return `${century}${match[1]}-${match[2]}`;
}

/** Why a DOI cannot be one, or `undefined` when it can. */
export function findDoiFault(doi: string): string | undefined {
  if (!doi.startsWith("10.")) return 'it does not begin with "10."';
  if (!/^10\.\d{4,9}(?:\.\d+)*\//.test(doi)) return "its prefix is no 10. with 4 to 9 digits and a slash";
  if (/\s/.test(doi) || /[.,;:]$/.test(doi)) return "it holds a blank or ends in a mark";
  return /^10\.[\d.]+\/.+$/.test(doi) ? undefined : "nothing stands behind its slash";
}

/** What identifies a work. */
export interface WorkIds {
  readonly arxiv?: string;
  readonly doi?: string;
  readonly title?: string;
}

/** A DOI that arXiv gave. */
const arxivDoi = /^10\.48550\/arxiv\.(.+)$/i;

/**
 * Returns the canonical id of a work: its arXiv id without version, else its DOI in lower case, else the hash of its
 * title; `undefined` without any.
 */
export function getCanonicalId({ arxiv, doi, title }: WorkIds): string | undefined {
  const own = arxiv ?? (doi === undefined ? undefined : arxivDoi.exec(doi)?.[1]);
  if (own !== undefined) return `arxiv:${own.replace(/^arxiv:/i, "").replace(/v\d+$/, "")}`;
  if (doi !== undefined) return `doi:${doi.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)/i, "").toLowerCase()}`;
  return title === undefined ? undefined : `title:${sha256(foldText(title)).slice(0, 16)}`;
}
