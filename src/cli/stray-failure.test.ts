import { expect, test } from "vitest";
import { findStrayFault } from "./stray-failure.js";

const own = "/opt/turnwise/dist/";
function createError(...frames: readonly string[]): Error {
  const error = new Error("boom");
  error.stack = ["Error: boom", ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return error;
}

test.each([
  {
    name: "names the user's file of a rejected promise",
    error: createError("async later (file:///srv/agents/signals.mjs:3:9)", `run (file://${own}run.js:1:1)`),
    says: '"/srv/agents/signals.mjs": it failed outside of any call: boom',
  },
  {
    name: "names it in a frame without a function",
    error: createError("file:///srv/agents/a b.mjs:3:9"),
    says: undefined,
  },
  {
    name: "passes over packages and Node.js",
    error: createError(
      "f (/srv/agents/node_modules/x/i.js:1:1)",
      "node:internal/timers:1:2",
      "g (/srv/agents/env.js:2:2)",
    ),
    says: '"/srv/agents/env.js"',
  },
  { name: "is nothing for turnwise's own", error: createError(`run (file://${own}run.js:1:1)`), says: undefined },
  { name: "takes what is no error for the user's", error: "no", says: "outside of any call: no" },
])("findStrayFault() $name", ({ error, says }) => {
  const found = findStrayFault(error, own)?.message;
  if (says === undefined) expect(found ?? "").not.toContain(own);
  else expect(found).toContain(says);
});

test("findStrayFault() leaves turnwise's own faults to be reported as such", () => {
  expect(findStrayFault(createError(`run (file://${own}run.js:1:1)`), own)).toBeUndefined();
});
