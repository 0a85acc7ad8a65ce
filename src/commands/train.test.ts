import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyRecipe } from "../../test/support/tiny-recipe.js";
import { runCli } from "../cli/run-cli.js";
import { readMetricLogs } from "../records/index.js";
import { readRecipe, type TrainRecipeInput } from "../train/index.js";
import { auditLogFiles } from "./audit.js";
import { budgetmixAudit } from "./budgetmix-audit.js";
import { dynamicsRuns } from "./measure-dynamics.js";
import { exampleRecipe } from "./example-recipe.js";
import { train, type TrainOptions, type TrainResult } from "./train.js";
import { loadTrainedPolicy } from "./trained-policy.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-train-"));
const at = (...names: readonly string[]): string => join(folder, ...names);
const input: TrainRecipeInput = { ...tinyRecipe, keepRollouts: true };
let whole: TrainResult;

/** Trains in a folder of this name. */
function run(name: string, recipe: unknown = input, options: TrainOptions = {}): Promise<TrainResult> {
  return train(readRecipe(recipe), { output: at(name), threads: 1, ...options });
}

beforeAll(async () => {
  whole = await run("whole");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The metrics of a run without what depends on the machine. */
function readMetrics(name: string): unknown[] {
  const lines = readFileSync(at(name, "metrics.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const { step, data } = JSON.parse(line) as { step: number; data: object }; // as train() writes it
    return {
      step,
      data: Object.fromEntries(
        Object.entries(data).filter(([metric]) => !/^perf\/.*(seconds|second|time)/.test(metric)),
      ),
    };
  });
}

/** The files of the last checkpoint, byte for byte. */
function readWeights({ checkpoint }: TrainResult): Record<string, string> {
  const names = readdirSync(checkpoint).filter((name) => name.endsWith(".safetensors"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(checkpoint, name)).toString("base64")]));
}

test("train() writes a run that says everything: settings, plan, metrics, checkpoints, evaluations, rollouts", () => {
  expect(whole).toMatchObject({ end: "finished", state: { phase: "reinforce", update: 4 } });
  expect(readdirSync(at("whole")).sort()).toEqual([
    "checkpoints",
    "evaluations",
    "events.out.tfevents.0.turnwise",
    "metrics.jsonl",
    "plan.json",
    "rollouts",
    "train.json",
  ]);
  expect(readdirSync(at("whole", "checkpoints")).sort()).toEqual([
    "latest.json",
    "update-0",
    "update-2",
    "update-3",
    "update-4",
    "warm-3",
  ]);
  expect(whole.evaluations.map(({ checkpoint }) => checkpoint)).toEqual(["update-0", "update-2", "update-4"]);
  const points = whole.evaluations[0].rates.filter(({ k }) => k === 1);
  expect(points.map(({ disclosure, maxTurns }) => `${disclosure} ${maxTurns}`)).toEqual([
    "hidden 2",
    "hidden 4",
    "static 2",
    "static 4",
  ]);
  expect(whole.checkpoint).toBe(at("whole", "checkpoints", "update-4"));
  expect(readMetrics("whole")).toHaveLength(10);
});

