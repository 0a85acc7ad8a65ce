import { expect, test } from "vitest";
import { warnFewTasks, warnFewVerdictTasks } from "./few-tasks.js";

test("warnFewTasks() warns below 20 tasks only", () => {
  expect(warnFewTasks(20, "bands")).toEqual([]);
  expect(warnFewTasks(19, "bands")).toEqual([
    "Only 19 tasks or families stand behind the bands; under some 20 they are too narrow",
  ]);
  expect(warnFewTasks(1, "intervals")).toEqual([
    "Only 1 task or family stands behind the intervals; under some 20 they are too narrow",
  ]);
});

test("warnFewVerdictTasks() says that there is no verdict below 10 tasks, and that bands are narrow below 20", () => {
  expect(warnFewVerdictTasks(9)).toEqual([
    "Fewer than 10 tasks or families stand behind the figures: no verdict is given",
    "Only 9 tasks or families stand behind the bands; under some 20 they are too narrow",
  ]);
  expect(warnFewVerdictTasks(10, "intervals")).toHaveLength(1);
  expect(warnFewVerdictTasks(20)).toEqual([]);
});
