import type { ReviewPass, TraceMode } from "../publish/index.js";
import type { AuditCommandOptions } from "./publish-workspace.js";
import type { ReviewBackendOptions } from "./review-backend.js";

/** What `turnwise publish review` does. */
export interface PublishReviewOptions extends AuditCommandOptions, ReviewBackendOptions {
  /** Default: those the kind of document must have at release. */
  readonly passes?: readonly ReviewPass[];
  /** Files and folders of evidence beside those the document names. */
  readonly evidence?: readonly string[];
  /** File with a topic a line, which the coverage pass goes through. */
  readonly topics?: string;
  /** Other documents of the set, for the consistency pass and residue scans. */
  readonly set?: readonly string[];
  /** How much is kept of each call. Default `full`. */
  readonly traces?: TraceMode;
  /** Go on until there is a reason to stop. */
  readonly isLoop?: boolean;
  /** Program that fixes findings between rounds, as one line. */
  readonly fixerCommand?: string;
  /** Rounds that are never exceeded in one loop. Default 10. */
  readonly maxRounds?: number;
  readonly onMessage?: (text: string) => void;
}
