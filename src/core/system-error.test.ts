import { expect, test } from "vitest";
import { describeSystemError, getSystemCode } from "./system-error.js";

const fail = (code: string): Error => Object.assign(new Error(`${code}: raw words, open '/x'`), { code });

test("describeSystemError() says in words what a code means, and keeps the code", () => {
  expect(describeSystemError(fail("ENOENT"))).toBe("there is no such file or folder (ENOENT)");
  expect(describeSystemError(fail("EEXIST"))).toBe("a file stands there (EEXIST)");
});

test("describeSystemError() keeps the message of a code it has no words for, and of anything thrown", () => {
  expect(describeSystemError(fail("EWEIRD"))).toBe("EWEIRD: raw words, open '/x'");
  expect(describeSystemError("text")).toBe("text");
  expect(getSystemCode("text")).toBeUndefined();
});
