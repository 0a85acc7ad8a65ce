import { expect, test } from "vitest";
import { writeCount } from "./write-count.js";

test("writeCount() takes the singular for one alone", () => {
  expect([0, 1, 2].map((count) => writeCount(count, "task"))).toEqual(["0 tasks", "1 task", "2 tasks"]);
  expect(writeCount(3, "prefix", "prefixes")).toBe("3 prefixes");
});
