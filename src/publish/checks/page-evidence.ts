import type { PageContent } from "../render/read-page.js";
import type { PageParts } from "./probe/collect-parts.js";
import type { PageStructure } from "./probe/collect-structure.js";
import type { PageTexts } from "./probe/collect-text.js";
import type { LayoutFault, PageLayout, PageOverlaps } from "./probe/measure-layout.js";
import type { PagePlace } from "./probe/page-tools.js";
import type { ContentsEntry, FoldTrial, KeyboardTrial } from "./probe/try-controls.js";

/** A finding of axe-core that weighs. */
export interface BarrierFinding {
  readonly rule: string;
  readonly impact: string;
  readonly scheme: "light" | "dark";
  readonly selector: string;
  readonly html: string;
  readonly message: string;
}

/** Something the page asked for and did not get. */
export interface BlockedLoad {
  /** Directive of the policy that forbade it; absent where the policy let it pass and the cut network did not. */
  readonly directive?: string;
  readonly address: string;
}

/** A picture of a page. */
export interface PageScreenshot {
  readonly name: "first-wide" | "first-narrow" | "widest-table" | "longest-equation";
  readonly bytes: Uint8Array;
}

/** What a page is with scripts switched off. */
export interface ScriptlessPage {
  readonly content: PageContent;
  readonly structure: PageStructure;
  /** Blocks outside folded content without a box. */
  readonly hidden: readonly string[];
  /** Folded parts that a click does not open. */
  readonly stuck: readonly string[];
}

/** All that a browser told about one page; the checks are functions of it. */
export interface PageEvidence {
  readonly browser: { readonly name: string; readonly version: string };
  readonly content: PageContent;
  readonly structure: PageStructure;
  readonly texts: PageTexts;
  readonly parts: PageParts;
  readonly layouts: readonly PageLayout[];
  readonly overlaps: readonly (PageOverlaps & { readonly width: number })[];
  readonly contents: readonly { readonly width: number; readonly entries: readonly ContentsEntry[] }[];
  readonly folds: readonly FoldTrial[];
  readonly keyboard: KeyboardTrial;
  readonly print: { readonly folded: readonly PagePlace[]; readonly cut: readonly LayoutFault[] };
  readonly scriptless: ScriptlessPage;
  /** Whether a search for words that stand only in folded content opened it; absent where there are none. */
  readonly search?: { readonly words: string; readonly block: string; readonly isOpened: boolean };
  readonly blocked: readonly BlockedLoad[];
  readonly errors: readonly string[];
  /** Absent without axe-core. */
  readonly barriers?: readonly BarrierFinding[];
  readonly skipLink: { readonly isFirst: boolean; readonly hasTarget: boolean };
  readonly landmarks: { readonly [name: string]: number };
  readonly screenshots: readonly PageScreenshot[];
  /** Counts of the page in another language, where one was given. */
  readonly pair?: PageContent & {
    readonly lang: string;
    readonly links: readonly { readonly lang: string; readonly href: string }[];
  };
}

/** Sizes that pages are looked at, in CSS pixels. */
export const renderViewports = [
  { width: 1280, height: 900 },
  { width: 768, height: 900 },
  { width: 375, height: 800 },
  { width: 320, height: 800 },
] as const;
