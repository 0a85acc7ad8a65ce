import { readFile, rmdir } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createSession } from "./session.js";

async function report(error: unknown) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = createSession({ stdout, stderr }).reportFailure(error);
  return { code, text: String(stderr.read() ?? "") };
}

const fail = (use: Promise<unknown>) =>
  use.then(
    () => undefined,
    (error: unknown) => error,
  );

test("reportFailure() takes what a user's files cause for no fault of turnwise", async () => {
  expect(await report(await fail(readFile("src")))).toEqual({
    code: 3,
    text: expect.stringMatching(/^error: Cannot read a file: it is a folder, not a file \(EISDIR\)\n$/) as string,
  });
  expect(await report(await fail(rmdir("package.json")))).toEqual({
    code: 3,
    text: 'error: Cannot use "package.json": a part of the path is a file, not a folder (ENOTDIR)\n',
  });
});

test("reportFailure() shows the lines of what turnwise is at fault for", async () => {
  for (const error of [new TypeError("x"), await fail(readFile("no-such-file-of-ours.wasm"))]) {
    const { code, text } = await report(error);
    expect(code).toBe(4);
    expect(text).toMatch(/^internal error: [\s\S]*please report it/);
  }
});
