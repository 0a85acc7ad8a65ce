/**
 * The one script of a page. It only adds comfort: the theme button, evidence beside the number that was activated,
 * filters and arrow keys in the list of episodes, the current section in the contents. Written for browsers as it
 * stands, since the page's policy names its hash; it must not hold the text of an end tag of script.
 */
export const pageScript = `(() => {
"use strict";
const find = (id) => document.getElementById(id);
const root = document.documentElement;

const store = { get() { try { return localStorage.getItem("turnwise-theme"); } catch { return null; } },
  set(value) { try { localStorage.setItem("turnwise-theme", value); } catch {} } };
const theme = find("theme");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
const nameTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
const kept = store.get();
if (kept === "dark" || kept === "light") root.dataset.theme = kept;
theme.hidden = false;
nameTheme();
prefersDark.addEventListener("change", nameTheme);
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; store.set(root.dataset.theme); nameTheme(); });

const evidence = find("evidence");
const heads = evidence ? [...evidence.querySelectorAll("thead th")].map((cell) => cell.textContent.trim()) : [];
let card;
let opener;
function makeCard() {
  card = document.createElement("div");
  card.id = "evidence-card";
  card.popover = "auto";
  card.tabIndex = -1;
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-label", "Evidence");
  card.addEventListener("toggle", (event) => {
    if (event.newState === "closed" && card.contains(document.activeElement)) opener.focus({ preventScroll: true });
  });
  document.body.append(card);
}
function showEvidence(link) {
  const row = find(decodeURIComponent(link.hash.slice(1)));
  if (!row || !HTMLElement.prototype.showPopover) return false;
  if (!card) makeCard();
  opener = link;
  const list = document.createElement("dl");
  [...row.cells].forEach((cell, index) => {
    const text = cell.textContent.trim();
    if (text === "") return;
    const term = document.createElement("dt");
    const value = document.createElement("dd");
    term.textContent = heads[index];
    value.textContent = text;
    list.append(term, value);
  });
  const more = document.createElement("a");
  more.href = link.hash;
  more.textContent = "Show in the list of evidence";
  more.addEventListener("click", () => { opener = more; card.hidePopover(); });
  card.replaceChildren(list, more);
  card.showPopover();
  const box = link.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - card.offsetWidth - 8));
  const isBelow = box.bottom + card.offsetHeight + 8 < innerHeight;
  card.style.left = left + scrollX + "px";
  card.style.top = (isBelow ? box.bottom + 6 : Math.max(0, box.top - card.offsetHeight - 6)) + scrollY + "px";
  card.focus({ preventScroll: true });
  return true;
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.n");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && showEvidence(link)) event.preventDefault();
});

const entries = find("entries");
if (entries) {
  const items = [...entries.children];
  const links = items.map((item) => item.firstElementChild);
  const articles = links.map((link) => find(link.hash.slice(1)));
  const filters = find("filters");
  const box = find("find");
  const selects = [...filters.querySelectorAll("select")];
  const texts = [];
  filters.hidden = false;
  function filter() {
    const wanted = box.value.trim().toLowerCase();
    let count = 0;
    items.forEach((item, index) => {
      const fits = selects.every(({ value, dataset }) => value === "" || item.dataset[dataset.filter] === value);
      texts[index] ??= (item.textContent + " " + articles[index].textContent).toLowerCase();
      item.hidden = !(fits && (wanted === "" || texts[index].includes(wanted)));
      if (!item.hidden) count += 1;
    });
    find("found").textContent = count === items.length ? "" : count + " of " + items.length;
    rove();
  }
  function rove(target) {
    const open = links.filter((link) => !link.parentElement.hidden);
    const current = target ?? open.find((link) => link.hash === location.hash) ?? open[0];
    links.forEach((link) => { link.tabIndex = link === current ? 0 : -1; });
    return open;
  }
  function mark() {
    const shown = links.find((link) => link.hash === location.hash) ?? links[0];
    links.forEach((link) => { if (link === shown) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current"); });
  }
  entries.addEventListener("keydown", (event) => {
    const open = rove(document.activeElement);
    const at = open.indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: open.length - 1 };
    if (at < 0 || !(event.key in moves)) return;
    event.preventDefault();
    const next = open[Math.max(0, Math.min(open.length - 1, moves[event.key]))];
    rove(next);
    next.focus();
  });
  box.addEventListener("input", filter);
  selects.forEach((select) => select.addEventListener("change", filter));
  addEventListener("hashchange", mark);
  mark();
  rove();
}

const targets = [...document.querySelectorAll(".contents a")].map((link) => [link, find(link.hash.slice(1))]);
if (targets.length > 0 && "IntersectionObserver" in window) {
  const visible = new Set();
  const observer = new IntersectionObserver((changes) => {
    changes.forEach(({ target, isIntersecting }) => { if (isIntersecting) visible.add(target); else visible.delete(target); });
    const first = targets.find(([, section]) => visible.has(section));
    if (!first) return;
    targets.forEach(([link]) => link.removeAttribute("aria-current"));
    first[0].setAttribute("aria-current", "true");
  }, { rootMargin: "0px 0px -60% 0px" });
  targets.forEach(([, section]) => { if (section) observer.observe(section); });
}
})();`;
