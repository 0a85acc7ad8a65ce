import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tinyRecipe } from "../support/tiny-recipe.js";
import { createFolder, runTurnwise } from "./cli.js";

const folder = createFolder();
const recipe = {
  ...tinyRecipe,
  network: { ...tinyRecipe.network, width: 32 },
  length: { updates: 40 },
  checkpointEvery: 5,
  evaluation: { ...tinyRecipe.evaluation, every: 0 },
};
writeFileSync(join(folder.path, "recipe.json"), JSON.stringify(recipe));
const args = (name: string): string[] => ["train", "recipe.json", "-o", name, "--threads", "1"];
const run = (name: string, started?: (child: ChildProcess) => void) =>
  runTurnwise(args(name), { cwd: folder.path, ...(started === undefined ? {} : { started }) });
const at = (...names: readonly string[]): string => join(folder.path, ...names);

/** Calls `act` once the run has logged this many updates. */
function whenLogged(name: string, count: number, act: () => void): void {
  const timer = setInterval(() => {
    const path = at(name, "metrics.jsonl");
    if (!existsSync(path) || readFileSync(path, "utf8").split("\n").length <= count) return;
    clearInterval(timer);
    act();
  }, 5);
}

/** Everything a run came to: weights byte for byte, and metrics without what depends on the machine. */
function readRun(name: string): unknown {
  const checkpoint = at(name, "checkpoints", "update-40");
  const weights = readdirSync(checkpoint).filter((file) => file.endsWith(".safetensors"));
  const metrics = readFileSync(at(name, "metrics.jsonl"), "utf8").trim().split("\n");
  return {
    weights: weights.map((file) => [file, readFileSync(join(checkpoint, file)).toString("base64")]),
    metrics: metrics.map((line) => line.replaceAll(/"perf\/(?!sampled_tokens)[^,}]*,?/g, "")),
  };
}

describe("turnwise train as a process", () => {
  beforeAll(async () => {
    const { code, stderr } = await run("whole");
    if (code !== 0) throw new Error(`The run to compare with ended with ${String(code)}: ${stderr}`);
  });
  afterAll(() => folder.remove());

  test("killed in its middle it goes on as if nothing had been: weights and metrics are equal", async () => {
    const killed = await run("killed", (child) => whenLogged("killed", 23, () => child.kill("SIGKILL")));
    expect(killed.code).toBeNull();
    expect(existsSync(at("killed", "lock"))).toBe(true);
    const second = await run("killed");
    expect(second.stderr).toMatch(/Going on from update-\d+\n/);
    expect(second.code).toBe(0);
    expect(readRun("killed")).toEqual(readRun("whole"));
  });

  test("Ctrl-C finishes the update in hand, says how to go on, ends with 1, and goes on", async () => {
    const stopped = await run("stopped", (child) => whenLogged("stopped", 15, () => child.kill("SIGINT")));
    expect(stopped.stderr).toContain("Stopping: the update in hand is finished and saved");
    expect(stopped.stdout).toMatch(/^Stopped\nUpdates {2}\d+, \d+ tokens sampled\n/);
    const next = /Next {5}run the same command again: it goes on from (.*)\n/.exec(stopped.stdout)?.[1] ?? "";
    expect(existsSync(at(next, "checkpoint.json"))).toBe(true);
    expect(stopped.code).toBe(1);
    expect(existsSync(at("stopped", "lock"))).toBe(false);
    const second = await run("stopped");
    expect(second.code).toBe(0);
    expect(readRun("stopped")).toEqual(readRun("whole"));
  });

  test.skipIf(process.platform === "win32")(
    "a disk that is full while a checkpoint is written ends with 3 and leaves the one before it sound",
    async () => {
      await run("full", (child) => whenLogged("full", 13, () => child.kill("SIGKILL")));
      const before = readFileSync(at("full", "checkpoints", "latest.json"), "utf8");
      // A limit on the size of files stands for the disk: plan and log stay below it, weights do not.
      const limited = `ulimit -f 64; exec "${process.execPath}" "${resolve("dist/cli/main.js")}" ${args("full").join(" ")}`;
      const child = spawn("bash", ["-c", limited], { cwd: folder.path, stdio: ["ignore", "ignore", "pipe"] });
      let error = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (error += text));
      const code = await new Promise((done) => child.on("close", done));
      expect(error).toContain("Cannot write the checkpoint");
      expect(error).toContain("The checkpoint that was there before is unchanged");
      expect(code).toBe(3);
      expect(readFileSync(at("full", "checkpoints", "latest.json"), "utf8")).toBe(before);
      expect((await run("full")).code).toBe(0);
      expect(readRun("full")).toEqual(readRun("whole"));
    },
  );
});
