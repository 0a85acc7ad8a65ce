import { markup, type Html } from "./html.js";

/** One part of a bar. */
export interface SharePart {
  /** Class that gives the colour, e.g. `stop-solved`. */
  readonly className: string;
  readonly label: string;
  /** 0..1. */
  readonly share: number;
  /** The share as it is written elsewhere. */
  readonly text: string;
}

/** Smallest share that has room for its number. */
const smallestLabelled = 0.11;

/** Returns one bar of parts that fill its width. Hidden from screen readers: the table beside it says the same. */
export function renderShareBar(parts: readonly SharePart[]): Html {
  return markup`<div class="sharebar" aria-hidden="true">${parts
    .filter(({ share }) => share > 0)
    .map(
      ({ className, label, share, text }) =>
        markup`<span class="${className}" style="flex-grow:${Math.round(share * 10000)}" title="${label}: ${text}">${share >= smallestLabelled && markup`<b>${text}</b>`}</span>`,
    )}</div>`;
}

/** Returns a small picture of two shares on one line: where `a` is, where `b` is, and the way between. */
export function renderDumbbell(a: number, b: number): Html {
  const place = (share: number): number => Math.round(60 + share * 880) / 10;
  const colour = b > a ? "var(--b)" : "var(--a)";
  return markup`<svg class="dumbbell" viewBox="0 0 100 12" aria-hidden="true"><path d="M6 6H94" stroke="var(--line)"/><path d="M${place(a)} 6H${place(b)}" style="stroke:${colour}" stroke-width="3"/><circle cx="${place(a)}" cy="6" r="4" style="fill:var(--a)"/><path d="M${place(b) - 4} 2h8v8h-8z" style="fill:var(--b)"/></svg>`;
}
