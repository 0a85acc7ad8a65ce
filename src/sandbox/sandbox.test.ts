import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createSandbox } from "./sandbox.js";

const sandbox = createSandbox({ maxThreads: 2 });
afterAll(() => sandbox.close());

test.each([
  { name: "returns the last value", code: "[1, 2].map((x) => x * 2)", value: [2, 4] },
  { name: "returns what a promise gives", code: "(async () => { await null; return { a: 1 }; })()", value: { a: 1 } },
  { name: "returns no value that JSON cannot carry", code: "(() => 1)", value: undefined },
  {
    name: "hides modules, processes, network and timers",
    code: "const root = [].map.constructor('return globalThis')(); ['require', 'process', 'fetch', 'XMLHttpRequest', 'setTimeout', 'Worker', 'std', 'os', 'WebAssembly'].filter((key) => key in root)",
    value: [],
  },
  {
    name: "keeps the value honest under replaced built-ins",
    code: "JSON.stringify = () => 'x'; Array.prototype.map = null; ({ a: 1 })",
    value: { a: 1 },
  },
  {
    name: "has a clock that stands still",
    code: "[Date.now(), new Date().toISOString(), new Date(2020, 0, 1).getTime(), new Date().getTimezoneOffset(), new Date().constructor === Date, new Date(5) instanceof Date, Date()]",
    value: [0, "1970-01-01T00:00:00.000Z", 1577836800000, 0, true, true, "Thu Jan 01 1970 00:00:00 GMT+0000"],
  },
  {
    name: "lets the code catch too deep a recursion",
    code: "function f() { return f() + 1; } try { f(); } catch (error) { error.message; }",
    value: "stack overflow",
  },
  {
    name: "lets the code catch a lack of memory",
    code: "try { const list = []; for (;;) list.push(new Array(1000).fill(1)); } catch (error) { error.message; }",
    value: "out of memory",
  },
])("run() $name", async ({ code, value }) => {
  expect(await sandbox.run(code)).toEqual({ outcome: "ok", output: "", ...(value === undefined ? {} : { value }) });
});

test.each([
  { name: "an endless loop", code: "for (;;);", outcome: "timeout", message: "Stopped after 30000000 steps" },
  {
    name: "an endless loop inside try",
    code: "try { for (;;); } catch { 1 } finally { 2 }",
    outcome: "timeout",
    message: "Stopped after 30000000 steps",
  },
  {
    name: "an endless loop in a getter of what is thrown",
    code: "throw { get name() { for (;;); } };",
    outcome: "timeout",
    message: "Stopped after 30000000 steps",
  },
  {
    name: "an endless loop in toJSON",
    code: "({ toJSON() { for (;;); } })",
    outcome: "timeout",
    message: "Stopped after 30000000 steps",
  },
  {
    name: "endless promise reactions",
    code: "(async () => { for (;;) await null; })()",
    outcome: "timeout",
    message: "Stopped after 30000000 steps",
  },
  {
    name: "a regular expression that backtracks forever",
    code: "/(a+)+b/.test('a'.repeat(50))",
    outcome: "timeout",
    message: "Stopped after 30000000 steps",
  },
  {
    name: "growing arrays",
    code: "const list = []; for (;;) list.push(new Array(1000).fill(1));",
    outcome: "out_of_memory",
    message: "More than 33554432 bytes are needed",
  },
  {
    name: "doubling strings",
    code: "let text = 'a'; for (;;) text += text;",
    outcome: "error",
    message: "string too long",
  },
  {
    name: "an endless recursion",
    code: "function f() { return f() + 1; } f();",
    outcome: "error",
    message: "stack overflow",
  },
  { name: "a deeply nested program", code: "eval('['.repeat(100000))", outcome: "error", message: "stack overflow" },
  {
    name: "a promise that never settles",
    code: "new Promise(() => {})",
    outcome: "error",
    message: "The promise never settles: no work is left",
  },
  { name: "a rejected promise", code: "Promise.reject(new TypeError('no'))", outcome: "error", message: "no" },
  { name: "an import", code: "import('node:fs')", outcome: "error", message: "could not load module 'node:fs'" },
  {
    name: "a static import",
    code: "import fs from 'node:fs';",
    outcome: "error",
    message: "could not load module 'node:fs'",
  },
  { name: "require", code: "require('fs')", outcome: "error", message: "'require' is not defined" },
  { name: "a cyclic value", code: "const o = {}; o.o = o; o", outcome: "error", message: "circular reference" },
  { name: "null thrown", code: "throw null", outcome: "error", message: "null" },
  {
    name: "a huge value",
    code: "'x'.repeat(100000)",
    outcome: "error",
    message: "The value has more than 65536 units of JSON",
  },
])("run() ends $name as $outcome", async ({ code, outcome, message }) => {
  const result = await sandbox.run(code);
  expect(result).toMatchObject({ outcome, error: { message } });
  expect(result.value).toBeUndefined();
});

