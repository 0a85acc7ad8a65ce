import { expect, test } from "vitest";
import { checkStyle } from "../../scripts/check-style.mjs";
import { plantTree } from "./tree.js";

/** Returns the problems of one planted file as `line message`. */
function check(file: string, text: string): string[] {
  return checkStyle(plantTree({ [file]: text })).map(({ line, message }) => `${line} ${message}`);
}

test.each([
  { name: "an assertion without a reason", text: "export const a = b as string;", count: 1 },
  { name: "an assertion with a reason on its line", text: "export const a = b as string; // Checked above.", count: 0 },
  {
    name: "an assertion with a reason above it",
    text: "// Checked by the schema.\nexport const a = b as string;",
    count: 0,
  },
  { name: "a const assertion", text: "export const a = [1] as const;", count: 0 },
  { name: "satisfies", text: "export const a = 1 satisfies number;", count: 0 },
  { name: "a call at the top level", text: "register();", count: 1 },
  { name: "a call behind a condition at the top level", text: "if (a) register();", count: 1 },
  { name: "a read of the environment at the top level", text: 'const home = process.env["HOME"];', count: 1 },
  { name: "the same in a function", text: 'export const f = () => { g(process.env["HOME"]); };', count: 0 },
  { name: "a loop that fills a table", text: "const a: number[] = [];\nfor (const b of [1]) a.push(b);", count: 0 },
])("checkStyle() finds $count problems in $name", ({ text, count }) => {
  expect(check("src/core/a.ts", text)).toHaveLength(count);
});

test("checkStyle() lets the program do things", () => {
  expect(check("src/cli/main.ts", "main();")).toEqual([]);
});

test("checkStyle() reports a path of one machine, and not one of a variable or an address", () => {
  const place = ["", "home", "ada", "runs"].join("/");
  const text = `const a = "${place}";\nconst b = \`\${base}${place}\`;\n// https://example.com${place} and ./docs${place}\n`;
  expect(check("test/a.ts", text)).toEqual([`1 Path "${["", "home", "ada"].join("/")}" exists on one machine only`]);
});
