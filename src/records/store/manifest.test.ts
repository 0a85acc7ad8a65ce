import { expect, test } from "vitest";
import { diffConfigs, renderConfigDifferences } from "./manifest.js";

const list = (count: number, value: number) => Array.from({ length: count }, () => value);

test("renderConfigDifferences() writes out the first of many differences and counts the others", () => {
  const lines = renderConfigDifferences(diffConfigs(list(100, 1), list(100, 2))).split("\n");
  expect(lines[0]).toBe("  0: 1 -> 2");
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toBe("  and 88 more fields");
  expect(renderConfigDifferences(diffConfigs({ a: 1 }, {}))).toBe("  a: 1 -> (absent)");
});