test("run() ends the thread when a built-in function works forever, and goes on with another", async () => {
  const result = await sandbox.run("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)", { maxSeconds: 0.2 });
  expect(result).toMatchObject({ outcome: "timeout", error: { message: "Stopped after 0.2 seconds" } });
  expect(await sandbox.run("1")).toMatchObject({ outcome: "ok", value: 1 });
});

test("run() says where an error was thrown", async () => {
  const scripts = [{ name: "fee.js", code: "function fee() {\n  throw new RangeError('too small');\n}" }];
  const result = await sandbox.run("fee()", { scripts });
  expect(result.error).toEqual({ name: "RangeError", message: "too small", place: { script: "fee.js", line: 2 } });
  expect((await sandbox.run("1;\nlet x = ;", { name: "a.js" })).error).toMatchObject({
    name: "SyntaxError",
    place: { script: "a.js", line: 2 },
  });
});

test("run() captures output and cuts it at the limit", async () => {
  expect(await sandbox.run("console.log('a', 1, [2], undefined); console.error(new Error('x'));")).toMatchObject({
    output: "a 1 [2] undefined\nError: x\n",
  });
  const cut = await sandbox.run("for (let i = 0; i < 10000; i += 1) console.log('line');", { maxOutputLength: 12 });
  expect(cut).toEqual({ outcome: "ok", output: "line\nline\nli", isOutputCut: true });
});

test("run() lets nothing through to the next run", async () => {
  await sandbox.run(
    "globalThis.leak = 1; Object.prototype.leak = 1; Array.prototype.map = () => 'changed'; Math.random = () => 7;",
  );
  const code = "[typeof leak, typeof ({}).leak, [1].map((x) => x)[0], Math.random() < 1]";
  expect((await sandbox.run(code)).value).toEqual(["undefined", "undefined", 1, true]);
});

test("run() gives the same random numbers for the same seed only", async () => {
  const code = "[Math.random(), Math.random()]";
  const [first, again, other] = await Promise.all([1, 1, 2].map((seed) => sandbox.run(code, { seed })));
  expect(again).toEqual(first);
  expect(other?.value).not.toEqual(first?.value);
});

test("run() serves more runs than threads, each with its own answer", async () => {
  const results = await Promise.all(Array.from({ length: 40 }, (_, i) => sandbox.run(`${i} * 2`)));
  expect(results.map((result) => result.value)).toEqual(Array.from({ length: 40 }, (_, i) => i * 2));
});

test("run() honours a smaller limit of steps exactly, whatever the machine", async () => {
  const code = "let count = 0; for (;;) { count += 1; if (count % 1000 === 0) console.log(count); }";
  const [first, second] = await Promise.all([
    sandbox.run(code, { maxSteps: 50_000 }),
    sandbox.run(code, { maxSteps: 50_000 }),
  ]);
  expect(first?.outcome).toBe("timeout");
  expect(second).toEqual(first);
});

test("run() carries any JSON value through unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify((await sandbox.run(`JSON.parse(${JSON.stringify(text)})`)).value)).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test("run() rejects after close(), and close() rejects what waits", async () => {
  const closing = createSandbox({ maxThreads: 1 });
  const waiting = [closing.run("for (;;);"), closing.run("1")];
  const settled = Promise.allSettled(waiting);
  await closing.close();
  expect((await settled).map((result) => result.status)).toEqual(["rejected", "rejected"]);
  await expect(closing.run("1")).rejects.toThrow("the sandbox is closed");
});

test("createSandbox() refuses zero threads", () => {
  expect(() => createSandbox({ maxThreads: 0 })).toThrow(RangeError);
});
