import { expect, test } from "vitest";
import type { TrainingProgress } from "../commands/index.js";
import { createTrainView, renderSpark } from "./train-view.js";

const event = {} as TrainingProgress["event"]; // not shown

function warm(update: number, loss: number): TrainingProgress {
  const metrics = { "sft/loss": loss, "sft/entropy": 0.5 };
  return { phase: "warm_start", update, updates: 4, share: update / 4, metrics, event };
}

function reinforce(update: number, reward: number, more: Record<string, number> = {}): TrainingProgress {
  const metrics = {
    reward,
    "num_turns/mean": 3.25,
    "actor/entropy": 0.4567,
    "actor/grad_norm": 1.234,
    "group/flat_share": 0.25,
    "budget/T2/success": 0.5,
    "budget/T12/success": 0.75,
    "budget/T2/token_share": 0.152,
    "budget/T2/weight_share": 0.5,
    "budget/T2/gradient_share": 0,
    "budget/T12/token_share": 0.848,
    "budget/T12/weight_share": 0.5,
    "budget/T12/gradient_share": 1,
    "actor/ppo_kl": 0.0004,
    "perf/tokens_per_second": 5432.1,
    ...more,
  };
  return { phase: "reinforce", update, updates: 100, share: update / 100, metrics, event };
}

/** A view with what it wrote; each update comes ten seconds after the one before. */
function show(
  updates: readonly (TrainingProgress | string)[],
  { columns, isTTY }: { columns: number; isTTY: boolean },
): string {
  let written = "";
  let seconds = 0;
  const view = createTrainView({
    stream: { isTTY, columns, write: (text: string) => (written += text) },
    now: () => seconds,
  });
  for (const update of updates) {
    if (typeof update === "string") view.onMessage?.(update);
    else view.onUpdate?.(update);
    seconds += 10;
  }
  view.finish();
  return written;
}

const run = [
  warm(1, 2),
  warm(2, 1),
  warm(4, 0.5),
  reinforce(1, 0.1),
  reinforce(2, 0.2, { kl: 0.01 }),
  reinforce(3, 0.4, { "signal/mean": 1.5 }),
];

test("the view redraws a block on a wide terminal", () => {
  const frames = show(run, { columns: 120, isTTY: true }).split(/\u001b\[\d+A\r\u001b\[J/u);
  expect(frames).toHaveLength(6);
  expect(frames[1]).toBe("warm start 2/4 · ETA 20s\nloss 1.000 · entropy 0.500\nloss █▁\n");
  expect(frames[3]).toBe(
    [
      "reinforce 1/100 · 5432 tokens/s",
      "reward 0.100 · turns 3.3 · entropy 0.457 · update KL 0.000 · flat groups 25% · grad 1.23",
      "success by budget  T=2 0.50  T=12 0.75",
      "% of tokens/weight/pull  T=2 15/50/0  T=12 85/50/100",
      "",
    ].join("\n"),
  );
  expect(frames[5]).toBe(
    [
      "reinforce 3/100 · 5432 tokens/s · ETA 16m10s",
      "reward 0.400 · turns 3.3 · entropy 0.457 · update KL 0.000 · signal 1.500 · flat groups 25% · grad 1.23",
      "success by budget  T=2 0.50  T=12 0.75",
      "% of tokens/weight/pull  T=2 15/50/0  T=12 85/50/100",
      "reward ▁▃█",
      "",
    ].join("\n"),
  );
  expect(frames[4]).toContain("KL 0.010");
});

test("plain lines hold no curve, in the warm start neither", () => {
  const written = show(run.slice(0, 3), { columns: 80, isTTY: false });
  expect(written).not.toMatch(/[▁-█]/u);
  expect(written.split("\n")[1]).toBe("warm start 2/4 · ETA 20s · loss 1.000 · entropy 0.500");
});

test("the view never wraps a line on a narrow terminal", () => {
  const lines = show(run, { columns: 40, isTTY: true })
    .replaceAll(/\u001b\[\d+A\r\u001b\[J/gu, "")
    .split("\n");
  expect(lines).toContain("reward 0.100 · turns 3.3 · entropy 0.4…");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40);
});

test("the view writes plain lines elsewhere, messages between them, and the last state once", () => {
  expect(show([...run.slice(2, 4), "Going on from update-1", reinforce(2, 0.2)], { columns: 80, isTTY: false })).toBe(
    [
      "warm start 4/4 · loss 0.500 · entropy 0.500",
      "reinforce 1/100 · 5432 tokens/s · reward 0.100 · turns 3.3 · entropy 0.457 · update KL 0.000 · flat groups 25% · grad 1.23 · success by budget  T=2 0.50  T=12 0.75 · % of tokens/weight/pull  T=2 15/50/0  T=12 85/50/100",
      "Going on from update-1",
      "reinforce 2/100 · 5432 tokens/s · ETA 32m40s · reward 0.200 · turns 3.3 · entropy 0.457 · update KL 0.000 · flat groups 25% · grad 1.23 · success by budget  T=2 0.50  T=12 0.75 · % of tokens/weight/pull  T=2 15/50/0  T=12 85/50/100",
      "",
    ].join("\n"),
  );
});

test("a message on a terminal stands above the block, which is drawn again", () => {
  const written = show([reinforce(1, 0.1), "Stopping"], { columns: 120, isTTY: true });
  expect(written).toMatch(/\u001b\[4A\r\u001b\[JStopping\nreinforce 1\/100/u);
  expect(written.split("reinforce 1/100")).toHaveLength(3);
});

test("updates that follow at once are shown at most five times a second, the last one always", () => {
  let written = "";
  const view = createTrainView({
    stream: { isTTY: true, columns: 120, write: (text: string) => (written += text) },
    now: () => 0,
  });
  for (let update = 1; update <= 50; update += 1) view.onUpdate?.(reinforce(update, 0.1));
  expect(written.split("reinforce ")).toHaveLength(2);
  view.finish();
  expect(written).toContain("reinforce 50/100");
});

test("an update without a step shows dashes, not zeros", () => {
  const { metrics, ...rest } = reinforce(1, 0);
  const {
    "actor/entropy": _entropy,
    "actor/grad_norm": _norm,
    "actor/ppo_kl": _kl,
    reward: _reward,
    ...left
  } = metrics;
  const written = show([{ ...rest, metrics: left }], { columns: 120, isTTY: true });
  expect(written).toContain("reward – · turns 3.3 · entropy – · update KL – · flat groups 25% · grad –");
});

test("episodes without an outcome are counted where there are any", () => {
  const written = show([reinforce(1, 0, { "episode/unjudged": 0 }), reinforce(2, 0, { "episode/unjudged": 5 })], {
    columns: 120,
    isTTY: false,
  });
  const [first, second] = written.split("\n");
  expect(first).not.toContain("outcome");
  expect(second).toContain("5 episodes without an outcome");
});

test.each([
  { values: [0, 1, 2, 7], width: 40, spark: "▁▂▃█" },
  { values: [3, 3], width: 40, spark: "▄▄" },
  { values: [1, 2, 3, 4], width: 2, spark: "▁█" },
  { values: [1], width: 40, spark: "" },
  { values: [NaN, 1, 2], width: 40, spark: "▁█" },
])("renderSpark() of $values is $spark", ({ values, width, spark }) => {
  expect(renderSpark(values, width)).toBe(spark);
});
