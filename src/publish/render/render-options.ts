import type { CitationItem } from "../parse/nodes.js";
import type { PublishVerdict } from "../verdict.js";

/** What stands for a claim on the page. */
export interface ResolvedClaim {
  /** The number as it is displayed. */
  readonly text: string;
  /** Status of its last check, e.g. `exact_match`. */
  readonly status: string;
  /** Where its evidence stands. */
  readonly href?: string;
  /** One line for those who point at it. */
  readonly note?: string;
}

/** What stands for one work of a citation. */
export interface ResolvedCitation {
  /** E.g. `Shao et al. 2024`, or `3`. */
  readonly text: string;
  readonly href?: string;
  readonly note?: string;
}

/** An image to put into the page. */
export interface PageImage {
  readonly bytes: Uint8Array;
  /** E.g. `image/png`. */
  readonly mediaType: string;
}

/** One stage in the strip of verdicts. */
export interface StageVerdict {
  readonly stage: string;
  readonly verdict: PublishVerdict;
  readonly reason: string;
}

/** The page's own verdicts, taken from its audit. */
export interface PageVerdicts {
  readonly overall: PublishVerdict;
  readonly stages: readonly StageVerdict[];
  /** ISO date or time of the audit. */
  readonly date: string;
  readonly auditHref?: string;
  /** What was put off, one sentence each. */
  readonly deferred: readonly string[];
  /** Statements that are not verified and say so, one sentence each. */
  readonly hedged?: readonly string[];
  /** Stages that were not run. */
  readonly skipped?: readonly string[];
}

/** What a page is made with beside its document. All callbacks are pure and answer `undefined` for what they do not know. */
export interface RenderPageOptions {
  readonly resolveClaim?: (id: string) => ResolvedClaim | undefined;
  readonly resolveCitation?: (item: CitationItem) => ResolvedCitation | undefined;
  readonly resolveExternalId?: (scheme: "arxiv" | "doi", id: string) => ResolvedCitation | undefined;
  /** Answers for images that are files; remote ones are never loaded. */
  readonly loadImage?: (url: string) => PageImage | undefined;
  /** Returns the address to use on the page, for a link to a file that lies elsewhere from there. */
  readonly resolveLink?: (url: string) => string | undefined;
  readonly verdicts?: PageVerdicts;
  /** Sections of trusted HTML after the text, e.g. a bibliography or the evidence of claims. */
  readonly appendix?: string;
  /** Anchors of earlier versions and where they lead now. */
  readonly oldAnchors?: { readonly [anchor: string]: string };
  /** The same text in other languages. */
  readonly translations?: readonly { readonly lang: string; readonly name: string; readonly href: string }[];
}
