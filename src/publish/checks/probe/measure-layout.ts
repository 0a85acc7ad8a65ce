// internal
import type { PagePlace, PreparedPage } from "./page-tools.js";

/** A place with how far it goes wrong, in CSS pixels. */
export interface LayoutFault extends PagePlace {
  readonly pixels: number;
}

/** How a page lies at one width. */
export interface PageLayout {
  readonly width: number;
  /** Of the whole document. */
  readonly scrollWidth: number;
  /** Blocks that stick out of the window and cannot be scrolled to on their own. */
  readonly wide: readonly LayoutFault[];
  /** Formulas without a box; those in folded content do not count. */
  readonly empty: readonly PagePlace[];
}

/** How blocks lie towards each other. */
export interface PageOverlaps {
  readonly overlaps: readonly (LayoutFault & { readonly other: string })[];
  /** Blocks beyond the block around them. */
  readonly outside: readonly LayoutFault[];
}

/** Measures what is wider than the window; runs inside the page. */
export function measureLayout(): PageLayout {
  const { locate, findScroller } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const width = document.documentElement.clientWidth;
  const shown = [...document.querySelectorAll("body *:not(.katex *):not(pre *):not(.hidden):not(.skip)")].filter(
    (element) => element.checkVisibility(),
  );
  const wide = shown.flatMap((element) => {
    const { right, left, width: own } = element.getBoundingClientRect();
    const beyond = Math.max(right - width, -left);
    if (own === 0 || beyond <= 1) return [];
    const scroller = findScroller(element);
    const isReachable = scroller !== undefined && /auto|scroll/.test(getComputedStyle(scroller).overflowX);
    return isReachable ? [] : [{ ...locate(element), pixels: Math.round(beyond) }];
  });
  // A box that cuts what is wider than itself hides it.
  const cut = shown.flatMap((element) => {
    if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) return [];
    const { overflowX } = getComputedStyle(element);
    return /hidden|clip/.test(overflowX) && !element.matches(".verdict")
      ? [{ ...locate(element), pixels: element.scrollWidth - element.clientWidth }]
      : [];
  });
  const empty = [...document.querySelectorAll("body .katex")]
    .filter((formula) => formula.checkVisibility())
    .filter((formula) => {
      const box = (formula.querySelector(".katex-html") ?? formula).getBoundingClientRect();
      return box.width === 0 || box.height === 0;
    });
  return {
    width,
    scrollWidth: document.documentElement.scrollWidth,
    wide: [...wide, ...cut],
    empty: empty.map((formula) => locate(formula)),
  };
}

/** Measures blocks that lie over each other or beyond the block around them; runs inside the page. */
export function measureOverlaps(): PageOverlaps {
  const { locate, findScroller } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const tolerance = 2;
  const shown = [...document.querySelectorAll(":is([data-block], .masthead > *, footer):not(tr, td, th)")]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const box = element.getBoundingClientRect();
      const scroller = findScroller(element)?.getBoundingClientRect();
      // What a box scrolls is on screen only inside it.
      const right = Math.min(box.right, scroller?.right ?? Infinity);
      const left = Math.max(box.left, scroller?.left ?? -Infinity);
      return { element, box, left, right, top: box.top, bottom: box.bottom };
    })
    .filter(({ right, left, top, bottom }) => right - left > tolerance && bottom - top > tolerance)
    .sort((a, b) => a.top - b.top);
  const overlaps: PageOverlaps["overlaps"][number][] = [];
  let open: typeof shown = [];
  for (const each of shown) {
    open = open.filter(({ bottom }) => bottom - each.top > tolerance);
    for (const other of open) {
      const across = Math.min(each.right, other.right) - Math.max(each.left, other.left);
      if (across <= tolerance || each.element.contains(other.element) || other.element.contains(each.element)) continue;
      const down = Math.min(each.bottom, other.bottom) - each.top;
      const name = locate(other.element);
      overlaps.push({
        ...locate(each.element),
        other: name.block ?? name.selector,
        pixels: Math.round(Math.min(down, across)),
      });
    }
    open.push(each);
  }
  const outside = shown.flatMap(({ element, left, right, top, bottom }) => {
    const parent = element.parentElement?.closest("[data-block]");
    if (parent === null || parent === undefined) return [];
    const outer = parent.getBoundingClientRect();
    const beyond = Math.max(outer.left - left, right - outer.right, outer.top - top, bottom - outer.bottom);
    return beyond > tolerance ? [{ ...locate(element), pixels: Math.round(beyond) }] : [];
  });
  return { overlaps, outside };
}

/** Measures what print would cut or leave folded; runs inside the page while it is laid out for print. */
export function measurePrint(): { readonly folded: readonly PagePlace[]; readonly cut: readonly LayoutFault[] } {
  const { locate, findScroller } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const width = document.documentElement.clientWidth;
  const folded = [...document.querySelectorAll("main details")].flatMap((details) => {
    const hidden = [...details.children].filter(
      (child) =>
        child.localName !== "summary" && child.textContent?.trim() !== "" && child.getBoundingClientRect().height === 0,
    );
    return hidden.slice(0, 1).map(() => locate(details));
  });
  const cut = [...document.querySelectorAll("main :is(table, .eq, pre, img, figure)")].flatMap((element) => {
    const inner = element.matches(".eq") ? [...element.querySelectorAll(".katex-html > .base, .tag")] : [element];
    const boxes = inner.map((each) => each.getBoundingClientRect()).filter((box) => box.width > 0);
    const right = Math.max(0, ...boxes.map((box) => box.right));
    const scroller = findScroller(element);
    const edge = Math.min(
      width,
      scroller === undefined || scroller.localName === "body" ? width : scroller.getBoundingClientRect().right,
    );
    const own = getComputedStyle(element).overflowX === "visible" ? 0 : element.scrollWidth - element.clientWidth;
    const pixels = Math.round(Math.max(right - edge, own));
    return pixels > 1 ? [{ ...locate(element), pixels }] : [];
  });
  return { folded, cut };
}
