import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "./make-folder.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-folder-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("makeFolder() makes what is missing and leaves what is there", async () => {
  const path = join(folder, "a", "b", "c");
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(folder, "a", "d"))]);
  await makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
  expect(existsSync(join(folder, "a", "d"))).toBe(true);
});

test("makeFolder() refuses a file in the way, as the folder or above it", async () => {
  writeFileSync(join(folder, "file"), "");
  await expect(makeFolder(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(folder, "file", "x", "y"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test.skipIf(!existsSync("/proc/self"))(
  "makeFolder() ends where no folder can be made (skipped without /proc)",
  async () => {
    await expect(makeFolder("/proc/turnwise/run")).rejects.toMatchObject({ code: "ENOENT" });
  },
);
