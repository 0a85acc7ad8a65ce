import { z } from "zod";
import { inputError } from "../../core/index.js";

/** The anchors that a page had, so that links of readers stay alive when headings change. */
export interface AnchorLedger {
  readonly schema: "page-anchors/1";
  /** Anchors of the headings of the last page, in order. */
  readonly anchors: readonly string[];
  /** Anchors of earlier pages, and where they lead on the last one. */
  readonly moved: { readonly [anchor: string]: string };
}

const ledgerSchema = z.object({
  schema: z.literal("page-anchors/1"),
  anchors: z.array(z.string()),
  moved: z.record(z.string(), z.string()),
});

/** Where an anchor leads whose whole surroundings are gone. */
const pageTop = "tw-main";

/**
 * Returns the ledger that a text holds.
 *
 * @throws {TurnwiseError} (input) for text that is none.
 */
export function parseAnchorLedger(text: string, path: string): AnchorLedger {
  try {
    return ledgerSchema.parse(JSON.parse(text));
  } catch (error) {
    throw inputError(
      `Cannot read the anchors of earlier pages in "${path}"`,
      "Restore the file, or remove it: then links to earlier headings are lost",
      error,
    );
  }
}

/** Returns the heading that took the place of one that is gone: the only new one where the only old one was, else the one before. */
function findSuccessor(index: number, old: readonly string[], now: readonly string[]): string {
  const isKept = (anchor: string): boolean => now.includes(anchor);
  const before = old.slice(0, index).findLast(isKept);
  const after = old.slice(index + 1).find(isKept);
  const from = before === undefined ? -1 : old.indexOf(before);
  const to = after === undefined ? old.length : old.indexOf(after);
  const added = now
    .slice(before === undefined ? 0 : now.indexOf(before) + 1, after === undefined ? now.length : now.indexOf(after))
    .filter((anchor) => !old.includes(anchor));
  // As many new as old in one gap are taken to be the same headings with other words.
  if (added.length === to - from - 1) return added[index - from - 1];
  return before ?? after ?? pageTop;
}

/**
 * Returns the ledger after a page with these anchors: every anchor that a page ever had leads somewhere. The same
 * anchors again change nothing.
 *
 * @example
 * updateAnchors({ schema: "page-anchors/1", anchors: ["intro", "setup"], moved: {} }, ["intro", "set-up"]).moved; // { setup: "set-up" }
 */
export function updateAnchors(ledger: AnchorLedger | undefined, now: readonly string[]): AnchorLedger {
  const old = ledger?.anchors ?? [];
  const moved: { [anchor: string]: string } = {};
  const follow = (anchor: string): string => {
    if (now.includes(anchor)) return anchor;
    const index = old.indexOf(anchor);
    return index < 0 ? pageTop : findSuccessor(index, old, now);
  };
  for (const anchor of old) if (!now.includes(anchor)) moved[anchor] = follow(anchor);
  for (const [anchor, target] of Object.entries(ledger?.moved ?? {}))
    if (!now.includes(anchor)) moved[anchor] = follow(target);
  return { schema: "page-anchors/1", anchors: [...now], moved };
}
