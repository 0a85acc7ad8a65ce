import { expect, test } from "vitest";
import { freezeDeep } from "./freeze-deep.js";

test("freezeDeep() returns the value itself with all objects in it frozen, and leaves typed arrays", () => {
  const record = { id: "x", turns: [{ flags: { invalid: true }, extra: null }], ids: new Int32Array([1]) };
  expect(freezeDeep(record)).toBe(record);
  expect(() => record.turns.push({ flags: { invalid: false }, extra: null })).toThrow(TypeError);
  expect(() => (record.turns[0].flags.invalid = false)).toThrow(TypeError);
  record.ids[0] = 2;
  expect(record.ids[0]).toBe(2);
});

test.each([undefined, null, 3, "text"])("freezeDeep() leaves %s as it is", (value) => {
  expect(freezeDeep(value)).toBe(value);
});
