import { expect, test } from "vitest";
import { isDeeperThan } from "./json-depth.js";

const loop: { self?: unknown } = {};
loop.self = loop;

test.each([
  { name: "a scalar has no level", value: 1, limit: 0, isDeeper: false },
  { name: "a list is one", value: [], limit: 0, isDeeper: true },
  { name: "a list is within one", value: [], limit: 1, isDeeper: false },
  { name: "lists and objects count alike", value: [1, { a: [] }], limit: 2, isDeeper: true },
  { name: "the limit itself is allowed", value: [1, { a: [] }], limit: 3, isDeeper: false },
  { name: "a value that contains itself ends", value: loop, limit: 50, isDeeper: true },
])("isDeeperThan(): $name", ({ value, limit, isDeeper }) => {
  expect(isDeeperThan(value, limit)).toBe(isDeeper);
});
