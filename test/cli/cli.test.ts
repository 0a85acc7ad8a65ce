import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/report/index.js";
import { createPlayer } from "../mock-server/player.js";
import { faultReply, textReply } from "../mock-server/reply.js";
import { startMockServer } from "../mock-server/server.js";
import { createFolder, runTurnwise } from "./cli.js";

const folder = createFolder();
afterAll(() => folder.remove());
const run = (...args: string[]) => runTurnwise(args, { cwd: folder.path });
const small = ["--tasks", "6", "--samples", "2", "--budgets", "1,2,4", "--replicates", "100"];

describe("usage", () => {
  test.each([
    { args: ["comprae"], code: 2, says: "Did you mean compare?" },
    { args: ["eval", "budget", "--env", "vault", "--polcy", "x"], code: 2, says: "--policy" },
    { args: ["eval", "budget", "--policy", "scripted:optimal"], code: 2, says: "--env" },
    {
      args: ["eval", "budget", "--env", "vualt", "-p", "scripted:optimal"],
      code: 2,
      says: "Choose one of frozen-lake",
    },
    { args: ["eval", "budget", "--env", "vault"], code: 2, says: "Name at least one with --policy" },
    { args: ["eval", "budget", "--env", "vault", "-p", "scripted:nobody"], code: 2, says: "Choose one of optimal" },
    {
      args: ["eval", "budget", "--env", "vault", "-p", "scripted:optimal", "-p", "scripted:optimal"],
      code: 2,
      says: "same id",
    },
    {
      args: ["eval", "budget", "--env", "vault", "-p", "scripted:optimal", "-T", "0,1"],
      code: 2,
      says: "whole number from 1",
    },
    {
      args: ["eval", "budget", "--env", "vault", "-p", "scripted:optimal", "-n", "few"],
      code: 2,
      says: "no whole number",
    },
    {
      args: ["eval", "budget", "--env", "vault", "-p", "scripted:optimal", "--difficulty", "99"],
      code: 2,
      says: "levels are 1..",
    },
    {
      args: ["eval", "budget", "--env", "frozen-lake", "-p", "scripted:optimal", "--terminal-rule", "answer_only"],
      code: 2,
      says: "takes no closing answer",
    },
    { args: ["eval", "budget", "--env", "vault", "-p", "chat:m"], code: 2, says: "--base-url" },
    { args: ["eval", "budget", "--env", "vault", "-p", "./none.json"], code: 3, says: "none.json" },
    { args: ["eval", "budget", "--env", "./none.js", "-p", "scripted:optimal"], code: 3, says: "no such file" },
    { args: ["attribute", "nowhere", "nothing"], code: 3, says: "no such file or folder" },
    { args: ["signals", "nowhere"], code: 3, says: "no such file or folder" },
    { args: ["signals"], code: 2, says: "missing required argument" },
    { args: ["signals", "nowhere", "--log-ratio", "chat:a"], code: 2, says: "needs two scorers" },
    { args: ["likelihood", "nowhere", "-s", "stored"], code: 3, says: "no such file or folder" },
    { args: ["dynamics", "nowhere"], code: 3, says: "no such file or folder" },
    { args: ["dynamics", "nowhere", "-T", "0"], code: 2, says: "whole number from 1" },
    { args: ["attribute"], code: 2, says: "a gap is between two policies" },
    { args: ["attribute", "a", "--env", "vault"], code: 2, says: "--estimator interventional" },
    { args: ["attribute", "--estimator", "interventional"], code: 2, says: "Name one with --env" },
    {
      args: ["attribute", "--estimator", "interventional", "--env", "vault", "-p", "scripted:base"],
      code: 2,
      says: "a gap is between two",
    },
    { args: ["attribute", "a", "b", "--sensitivity", ".9"], code: 2, says: "Give both" },
    { args: ["compare", "nowhere", "nothing"], code: 3, says: "no such file or folder" },
    { args: ["import", "nowhere.json"], code: 3, says: "no such file or folder" },
    { args: ["export", "nowhere", "-o", "x.jsonl"], code: 3, says: "no such file or folder" },
    { args: ["merge", "nowhere", "-o", "merged"], code: 3, says: "nowhere" },
  ])("turnwise $args ends with $code and says $says, without a stack trace", async ({ args, code, says }) => {
    const result = await run(...args);
    expect(result.stderr).toContain(says);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe("");
  });

  test("turnwise without arguments shows the commands", async () => {
    const result = await run();
    expect(result.code).toBe(0);
    for (const command of [
      "demo",
      "doctor",
      "eval",
      "compare",
      "attribute",
      "signals",
      "likelihood",
      "dynamics",
      "report",
      "import",
      "export",
      "merge",
    ]) {
      expect(result.stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    }
  });
});

describe("eval budget", () => {
  const args = ["eval", "budget", "--env", "vault", "-p", "scripted:base", "-p", "scripted:trained", ...small];

  test("writes a run and a report, continues without playing again, and gives the same bytes", async () => {
    const first = await run(...args, "-o", "one");
    expect(first.code).toBe(0);
    const page = readFileSync(join(folder.path, "one/report/report.json"), "utf8");
    const again = await run(...args, "-o", "one", "--json");
    expect((JSON.parse(again.stdout) as { progress: unknown }).progress).toMatchObject({ kept: 24, played: 0 });
    const other = await run(...args, "-o", "two");
    expect(readFileSync(join(folder.path, "one/report/report.json"), "utf8")).toBe(page);
    expect(readFileSync(join(folder.path, "two/report/report.json"), "utf8").replaceAll('"two"', '"one"')).toBe(page);
    expect(other.stdout.replaceAll("two/", "one/").replaceAll("two", "one")).toBe(first.stdout);
  });

  test("refuses a changed configuration and shows the difference", async () => {
    const result = await run(...args, "--seed", "2", "-o", "one");
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/seeds\.run: 1 -> 2/);
  });

  test("plays part of the plan with --limit and the rest when called again", async () => {
    const part = await run(...args, "-o", "limited", "--limit", "5", "--json");
    expect(JSON.parse(part.stdout)).toMatchObject({ remaining: 19, progress: { played: 5 } });
    const rest = await run(...args, "-o", "limited", "--json");
    expect(JSON.parse(rest.stdout)).toMatchObject({ remaining: 0, progress: { kept: 5, played: 19 } });
  });

  test("joins shards to what one call gives", async () => {
    await run(...args, "-o", "part1", "--shard", "1/2");
    await run(...args, "-o", "part2", "--shard", "2/2");
    const merged = await run("merge", "part1", "part2", "-o", "merged", "--json");
    expect(merged.code).toBe(0);
    const read = (name: string): Report =>
      JSON.parse(readFileSync(join(folder.path, name, "report/report.json"), "utf8")) as Report;
    const getCells = ({ surfaces }: Report): unknown =>
      surfaces.map(({ label, cells }) => [label, cells.map((cell) => [cell.k, cell.maxTurns, cell.estimate.value])]);
    const whole = await run(...args, "-o", "whole");
    expect(whole.code).toBe(0);
    expect(JSON.parse(merged.stdout)).toMatchObject({ episodeCount: 24 });
    expect(read("merged").surfaces[0].denominator.countedEpisodes).toBe(12);
    expect(getCells(read("merged"))).toEqual(getCells(read("whole")));
  });

  test("plays both disclosures and measures the adaptation effect", async () => {
    const result = await run(
      "eval",
      "budget",
      "--env",
      "vault",
      "-p",
      "scripted:budget-aware",
      ...small,
      "--disclosure",
      "hidden,countdown",
      "--json",
      "-o",
      "told",
    );
    const { report } = JSON.parse(result.stdout) as { report: Report };
    expect(report.surfaces.map((surface) => [surface.disclosure, surface.mark])).toEqual([
      ["hidden", "cut"],
      ["countdown", "run"],
    ]);
    expect(report.adaptation.map((effect) => effect.maxTurns)).toEqual([1, 2, 4]);
  });
});

