import { afterAll, expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { createSandbox } from "../../sandbox/index.js";
import { runCalls } from "./program-tests.js";
import { createFile, templates } from "./repair-generator.js";
import type { Template } from "./template.js";

const sandbox = createSandbox({ maxThreads: 2 });
afterAll(() => sandbox.close());

const named = templates.map((make) => ({ id: make(createRandom("name")).id, make }));

/** Returns the texts of a template's programs: one for each fill, in order, then one for each defect. */
function writePrograms(
  template: Template,
  seed: number,
): { fills: string[]; defects: string[]; visible: readonly string[]; hidden: readonly string[] } {
  const { variants, visible, hidden } = createFile(template, createRandom(seed), {
    rules: "comments",
    isFaulty: false,
  });
  const withDefects = {
    ...template,
    fills: [...template.fills, ...template.defects.map((code) => ({ code, rule: "" }))],
  };
  // The names are drawn first, so both files have the same ones.
  const all = createFile(withDefects, createRandom(seed), { rules: "comments", isFaulty: false }).variants;
  const body = (text: string): string => text.split("\n").slice(2).join("\n");
  return { fills: variants.map(body), defects: all.slice(variants.length).map(body), visible, hidden };
}

test("templates have different ids, names and hole", () => {
  expect(new Set(named.map(({ id }) => id)).size).toBe(named.length);
  for (const { make } of named) expect(make(createRandom("hole")).lines.join("\n").split("{hole}")).toHaveLength(2);
});

test.each(named)(
  "template $id: every fill works, the visible tests tell all fills apart, every defect is found",
  async ({ make }) => {
    for (const seed of [1, 2, 3]) {
      const template = make(createRandom(seed));
      const { fills, defects, visible, hidden } = writePrograms(template, seed);
      const run = (text: string, calls: readonly string[]) => runCalls(sandbox, { name: "program.js", text }, calls);
      const seen = await Promise.all(fills.map((text) => run(text, visible)));
      expect(new Set(seen.map((values) => JSON.stringify(values))).size).toBe(fills.length);
      const results = await Promise.all(fills.map((text) => run(text, hidden)));
      for (const values of results)
        for (const value of values) expect(value).not.toMatch(/^(throws|does not|runs out|undefined|NaN)/);
      const wrong = await Promise.all(defects.map((text) => run(text, hidden)));
      for (const [i, values] of wrong.entries())
        for (const right of results)
          expect({ defect: defects[i], values }).not.toEqual({ defect: defects[i], values: right });
      for (const text of [...fills, ...defects]) expect(text).not.toMatch(/\{(hole|[a-z]+)\}(?!\n)/);
    }
  },
);
