import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../../test/support/train-to.ts", import.meta.url));

/** Runs a training process to its end, or until it has printed a line, when it is killed. Returns what it printed. */
async function run(folder: string, until: number, killAt?: string): Promise<string[]> {
  const child = spawn(process.execPath, ["--import", "tsx", program, folder, String(until)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === killAt) child.kill("SIGKILL");
  }
  await ended;
  return lines;
}

test("a process killed while it trains goes on as if nothing had been: weights and moments are equal bit for bit", async () => {
  const parent = mkdtempSync(join(tmpdir(), "turnwise-kill-"));
  const [whole, killed] = await Promise.all([
    run(join(parent, "whole"), 6),
    run(join(parent, "killed"), 6, "saved 2").then(async (first) => {
      expect(first).not.toContain("saved 6");
      return run(join(parent, "killed"), 6);
    }),
  ]);
  expect(killed[0]).not.toBe("saved 1");
  expect(killed.at(-1)).toBe(whole.at(-1));
  expect(whole.at(-1)).toMatch(/^weights [0-9a-f]{64},/);
  expect(readdirSync(parent).sort()).toEqual(["killed", "whole"]);
  rmSync(parent, { recursive: true });
});