describe("an endpoint", () => {
  test("is played with tool calls and with text actions, and the run survives faults", async () => {
    const play = createPlayer("random", 1);
    const server = await startMockServer({
      script: (call) => (call.index % 9 === 4 ? faultReply("server_error") : play(call)),
    });
    try {
      for (const surface of ["tools", "text"]) {
        const result = await run(
          "eval",
          "budget",
          "--env",
          "lookup",
          "-p",
          "chat:mock",
          "--base-url",
          server.url,
          "--surface",
          surface,
          ...small,
          "-o",
          `chat-${surface}`,
          "--json",
        );
        expect(result.stderr).not.toContain("internal error");
        const { progress, report } = JSON.parse(result.stdout) as {
          progress: { played: number; errored: number };
          report: Report;
        };
        expect([progress.played, progress.errored]).toEqual([12, 0]);
        expect(report.surfaces[0].meanTokens).toBeGreaterThan(0);
      }
    } finally {
      await server.close();
    }
  });

  test("that always fails gives errors, not failures, and exit code 1", async () => {
    const server = await startMockServer({ script: () => faultReply("unauthorized") });
    try {
      const result = await run(
        "eval",
        "budget",
        "--env",
        "lookup",
        "-p",
        "chat:mock",
        "--base-url",
        server.url,
        ...small,
        "-o",
        "down",
      );
      expect(result.code).toBe(1);
      expect(result.stdout).toMatch(
        /Errors {3}12 of 12 episodes \(policy\/authentication 12\); they are not counted as failures/,
      );
      expect(existsSync(join(folder.path, "down/report"))).toBe(false);
    } finally {
      await server.close();
    }
  });

  test("keeps every finished episode when the process is interrupted, and goes on from there", async () => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const server = await startMockServer({
      async script({ index }) {
        if (index >= 8) await held;
        return textReply("<action>quit</action>");
      },
    });
    try {
      const args = [
        "eval",
        "budget",
        "--env",
        "lookup",
        "-p",
        "chat:mock",
        "--base-url",
        server.url,
        "--surface",
        "text",
        "-c",
        "2",
        ...small,
        "-o",
        "stopped",
      ];
      const stopped = runTurnwise(args, {
        cwd: folder.path,
        started(child) {
          const timer = setInterval(() => {
            if (server.callCount < 9) return;
            clearInterval(timer);
            child.kill("SIGINT");
            setTimeout(answer, 300);
          }, 20);
        },
      });
      const first = await stopped;
      expect(first.stderr).toContain("Stopping");
      expect(first.code).toBe(1);
      expect(first.stdout).toMatch(/Missing {2}\d+ episodes; run the same command to continue/);
      const second = await run(...args, "--json");
      const { progress, remaining } = JSON.parse(second.stdout) as {
        progress: { kept: number; played: number };
        remaining: number;
      };
      expect(progress.kept).toBeGreaterThanOrEqual(8);
      expect([progress.kept + progress.played, remaining]).toEqual([12, 0]);
    } finally {
      await server.close();
    }
  });

  test("a terminal that is closed gives up what is in flight and leaves no lock", async () => {
    const server = await startMockServer({ script: () => new Promise(() => undefined), recording: false });
    try {
      const args = ["eval", "budget", "--env", "vault", "-p", "chat:m", "--base-url", server.url, "--surface", "text"];
      const hung = await runTurnwise([...args, ...small, "-o", "hung"], {
        cwd: folder.path,
        started(child) {
          const timer = setInterval(() => {
            if (server.callCount === 0) return;
            clearInterval(timer);
            child.kill("SIGHUP");
          }, 20);
        },
      });
      expect(hung.stderr).toContain("Giving up");
      expect(hung.code).toBe(1);
      expect(existsSync(join(folder.path, "hung", "lock"))).toBe(false);
    } finally {
      await server.close();
    }
  });
});

