import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnchorLedger, updateAnchors } from "./old-anchors.js";

const start = (anchors: readonly string[]) => updateAnchors(undefined, anchors);

test.each([
  { name: "a renamed heading to its new name", old: ["a", "b", "c"], now: ["a", "x", "c"], moved: { b: "x" } },
  {
    name: "two renamed headings in a row in their order",
    old: ["a", "b", "c"],
    now: ["a", "x", "y"],
    moved: { b: "x", c: "y" },
  },
  { name: "a removed heading to the one before", old: ["a", "b", "c"], now: ["a", "c"], moved: { b: "a" } },
  { name: "a removed first heading to the one after", old: ["a", "b"], now: ["b"], moved: { a: "b" } },
  { name: "everything to the top when nothing is left", old: ["a"], now: [], moved: { a: "tw-main" } },
  { name: "nothing when headings only change places", old: ["a", "b"], now: ["b", "a"], moved: {} },
])("updateAnchors() leads $name", ({ old, now, moved }) => {
  expect(updateAnchors(start(old), now).moved).toEqual(moved);
});

test("updateAnchors() keeps every anchor there ever was alive, follows it over several pages, and repeats itself", () => {
  const page = fc.uniqueArray(fc.constantFrom(..."abcdefgh".split("")), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(page, { minLength: 1, maxLength: 5 }), (pages) => {
      let ledger = start([]);
      for (const anchors of pages) ledger = updateAnchors(ledger, anchors);
      const last = pages.at(-1) ?? [];
      for (const anchor of new Set(pages.flat()))
        expect([...last, "tw-main"]).toContain(last.includes(anchor) ? anchor : ledger.moved[anchor]);
      expect(updateAnchors(ledger, last)).toEqual(ledger);
    }),
  );
});

test("parseAnchorLedger() refuses what is none, with the file", () => {
  expect(() => parseAnchorLedger("{}", "x/anchors.json")).toThrow('"x/anchors.json"');
  expect(parseAnchorLedger(JSON.stringify(start(["a"])), "x")).toEqual(start(["a"]));
});
