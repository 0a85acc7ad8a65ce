import { expect, test } from "vitest";
import { createTextMaker } from "./source-map.js";

test("createTextMaker() knows where the pieces of a text begin and end in its source", () => {
  const maker = createTextMaker("abcdef");
  maker.keep(0, 2);
  maker.put("XYZ", 2, 4);
  maker.put("\n", 4, 4);
  maker.keep(4, 6);
  const { text, toSource, toSourceEnd } = maker.finish();
  expect(text).toBe("abXYZ\nef");
  expect([0, 1, 2, 5, 6, 7, 8].map(toSource)).toEqual([0, 1, 2, 4, 4, 5, 6]);
  expect([1, 2, 5, 6, 7, 8].map(toSourceEnd)).toEqual([1, 2, 4, 4, 5, 6]);
});

test("createTextMaker() ends what stands before a dropped piece before it", () => {
  const maker = createTextMaker("ab--cd");
  maker.keep(0, 2);
  maker.keep(4, 6);
  const { text, toSource, toSourceEnd } = maker.finish();
  expect(text).toBe("abcd");
  expect(toSourceEnd(2)).toBe(2);
  expect(toSource(2)).toBe(4);
});