describe("own modules", () => {
  test("an env and an agent of one file each are played and checked", async () => {
    writeFileSync(
      join(folder.path, "agent.mjs"),
      `export const policy = { id: "first", config: {}, act: ({ env, closingPrompt }) => ({ action: closingPrompt ? { text: "1" } : { text: "", toolCalls: [{ name: env.tools[0].name, arguments: {} }] } }) };\n`,
    );
    const result = await run("eval", "budget", "--env", "vault", "-p", "./agent.mjs", ...small, "-o", "own", "--json");
    expect(JSON.parse(result.stdout)).toMatchObject({ progress: { played: 12, errored: 0 } });
    const doctor = await run("doctor", "--policy", "./agent.mjs", "--env", "vault", "--json");
    expect(JSON.parse(doctor.stdout)).toMatchObject({ isHealthy: true });
  });

  test("what a module prints stays out of the JSON, and a promise it forgets is its own fault", async () => {
    const log = `console.log("noise");`;
    writeFileSync(
      join(folder.path, "loud.mjs"),
      `${log} export const signals = { own: () => { ${log} return 1; } };\n`,
    );
    writeFileSync(
      join(folder.path, "stray.mjs"),
      `setTimeout(() => Promise.reject(new Error("late")), 0); export const signals = { own: () => 1 };\n`,
    );
    await run("eval", "budget", "--env", "vault", "-p", "scripted:base", ...small, "-o", "judged");
    const loud = await run("signals", "judged", "--signal", "./loud.mjs", "--json", "-o", "loud");
    expect(loud.stderr).toContain("noise");
    expect(JSON.parse(loud.stdout)).toMatchObject({ pagePath: "loud/report.html" });
    const stray = await run("signals", "judged", "--signal", "./stray.mjs", "-o", "stray");
    expect(stray.code).toBe(3);
    expect(stray.stderr).toContain('stray.mjs": it failed outside of any call: late');
  });

  test("a module that is no env is refused with what it exports", async () => {
    writeFileSync(join(folder.path, "odd.mjs"), "export const nothing = 1;\n");
    const result = await run("eval", "budget", "--env", "./odd.mjs", "-p", "scripted:optimal");
    expect([result.code, result.stderr.includes('but "nothing"')]).toEqual([3, true]);
    const doctor = await run("doctor", "--env", "./odd.mjs");
    expect([doctor.code, doctor.stdout.includes("MISSING")]).toEqual([1, true]);
  });
});

