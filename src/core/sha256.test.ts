import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashJson, sha256 } from "./sha256.js";

test("sha256() gives the FIPS 180-4 example digest", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
test("sha256() equals the platform's digest for all bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(sha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
    }),
  );
});
test("sha256() equals the platform's digest for all text, lone surrogates included", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(sha256(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    }),
  );
});
test("hashJson() does not depend on the order of keys", () => {
  expect(hashJson({ a: 1, b: [2, { c: 3, d: 4 }] })).toBe(hashJson({ b: [2, { d: 4, c: 3 }], a: 1 }));
});
