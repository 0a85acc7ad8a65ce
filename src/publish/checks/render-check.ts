import type { PublishDocument } from "../document.js";
import type { BanList } from "../lint/text/ban-list.js";
import type { LintWaiver } from "../lint/waivers.js";
import type { PageVerdicts } from "../render/render-options.js";
import type { PageEvidence } from "./page-evidence.js";
import type { PagePlace } from "./probe/page-tools.js";

/** What a check says. `warn` is a failure that the level forgives; `unknown` that something it needs was not there. */
export type CheckStatus = "pass" | "warn" | "fail" | "not_applicable" | "unknown";

/** What one check found. */
export interface CheckOutcome {
  readonly status: CheckStatus;
  readonly expected: string;
  readonly actual: string;
  /** At most 20; `actual` says how many there were. */
  readonly locations: readonly CheckLocation[];
}

/** Where a check found something wrong. */
export interface CheckLocation extends Partial<PagePlace> {
  readonly message: string;
}

/** A claim as the last check of the ledger left it. */
export interface LedgerClaim {
  readonly id: string;
  /** The recomputed value as it is to be shown. */
  readonly text: string;
}

/** What the checks judge: a page as the browser saw it, with what it should be. Absent parts leave checks undecided. */
export interface RenderSubject {
  readonly evidence: PageEvidence;
  readonly html: string;
  readonly document?: PublishDocument;
  /** The page made twice from the same source. */
  readonly renderings?: readonly [string, string];
  /** Ids of the page that readers know. */
  readonly previousIds?: readonly string[];
  /** Says whether a file exists; the path is relative to the page. */
  readonly hasFile?: (path: string) => boolean;
  readonly claims?: readonly LedgerClaim[];
  /** What the audit says now. */
  readonly verdicts?: PageVerdicts;
  readonly banList?: BanList;
  /** Names of users of this machine. */
  readonly userNames?: readonly string[];
  /** Waivers of lint, which hold for the page too. */
  readonly waivers?: readonly LintWaiver[];
  /** ISO date on which waivers are judged. */
  readonly today?: string;
  /** Largest page; default 5 MiB. */
  readonly maxBytes?: number;
  /** Scripts that a page may hold; default that of the renderer. */
  readonly scripts?: readonly string[];
}

/** One of the checks of a rendered page. */
export interface RenderCheck {
  /** `R01` to `R32`. */
  readonly id: string;
  readonly name: string;
  /** What holds when it passes. */
  readonly description: string;
  /** `fidelity` fails at every level, `quality` only at release, `hint` never. */
  readonly weight: "fidelity" | "quality" | "hint";
  readonly judge: (subject: RenderSubject) => CheckOutcome;
}