test("import, compare, report and export work on another tool's file", async () => {
  const line = (task: string, sample: number, score: number) =>
    JSON.stringify({
      task,
      score,
      messages: [
        { role: "user", content: `Question ${task}` },
        { role: "assistant", content: `Answer ${sample}` },
      ],
    });
  const tasks = ["a", "b", "c"];
  writeFileSync(join(folder.path, "before.jsonl"), tasks.map((task) => line(task, 0, 0)).join("\n"));
  writeFileSync(join(folder.path, "after.jsonl"), tasks.map((task) => line(task, 1, 1)).join("\n"));
  const flags = ["--reward-field", "score", "--task-field", "task", "--success-threshold", "1"];
  const imported = await run("import", "before.jsonl", "-o", "before", "--policy-id", "before", ...flags, "--json");
  expect(JSON.parse(imported.stdout)).toMatchObject({ episodeCount: 3, taskCount: 3, failed: 3 });
  const compared = await run(
    "compare",
    "before",
    "after=after.jsonl",
    ...flags,
    "--policy-id",
    "after",
    "-o",
    "compared",
    "--json",
  );
  const { report } = JSON.parse(compared.stdout) as { report: Report };
  expect(report.comparisons[0]).toMatchObject({ a: "before", b: "after", sharedTasks: 3 });
  expect(report.comparisons[0].cells[0].estimate.value).toBe(1);
  expect((await run("report", "before", "-o", "alone")).code).toBe(0);
  const exported = await run("export", "before", "-o", "out.jsonl");
  expect(exported.stdout).toContain("Wrote 3 episodes");
  expect(readFileSync(join(folder.path, "out.jsonl"), "utf8").trim().split("\n")).toHaveLength(3);
});
