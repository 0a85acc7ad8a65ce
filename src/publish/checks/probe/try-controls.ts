// internal
import type { CDPSession, Page } from "playwright-core";
import type { PagePlace, PreparedPage } from "./page-tools.js";

/** What came of clicking an entry of the contents. */
export interface ContentsEntry extends PagePlace {
  readonly href: string;
  readonly depth: number;
  readonly hasTarget: boolean;
  /** Whether the target lay in the window after the click. */
  readonly isReached: boolean;
}

/** What came of working one folded part. */
export interface FoldTrial extends PagePlace {
  readonly isClickable: boolean;
  readonly opensByClick: boolean;
  readonly opensByKey: boolean;
  /** Blocks inside that have no height when it is open. */
  readonly emptyBlocks: readonly string[];
  readonly blockCount: number;
  readonly opensByFragment: boolean;
}

/** What came of going through a page with the tab key. */
export interface KeyboardTrial {
  /** Controls in the order of the page. */
  readonly controls: readonly PagePlace[];
  /** Positions in `controls` as they got the focus. */
  readonly order: readonly number[];
  /** Controls that showed nothing when they had the focus, or lay outside the window. */
  readonly unseen: readonly PagePlace[];
}

/** Presses a key many times without waiting for each; the keys arrive in order. */
async function pressKey(session: CDPSession, key: "Tab" | "Enter", count: number): Promise<void> {
  const code = key === "Tab" ? 9 : 13;
  const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === "Enter" ? { text: "\r" } : {}) };
  const sent = Array.from({ length: count }, () => [
    session.send("Input.dispatchKeyEvent", { type: key === "Enter" ? "keyDown" : "rawKeyDown", ...event }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...event }),
  ]);
  await Promise.all(sent.flat());
}

/** Clicks every entry of the contents; runs inside the page. */
export async function tryContents(): Promise<ContentsEntry[]> {
  const { locate, readText, wait } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const contents = document.querySelector<HTMLDetailsElement>("nav details");
  const entries: ContentsEntry[] = [];
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav ol a[href]")) {
    if (contents !== null) contents.open = true;
    const href = link.getAttribute("href") ?? "";
    let name = "";
    try {
      name = decodeURIComponent(href.slice(1));
    } catch {} // an address that is none has no target
    const target = href.startsWith("#") && name !== "" ? document.getElementById(name) : null;
    if (target !== null) {
      link.click();
      await wait();
    }
    const box = target?.getBoundingClientRect();
    entries.push({
      ...locate(link, readText(link)),
      href,
      depth: link.closest("ol ol") === null ? 2 : 3,
      hasTarget: target !== null,
      isReached: box !== undefined && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    });
  }
  scrollTo(0, 0);
  history.replaceState(null, "", location.pathname);
  return entries;
}

/** Clicks every summary and opens everything; runs inside the page. */
async function clickFolds(): Promise<Omit<FoldTrial, "opensByKey" | "opensByFragment">[]> {
  const { locate, wait } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const all = [...document.querySelectorAll<HTMLDetailsElement>("main details")];
  const trials = all.map((details) => {
    for (let at = details.parentElement; at !== null; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true;
    const summary = details.querySelector<HTMLElement>(":scope > summary");
    summary?.scrollIntoView({ block: "center", behavior: "instant" });
    const box = summary?.getBoundingClientRect();
    const hit =
      box === undefined
        ? null
        : document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 12));
    const before = details.open;
    summary?.click();
    const isToggled = details.open !== before;
    details.open = true;
    return { details, isClickable: hit !== null && summary?.contains(hit) === true, opensByClick: isToggled };
  });
  await wait();
  return trials.map(({ details, ...trial }) => {
    const blocks = [...details.querySelectorAll("[data-block]:not(summary)")].filter(
      (block) => block.parentElement?.closest("[data-block]") === details,
    );
    const empty = blocks.filter((block) => block.getBoundingClientRect().height === 0);
    return {
      ...locate(details),
      ...trial,
      blockCount: blocks.length,
      emptyBlocks: empty.map((block) => block.getAttribute("data-block") ?? ""),
    };
  });
}

