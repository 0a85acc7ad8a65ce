import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFolder, splitSelector } from "./run-source.js";

test("splitSelector() takes a path that exists whole, and splits any other at the last #", async () => {
  const root = await mkdtemp(join(tmpdir(), "turnwise-selector-"));
  try {
    const path = join(root, "run#1");
    await writeFile(path, "");
    expect(splitSelector(path)).toEqual({ path });
    expect(splitSelector(`${path}#base`)).toEqual({ path, policyId: "base" });
    expect(splitSelector("#base")).toEqual({ path: "#base" });
  } finally {
    await rm(root, { recursive: true });
  }
});

test.each([
  ["too long", "x".repeat(5000)],
  ["with a null character", "a\0b"],
])("a name %s is no file: splitSelector() splits it, isFolder() refuses it as input", (_name, path) => {
  expect(splitSelector(path)).toEqual({ path });
  expect(splitSelector(`${path}#base`)).toEqual({ path, policyId: "base" });
  expect(() => isFolder(path)).toThrow(/there is no such file or folder$/);
});
