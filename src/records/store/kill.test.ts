import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, readdirSync, truncateSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createRandom, type Random } from "../../core/index.js";
import { makePlannedEpisode } from "./kill-plan.js";
import { readRun } from "./run-reader.js";

const writer = fileURLToPath(new URL("fixtures/kill-writer.mjs", import.meta.url));
// 4 folders, 12 kills each: 48 in all.
const killCount = 12;
const plannedCount = 16_000;
const workerCount = 200;

/** Runs the writer; kills it `killAfterMs` after its first acknowledgement, or never. */
async function runWriter(folder: string, killAfterMs: number | undefined, acknowledged: Set<number>) {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", writer, folder, String(plannedCount), String(workerCount)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exited = new Promise<NodeJS.Signals | null>((resolve) => child.on("exit", (_code, signal) => resolve(signal)));
  let problems = "";
  let isDone = false;
  let isTimerSet = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("open ")) problems = line.slice(5);
    else if (line === "done") isDone = true;
    else acknowledged.add(Number(line));
    if (killAfterMs !== undefined && !isTimerSet && !line.startsWith("open ")) {
      isTimerSet = true;
      setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    }
  }
  return { signal: await exited, problems, isDone };
}

function getLastSegment(folder: string): string {
  const name = readdirSync(join(folder, "segments")).sort().at(-1);
  if (name === undefined) throw new Error("the writer made no segment");
  return join(folder, "segments", name);
}

/** Leaves half a record behind, cut anywhere, inside a character too. */
function leaveHalfRecord(folder: string, random: Random): void {
  const last = getLastSegment(folder);
  const bytes = readFileSync(last);
  if (bytes.at(-1) !== 0x0a) truncateSync(last, bytes.lastIndexOf(0x0a) + 1); // a natural tear: replaced by ours
  const half = Buffer.from(JSON.stringify(makePlannedEpisode(random.nextInt(plannedCount))));
  appendFileSync(last, half.subarray(0, 1 + random.nextInt(half.length - 1)));
}

async function killRepeatedly(folder: string, random: Random, acknowledged: Set<number>): Promise<void> {
  let isTorn = false;
  for (let kill = 0; kill < killCount; kill += 1) {
    const { signal, problems } = await runWriter(folder, random.nextInt(60), acknowledged);
    expect(signal).toBe("SIGKILL");
    if (isTorn) expect(problems).toContain("torn_tail");
    isTorn = kill % 2 === 0;
    if (isTorn) leaveHalfRecord(folder, random);
  }
}

async function readNumbers(folder: string): Promise<Set<number>> {
  const found = new Set<number>();
  for await (const trajectory of (await readRun(folder)).read()) {
    const number = Number(trajectory.turns[0].action.text);
    expect(JSON.stringify(trajectory)).toBe(JSON.stringify(makePlannedEpisode(number)));
    found.add(number);
  }
  return found;
}

function countLines(folder: string): number {
  const segments = readdirSync(join(folder, "segments")).map((name) => readFileSync(join(folder, "segments", name)));
  return segments.reduce((sum, bytes) => sum + bytes.toString("latin1").split("\n").length - 1, 0);
}

// Several folders at once keep the time short: starting a process is what takes longest.
test.concurrent.each([1, 2, 3, 4])(
  `no acknowledged episode is lost in ${killCount} kills, and resuming completes exactly the plan (folder %i of 4)`,
  { timeout: 180_000 },
  async (folderNumber) => {
    const folder = await mkdtemp(join(tmpdir(), "turnwise-kill-"));
    const acknowledged = new Set<number>();
    try {
      await killRepeatedly(folder, createRandom("kill test", folderNumber), acknowledged);
      const found = await readNumbers(folder);
      expect([...acknowledged].filter((number) => !found.has(number))).toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(200);
      expect(found.size).toBeLessThan(plannedCount);

      expect(await runWriter(folder, undefined, acknowledged)).toMatchObject({ signal: null, isDone: true });
      const complete = await readRun(folder);
      expect(complete.problems).toEqual([]);
      expect(complete.episodeCount).toBe(plannedCount);
      expect(countLines(folder)).toBe(plannedCount); // what was kept was not played again
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