/** Makes the summaries take the focus one after the other as a key is let go; runs inside the page. */
function prepareKeys(): void {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("main details")];
  const opened = all.map(() => false);
  let index = -1;
  const next = (): void => {
    index += 1;
    all[index]?.querySelector<HTMLElement>(":scope > summary")?.focus({ preventScroll: true });
  };
  const isOpen = all.map(({ open }) => open);
  addEventListener("keyup", () => {
    if (index < all.length && index >= 0) {
      opened[index] = all[index].open !== isOpen[index];
      // A part that the key closed would keep those in it from the focus.
      all[index].open = isOpen[index];
    }
    next();
  });
  Object.assign(globalThis, { turnwiseOpened: opened });
  next();
}

/** Folds everything and goes to the address of each folded part; runs inside the page. */
async function openByFragment(): Promise<boolean[]> {
  const { wait } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const all = [...document.querySelectorAll<HTMLDetailsElement>("main details")];
  const results: boolean[] = [];
  for (const details of all) {
    for (const each of all) each.open = false;
    const inside = [...details.children].filter(({ localName }) => localName !== "summary");
    const named = inside.flatMap((child) => [child, ...child.querySelectorAll("[id]")]).find(({ id }) => id !== "");
    const target = named ?? inside[0];
    if (target === undefined) {
      results.push(true);
      continue;
    }
    const name = target.id === "" ? "turnwise-probe" : target.id;
    target.id = name;
    location.hash = "";
    location.hash = name;
    await wait();
    results.push(details.open);
    if (named === undefined) target.removeAttribute("id");
  }
  history.replaceState(null, "", location.pathname);
  return results;
}

/** Opens every folded part by click, by key and by address; everything is open afterwards. */
export async function tryFolds(page: Page, session: CDPSession): Promise<FoldTrial[]> {
  const fragments = await page.evaluate(openByFragment);
  await page.evaluate(() =>
    document.querySelectorAll<HTMLDetailsElement>("main details").forEach((each) => (each.open = false)),
  );
  await page.evaluate(() => {
    // Summaries in closed parts cannot have the focus.
    document.querySelectorAll<HTMLDetailsElement>("main details:has(details)").forEach((each) => (each.open = true));
  });
  await page.evaluate(prepareKeys);
  await pressKey(session, "Enter", fragments.length);
  const keys = await page.evaluate(() => (globalThis as unknown as { turnwiseOpened: boolean[] }).turnwiseOpened); // put there by prepareKeys
  const clicks = await page.evaluate(clickFolds);
  return clicks.map((trial, index) => ({
    ...trial,
    opensByKey: keys[index] ?? false,
    opensByFragment: fragments[index] ?? false,
  }));
}

/** Notes what gets the focus; runs inside the page and returns the number of controls. */
function watchFocus(): number {
  const { locate, isShown } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  scrollTo(0, 0);
  (document.activeElement as HTMLElement | null)?.blur(); // every element that has the focus can lose it
  const all = [
    ...document.querySelectorAll<HTMLElement>("a[href], button, summary, input, select, textarea, [tabindex]"),
  ];
  const controls = all.filter((element) => {
    if (element.tabIndex < 0 || element.matches(":disabled")) return false;
    return isShown(element) || (element.checkVisibility() && element.getBoundingClientRect().width > 0);
  });
  const order: number[] = [];
  const unseen: PagePlace[] = [];
  addEventListener("focusin", ({ target }) => {
    const element = target as HTMLElement; // what gets the focus is an element
    order.push(controls.indexOf(element));
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isMarked = (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    if (!isMarked || box.right <= 0 || box.width === 0) unseen.push(locate(element));
  });
  Object.assign(globalThis, { turnwiseFocus: { controls: controls.map((control) => locate(control)), order, unseen } });
  return controls.length;
}

/** Goes through the page with the tab key, from its start to its last control. */
export async function tryKeyboard(page: Page, session: CDPSession): Promise<KeyboardTrial> {
  let missing = await page.evaluate(watchFocus);
  // Boxes that scroll take the focus too where the browser gives it to them: a few more presses reach the end.
  for (let round = 0; round < 4 && missing > 0; round += 1) {
    await pressKey(session, "Tab", missing);
    missing = await page.evaluate(() => {
      const { controls, order } = (globalThis as unknown as { turnwiseFocus: KeyboardTrial }).turnwiseFocus; // put there by watchFocus
      return controls.filter((_control, index) => !order.includes(index)).length;
    });
  }
  return page.evaluate(() => (globalThis as unknown as { turnwiseFocus: KeyboardTrial }).turnwiseFocus); // as above
}