test("metrics.jsonl and the TensorBoard events are read by audit log with every name it knows", async () => {
  const [log] = await readMetricLogs(at("whole", "metrics.jsonl"));
  const [events] = await readMetricLogs(at("whole", "events.out.tfevents.0.turnwise"));
  for (const { columns, rows } of [log, events]) {
    expect(rows.map(({ updateIndex }) => updateIndex)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(columns.flatMap(({ metric = [] }) => metric).sort()).toEqual(
      [
        "duplicate_share",
        "entropy",
        "episode_turns",
        "flat_group_share",
        "grad_norm",
        "group_reward_std",
        "learning_rate",
        "loss",
        "response_length",
        "reward",
        "success",
        "update_kl",
      ].sort(),
    );
  }
  const audit = await auditLogFiles([at("whole", "metrics.jsonl")]);
  expect(audit.findings.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("the evaluations of a run feed dynamics, and its rollouts keep what BudgetMix planned", async () => {
  const evaluations = whole.evaluations.map((each) => each.folder);
  const { report } = await dynamicsRuns(evaluations, { disclosure: "static", replicates: 100, output: at("dynamics") });
  expect(report.dynamics?.checkpoints.map(({ updateIndex, label }) => [updateIndex, label])).toEqual([
    [0, "update-0"],
    [2, "update-2"],
    [4, "update-4"],
  ]);
  await expect(dynamicsRuns(evaluations, { replicates: 100, output: at("mixed") })).rejects.toThrow(
    "disclosure differs",
  );
  const audit = await budgetmixAudit(at("whole"), [at("whole")], { evaluation: [evaluations[2]] });
  expect(audit.hasFailed).toBe(false);
  expect(audit.sources.map(({ rolloutCount }) => rolloutCount)).toEqual([16, 16, 16, 16]);
  expect(audit.checks.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThanOrEqual(7);
  // The returns that training learnt from are kept, so that the audit sees what each budget weighs in the gradient.
  const pulls = audit.budgets.map(({ pull }) => pull?.tokenMean ?? NaN);
  expect(pulls.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
});

test("kept rollouts state the return that training learnt from", async () => {
  const { algorithm } = tinyRecipe;
  const worth = {
    ...input,
    algorithm: { ...algorithm, reward: { success: 2, invalidTurn: 0 } },
    length: { updates: 2 },
  };
  await run("worth", { ...worth, evaluation: undefined });
  const episodes = ["update-0", "update-1"].flatMap((name) =>
    readFileSync(at("worth", "rollouts", `${name}.jsonl`), "utf8")
      .trim()
      .split("\n"),
  );
  const stated = episodes.map((line) => {
    const { success, episodeReturn } = JSON.parse(line) as { success: boolean; episodeReturn?: number }; // as train() writes it
    return [success, episodeReturn];
  });
  expect(stated).toEqual(stated.map(([success]) => [success, success === true ? 2 : 0]));
});

test("a run that kept no rollouts has nothing to audit, and the message says how it would", async () => {
  const bare = await run("bare", { ...input, keepRollouts: false, evaluation: undefined, length: { updates: 1 } });
  await expect(budgetmixAudit(bare.folder, [bare.folder])).rejects.toThrow("it keeps none");
});

test("a checkpoint of the run is a policy that can be played without the engine", () => {
  expect(loadTrainedPolicy(whole.checkpoint)).toMatchObject({
    id: "tiny",
    checkpoint: "update-4",
  });
});

test("a finished run that is asked for again does nothing and says the same", async () => {
  const before = readFileSync(at("whole", "metrics.jsonl"), "utf8");
  const messages: string[] = [];
  const again = await run("whole", input, { events: { onMessage: (text) => messages.push(text) } });
  expect(again).toEqual(whole);
  expect(messages).toContain("Going on from update-4");
  expect(readFileSync(at("whole", "metrics.jsonl"), "utf8")).toBe(before);
});

test.each([1, 6, 8])(
  "a run that is stopped after update %d and goes on equals one that was never stopped",
  async (count) => {
    const drain = new AbortController();
    let seen = 0;
    const name = `stopped-${count}`;
    const onUpdate = (): void => {
      seen += 1;
      if (seen === count) drain.abort();
    };
    const first = await run(name, input, { stop: { drain: drain.signal }, events: { onUpdate } });
    expect(first.end).toBe("interrupted");
    expect(existsSync(first.checkpoint)).toBe(true);
    writeFileSync(
      at(name, "metrics.jsonl"),
      `${readFileSync(at(name, "metrics.jsonl"), "utf8")}{"step":${count + 1},"da`,
    ); // torn
    const second = await run(name);
    expect(readWeights(second)).toEqual(readWeights(whole));
    expect(readMetrics(name)).toEqual(readMetrics("whole"));
    expect(second.evaluations.map(({ checkpoint, rates }) => ({ checkpoint, rates }))).toEqual(
      whole.evaluations.map(({ checkpoint, rates }) => ({ checkpoint, rates })),
    );
  },
);

test("an evaluation that is stopped in its middle is finished when the run goes on", async () => {
  const stop = new AbortController();
  const name = "stopped-evaluation";
  let seen = 0;
  const first = run(name, input, {
    stop: { drain: stop.signal },
    events: {
      onUpdate() {
        seen += 1;
        if (seen === 6) setImmediate(() => stop.abort()); // after the loop has looked: while it evaluates
      },
    },
  });
  expect((await first).end).toBe("interrupted");
  const second = await run(name);
  expect(second.evaluations.map(({ rates }) => rates)).toEqual(whole.evaluations.map(({ rates }) => rates));
});

const warmOnly = { name: "tiny", env: input.env, network: input.network, warmStart: input.warmStart };

test("a folder that was begun otherwise is refused with what differs", async () => {
  const changed = { ...input, algorithm: { ...tinyRecipe.algorithm, learningRate: 1e-3 } };
  await expect(run("whole", changed)).rejects.toThrow(
    `Cannot go on with the training run in "${at("whole")}": "recipe.algorithm.learningRate" was 0.002 when it began, and is 0.001 now`,
  );
  await expect(run("whole", { ...input, seed: 2 })).rejects.toThrow('"recipe.seed" was 1 when it began, and is 2 now');
  await expect(run("whole", warmOnly)).rejects.toThrow("and is not given now");
  const manifest = readFileSync(at("whole", "train.json"), "utf8");
  writeFileSync(at("whole", "train.json"), manifest.replace(/"version": "[^"]*"/, '"version": "0"'));
  await expect(run("whole")).rejects.toThrow(/"env.version" was "0" when it began, and is ".+" now/);
  writeFileSync(at("whole", "train.json"), manifest);
});

test("a folder that holds something else, is written by another process, or is damaged is refused", async () => {
  await expect(train(readRecipe(input), { output: whole.evaluations[0].folder })).rejects.toThrow(
    "it holds a run of episodes",
  );
  writeFileSync(at("file"), "");
  await expect(run("file")).rejects.toThrow(/Cannot write the training run in ".*file": .*(EEXIST|ENOTDIR)/);
  const busy = run("busy", warmOnly);
  await expect(busy.then(() => run("busy", warmOnly))).resolves.toBeDefined();
  let second: Promise<unknown> | undefined;
  await run("locked", warmOnly, {
    events: {
      onUpdate() {
        second ??= run("locked", warmOnly).catch((error: unknown) => error);
      },
    },
  });
  expect(String(await second)).toContain("this process itself is writing it");
  const lines = readFileSync(at("busy", "metrics.jsonl"), "utf8").split("\n");
  writeFileSync(at("busy", "metrics.jsonl"), [lines[0].slice(0, 20), ...lines.slice(1)].join("\n"));
  await expect(run("busy", warmOnly)).rejects.toThrow('metrics.jsonl": line 1 is damaged');
});

test("a mark that names no checkpoint is refused, so that training never begins anew over what there is", async () => {
  await run("marked", warmOnly);
  const mark = at("marked", "checkpoints", "latest.json");
  for (const odd of ['{"name":5,"step":3}', "{}", '{"name":"../../other","step":3}', '{"name":"warm-3"}']) {
    writeFileSync(mark, odd);
    await expect(run("marked", warmOnly)).rejects.toThrow(/names none, but /);
  }
  writeFileSync(mark, "[]");
  await expect(run("marked", warmOnly)).rejects.toThrow("it holds no object");
});

test("metrics that were lost are told when the run goes on", async () => {
  await run("lost", warmOnly);
  const path = at("lost", "metrics.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.slice(2).join("\n")}\n`);
  const messages: string[] = [];
  await run("lost", warmOnly, { events: { onMessage: (text) => messages.push(text) } });
  expect(messages).toContainEqual(expect.stringMatching(/^metrics.jsonl lacks 2 of the steps before warm-\d+: /));
});

const onward = (startFrom: string, changes: object = {}) => {
  const { warmStart: _none, evaluation: _neither, ...rest } = input;
  return { ...rest, startFrom, length: { updates: 1 }, ...changes };
};

test("weights that are cut, foreign or of another codec or network are refused, with what they are", async () => {
  await expect(run("from", onward(whole.checkpoint))).resolves.toMatchObject({ end: "finished" });
  await expect(run("from-nothing", onward(at("nowhere")))).rejects.toThrow("there is no such file or folder");
  await expect(
    run("from-lake", onward(whole.checkpoint, { env: { id: "frozen-lake", trainTasks: 16 } })),
  ).rejects.toThrow('they were trained in env "vault", and this is "frozen-lake"');
  writeFileSync(at("notes.txt"), "no weights");
  await expect(run("from-notes", onward(at("notes.txt")))).rejects.toThrow("as safetensors: ");
  await expect(
    run("from-wide", onward(whole.checkpoint, { network: { ...tinyRecipe.network, width: 32 } })),
  ).rejects.toThrow(/has shape .* and the network needs/);
  const base = await run("cut", warmOnly);
  truncateSync(join(base.checkpoint, "model.safetensors"), 999);
  await expect(run("from-cut", onward(base.checkpoint))).rejects.toThrow("cut");
  await expect(run("cut", warmOnly)).rejects.toThrow("cut");
});

test("a loss that is no number stops the run with its batch saved, and the last checkpoint stays sound", async () => {
  const loss = { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none", entropyWeight: 1e300 } as const;
  const endless = { ...input, algorithm: { ...tinyRecipe.algorithm, loss } };
  await expect(run("endless", endless)).rejects.toThrow(
    /Training stopped: .*the batch is saved in ".*diverged-batch.json"/,
  );
  const saved = JSON.parse(readFileSync(at("endless", "diverged-batch.json"), "utf8")) as {
    rows: { ids: number[]; advantages: unknown[] }[];
  }; // as train() writes it
  expect(saved.rows.length).toBeGreaterThan(0);
  expect(saved.rows[0].advantages).toHaveLength(saved.rows[0].ids.length);
  expect(loadTrainedPolicy(at("endless", "checkpoints", "update-0")).id).toBe("tiny");
});

test("the example recipe is one, and other paths say what they lack", async () => {
  expect(readRecipe(exampleRecipe).name).toBe("first-agent");
  await expect(train(at("none.json"))).rejects.toThrow(/Cannot read the recipe .*: there is no such file or folder/);
  writeFileSync(at("broken.json"), "{");
  await expect(train(at("broken.json"))).rejects.toThrow("Cannot read the recipe");
  writeFileSync(at("recipe.mjs"), "export const recipes = 1;");
  await expect(train(at("recipe.mjs"))).rejects.toThrow('it exports none of "recipe", "default"');
});

async function cli(...args: readonly string[]) {
  const text = { out: "", error: "" };
  const code = await runCli(args, {
    stdout: { write: (part: string) => (text.out += part) },
    stderr: { write: (part: string) => (text.error += part) },
  });
  return { code, ...text };
}

test("turnwise train says what came of it and what to do next", async () => {
  writeFileSync(at("tiny.json"), JSON.stringify(input));
  const { code, out, error } = await cli("train", at("tiny.json"), "-o", at("whole"), "--threads", "1");
  expect(code).toBe(0);
  expect(out.split("\n").map((line) => line.replace(/\d+\.\d%/g, "N%").replace(folder, "DIR"))).toEqual([
    "Trained to the end of the recipe",
    expect.stringMatching(/^Updates {2}4, \d+ tokens sampled$/) as string,
    ...["update-0", "update-2", "update-4"].flatMap((name) => [
      `${name}     hidden    T=2 N%  T=4 N%`,
      `${name}     static    T=2 N%  T=4 N%`,
    ]),
    `Folder   ${join("DIR", "whole")}`,
    `Weights  ${join("DIR", "whole", "checkpoints", "update-4")}`,
    `Next     turnwise dynamics ${join("DIR", "whole")}/evaluations/* --disclosure hidden`,
    "",
  ]);
  expect(error).toContain("Going on from update-4");
  const json = await cli("train", at("tiny.json"), "-o", at("whole"), "--json");
  expect(JSON.parse(json.out)).toMatchObject({ end: "finished", parameters: whole.parameters });
  expect((await cli("train")).error).toContain("Cannot train without a recipe");
  const example = await cli("train", "--example");
  expect(readRecipe(JSON.parse(example.out))).toEqual(readRecipe(exampleRecipe));
});
