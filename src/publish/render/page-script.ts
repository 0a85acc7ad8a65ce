/**
 * The one script of a published page; reading needs none of it. The theme button, the current section in the
 * contents, folded content that an address leads into is opened, everything is open in print, boxes that scroll can be
 * reached by keyboard. It must not hold the text of an end tag of script.
 */
export const documentScript = `(() => {
"use strict";
const root = document.documentElement;
const find = (id) => document.getElementById(id);
const store = { get() { try { return localStorage.getItem("turnwise-theme"); } catch { return null; } },
  set(value) { try { localStorage.setItem("turnwise-theme", value); } catch {} } };
const theme = find("tw-theme");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
const kept = store.get();
if (kept === "dark" || kept === "light") root.dataset.theme = kept;
const nameTheme = () => theme.setAttribute("aria-pressed", String(isDark()));
theme.hidden = false;
nameTheme();
prefersDark.addEventListener("change", nameTheme);
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; store.set(root.dataset.theme); nameTheme(); });

const contents = find("tw-contents");
const narrow = matchMedia("(max-width: 62rem)");
const fold = () => { if (contents) contents.open = !narrow.matches; };
fold();
narrow.addEventListener("change", fold);
if (contents) contents.addEventListener("click", (event) => { if (narrow.matches && event.target.closest("a")) contents.open = false; });

function reveal() {
  let target;
  try { target = find(decodeURIComponent(location.hash.slice(1))); } catch {}
  if (!target) return;
  let isOpened = false;
  for (let at = target; at; at = at.parentElement) if (at.localName === "details" && !at.open) { at.open = true; isOpened = true; }
  if (isOpened) target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

let closed = [];
addEventListener("beforeprint", () => { closed = [...document.querySelectorAll("main details:not([open])")]; closed.forEach((one) => { one.open = true; }); });
addEventListener("afterprint", () => { closed.forEach((one) => { one.open = false; }); closed = []; });

const boxes = [...document.querySelectorAll(".scroll, .eq-body, main pre")];
const settle = (box) => { if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute("tabindex"); };
const reach = new ResizeObserver((changes) => changes.forEach(({ target }) => settle(target)));
boxes.forEach((box) => reach.observe(box));
document.fonts.addEventListener("loadingdone", () => boxes.forEach(settle));

const links = contents ? [...contents.querySelectorAll("a")] : [];
const targets = links.map((link) => find(decodeURIComponent(link.hash.slice(1))));
let current;
function mark() {
  let index = 0;
  for (let low = 0, high = targets.length - 1; low <= high;) {
    const middle = (low + high) >> 1;
    if (targets[middle] && targets[middle].getBoundingClientRect().top < 120) { index = middle; low = middle + 1; } else high = middle - 1;
  }
  if (links[index] === current || !links[index]) return;
  current?.removeAttribute("aria-current");
  current = links[index];
  current.setAttribute("aria-current", "true");
  if (!narrow.matches) {
    const box = contents.parentElement;
    const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 40 || top > box.clientHeight - 60) box.scrollTop += top - box.clientHeight / 3;
  }
}
let isDue = false;
addEventListener("scroll", () => { if (!isDue) { isDue = true; requestAnimationFrame(() => { isDue = false; mark(); }); } }, { passive: true });
mark();
})();`;
