import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, readdirSync, truncateSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { makePlannedEpisode } from "./kill-plan.js";
import { readRun } from "./run-reader.js";

const writer = fileURLToPath(new URL("fixtures/kill-writer.mjs", import.meta.url));
const killCount = 40;
const plannedCount = 60_000;
const workerCount = 200;

/** Runs the writer; kills it `killAfterMs` after its first acknowledgement, or never. */
async function runWriter(folder: string, killAfterMs: number | undefined, acknowledged: Set<number>) {
  const child = spawn(process.execPath, ["--import", "tsx", writer, folder, String(plannedCount), String(workerCount)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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

test(
  `no acknowledged episode is lost in ${killCount} kills, and resuming completes exactly the plan`,
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "turnwise-kill-"));
    const random = createRandom("kill test");
    const acknowledged = new Set<number>();
    let expectTear = false;
    try {
      for (let kill = 0; kill < killCount; kill += 1) {
        const { signal, problems } = await runWriter(folder, random.nextInt(80), acknowledged);
        expect(signal).toBe("SIGKILL");
        if (expectTear) expect(problems).toContain("torn_tail");
        // Every other time half a record is left behind as well, cut anywhere, inside a character too.
        expectTear = kill % 2 === 0;
        if (expectTear) {
          const last = getLastSegment(folder);
          const bytes = readFileSync(last);
          if (bytes.at(-1) !== 0x0a) truncateSync(last, bytes.lastIndexOf(0x0a) + 1); // a natural tear: replaced by ours
          const half = Buffer.from(JSON.stringify(makePlannedEpisode(plannedCount + kill)));
          appendFileSync(last, half.subarray(0, 1 + random.nextInt(half.length - 1)));
        }
      }
      const lostByKills = acknowledged.size;
      const run = await readRun(folder);
      const found = new Set<number>();
      for await (const trajectory of run.read()) {
        const number = Number(trajectory.turns[0].action.text);
        expect(JSON.stringify(trajectory)).toBe(JSON.stringify(makePlannedEpisode(number)));
        found.add(number);
      }
      expect([...acknowledged].filter((number) => !found.has(number))).toEqual([]);
      expect(lostByKills).toBeGreaterThan(1000);
      expect(acknowledged.size).toBeLessThan(plannedCount);

      const last = await runWriter(folder, undefined, acknowledged);
      expect(last).toMatchObject({ signal: null, isDone: true });
      const complete = await readRun(folder);
      expect(complete.episodeCount).toBe(plannedCount);
      expect(complete.problems).toEqual([]);
      // What was kept was not played again.
      const lineCount = readdirSync(join(folder, "segments"))
        .map((name) => readFileSync(join(folder, "segments", name)).toString("latin1").split("\n").length - 1)
        .reduce((sum, count) => sum + count, 0);
      expect(lineCount).toBe(plannedCount);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
