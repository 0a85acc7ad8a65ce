import { expect, test } from "vitest";
import { warnFewTasks } from "./few-tasks.js";

test("warnFewTasks() warns below 20 tasks only", () => {
  expect(warnFewTasks(20, "bands")).toEqual([]);
  expect(warnFewTasks(19, "bands")).toEqual([
    "Only 19 tasks or families stand behind the bands; under some 20 they are too narrow",
  ]);
  expect(warnFewTasks(1, "intervals")).toEqual([
    "Only 1 task or family stands behind the intervals; under some 20 they are too narrow",
  ]);
});
