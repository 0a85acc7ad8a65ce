import { expect, test } from "vitest";
import {
  createRandom,
  TurnwiseError,
  type SignalAssessment,
  type SignalsResult,
  type SignalTarget,
  type Trajectory,
  type Turn,
} from "../../core/index.js";
import { sketchTrajectory } from "../../../test/support/trajectories.js";
import { measureSignals } from "./measure-signals.js";
import {
  createBuiltInSignals,
  createSelfReportSignal,
  defineSignal,
  invalidSignal,
  oracleProgressSignal,
  repeatedActionSignal,
} from "./process-signals.js";

/**
 * Episodes of 8 turns at most. Each turn an open episode is solved with a chance that falls with the turn and is raised by
 * a hidden `luck` of the turn before, which the turn's text shows; `noise` says nothing.
 */
function simulate(taskCount: number, samples: number, seed = 3): Trajectory[] {
  const random = createRandom(seed, "signals test");
  const episodes: Trajectory[] = [];
  for (let task = 0; task < taskCount; task += 1) {
    for (let sample = 0; sample < samples; sample += 1) {
      const turns: Turn[] = [];
      let luck = 0;
      for (let turn = 1; turn <= 8; turn += 1) {
        const solvedAfter = random.next() < (0.35 * luck + 0.15) * (1 - turn / 10);
        luck = random.nextInt(2);
        turns.push({ observation: { text: "" }, action: { text: `${luck} ${random.next()} ${turn}` }, solvedAfter });
        if (solvedAfter) break;
      }
      const grades = turns.map((turn) => turn.solvedAfter);
      episodes.push(sketchTrajectory({ task: `t${task}`, sample, grades, changes: { turns } }));
    }
  }
  return episodes;
}

const readNumber =
  (index: number) =>
  (turn: Turn): number =>
    Number(turn.action.text.split(" ")[index]);
const signals = [
  defineSignal("luck", readNumber(0)),
  defineSignal("noise", readNumber(1)),
  defineSignal("late", readNumber(2)),
];

function find(result: SignalsResult, signal: string, target: SignalTarget = "success"): SignalAssessment {
  const found = result.assessments.find((one) => one.signal === signal && one.target === target);
  if (found === undefined) throw new Error(`no assessment of ${signal}`);
  return found;
}

test("measureSignals() tells what a signal knows from what the clock knows", async () => {
  const result = await measureSignals(simulate(200, 8), signals, { replicates: 100 });
  const luck = find(result, "luck");
  expect(luck.word).toBe("higher_means_yes");
  expect(luck.fitted?.brierGainVerdict).toBe("gain");
  const noise = find(result, "noise");
  expect(noise.word).toBe("no_information");
  expect(noise.fitted?.brierGainVerdict).toBe("equivalent");
  // A turn's number foretells much over all pairs, and nothing among pairs of one turn.
  const late = find(result, "late");
  expect(late.auroc?.interval?.upper).toBeLessThan(0.45);
  expect(late.stratifiedAuroc).toMatchObject({ value: 0.5, standardError: 0 });
  expect(late.word).toBe("undecided");
  const clock = find(result, "clock");
  expect(clock.auroc).toBeUndefined();
  expect(clock.fitted?.brierGain.value).toBe(0);
  expect(find(result, "all").fitted?.brierGain.value).toBeGreaterThan(0.003);
  expect(clock.fitted?.ece.value).toBeLessThan(0.1);
});

test("measureSignals() finds in timed AUROCs that luck is about the next turn only", async () => {
  const { timed } = await measureSignals(simulate(150, 10, 4), signals, { replicates: 100 });
  const at = (budgetLeft: number | undefined) =>
    timed.find((cell) => cell.signal === "luck" && cell.fromTurn === 1 && cell.budgetLeft === budgetLeft)?.auroc;
  const next = at(1);
  // P(luck = 1 | solved next) = .5/(.5+.15): AUROC = (1 + P(1|yes) - P(1|no)) / 2.
  const [yes, no] = [0.5 * 0.8, 0.15 * 0.8];
  const truth = (1 + yes / (yes + no) - (1 - yes) / (2 - yes - no)) / 2;
  expect(Math.abs((next?.value ?? 0) - truth)).toBeLessThan(3 * (next?.standardError ?? 0));
  expect(next?.value).toBeGreaterThan(at(4)?.value ?? 1);
});

test("measureSignals() is the same for the same seed, and another split for another one", async () => {
  const episodes = simulate(30, 4);
  const first = await measureSignals(episodes, signals, { replicates: 100 });
  expect(await measureSignals(episodes, signals, { replicates: 100 })).toEqual(first);
  const other = await measureSignals(episodes, signals, { replicates: 100, seed: 2 });
  expect(find(other, "luck").auroc?.value).toBe(find(first, "luck").auroc?.value);
  expect(find(other, "luck").fitted?.rows).not.toBe(find(first, "luck").fitted?.rows);
});

/** Walks with the given distances; the first is before the first turn. */
function walk(task: string, sample: number, distances: readonly number[], success: boolean): Trajectory {
  const turns = distances.slice(1).map((after, i): Turn => ({
    observation: { text: "" },
    action: { text: `step ${i}` },
    distanceBefore: distances[i],
    distanceAfter: Number.isFinite(after) ? after : { $number: "Infinity" },
    solvedAfter: after === 0,
  }));
  return sketchTrajectory({
    task,
    sample,
    grades: [],
    success,
    stop: success ? { type: "env_end", kind: "solved" } : { type: "max_turns" },
    changes: { turns },
  });
}

test("measureSignals() labels first errors and recoveries by the oracle distance", async () => {
  const episodes = [
    walk("a", 0, [3, 2, 3, 2, 1, 0], true), // first error at turn 2; after turn 3 it is at its best no more than before
    walk("a", 1, [3, 3, 3, 3, 3, 3, 3, 3, 3], false), // never recovers
    walk("b", 0, [2, 1, Infinity, Infinity], false), // a trap is an error that is not asked about recovery
    walk("b", 1, [2, 1, 0], true), // no error: no row of the first-error target
  ];
  const result = await measureSignals(episodes, [oracleProgressSignal], { replicates: 100, recoveryTurns: 3 });
  const first = find(result, "oracle_progress", "first_error");
  expect([first.rows, first.positives, first.definesLabel]).toEqual([2 + 1 + 2, 3, true]);
  const recovery = find(result, "oracle_progress", "recovery");
  // Episode a0: in error after turns 2 and 3 (distance 2 again, best is 2: turn 3 is clean); a1: turns 1..5 had 3 left.
  expect(recovery.rows).toBe(1 + 5);
  expect(recovery.positives).toBe(1);
  expect(result.warnings.join()).toContain("Only 2 tasks");
});

test("measureSignals() finds that oracle progress is shaping only when the end is paid", async () => {
  const result = await measureSignals(
    [walk("a", 0, [2, 1, 0], true), walk("a", 1, [2, 2, 1], false)],
    [oracleProgressSignal],
    { replicates: 100 },
  );
  expect(result.shaping[0]).toMatchObject({ broken: 0, turns: 4, openEnds: 1, verdict: "not_potential_based" });
});

test("measureSignals() says which signals have no value and what they need", async () => {
  const result = await measureSignals(simulate(4, 2), createBuiltInSignals(), { replicates: 100 });
  expect(result.unavailable.map(({ id }) => id)).toEqual([
    "oracle_progress",
    "oracle_distance",
    "regret",
    "entropy",
    "self_report",
  ]);
  expect(result.unavailable.find(({ id }) => id === "entropy")?.reason).toContain("log-probs");
});

test("invalid and repeated_action read what turns say", () => {
  const turns: Turn[] = [
    { observation: { text: "" }, action: { text: "", toolCalls: [{ name: "go", arguments: { to: "a" } }] } },
    { observation: { text: "" }, action: { text: "hm", invalid: "no action" } },
    {
      observation: { text: "" },
      action: { text: "other words", toolCalls: [{ name: "go", arguments: { to: "a" } }] },
      flags: { unknownTool: true },
    },
  ];
  const trajectory = sketchTrajectory({ task: "x", grades: [], success: false, changes: { turns } });
  expect(invalidSignal.read(trajectory)).toEqual([0, 1, 1]);
  expect(repeatedActionSignal.read(trajectory)).toEqual([0, 0, 1]);
});

test.each([
  { text: "Confidence: 0.8", value: 0.8 },
  { text: "I am sure: 80 % by now", value: 0.8 },
  { text: "<confidence>7/10</confidence>", value: 0.7 },
  { text: "confidence 20%, later confidence 60%", value: 0.6 },
  { text: "confidence: 85", value: 0.85 },
  { text: "confidence: 850", value: undefined },
  { text: "I assured 3 people", value: undefined },
])("createSelfReportSignal() reads $text as $value", ({ text, value }) => {
  const turns: Turn[] = [{ observation: { text: "" }, action: { text } }];
  expect(
    createSelfReportSignal().read(sketchTrajectory({ task: "x", grades: [], success: true, changes: { turns } })),
  ).toEqual([value]);
});

test.each([
  { name: "nothing", episodes: [], says: "none was given" },
  {
    name: "only errors",
    episodes: [
      sketchTrajectory({
        task: "a",
        grades: [false],
        stop: { type: "error", boundary: "env", errorClass: "x", message: "" },
      }),
    ],
    says: "no episode can be counted",
  },
  {
    name: "two envs",
    episodes: [
      sketchTrajectory({ task: "a", grades: [true] }),
      sketchTrajectory({ task: "b", grades: [true], changes: { env: { id: "counter", version: "2" } } }),
    ],
    says: "two envs",
  },
])("measureSignals() refuses $name", async ({ episodes, says }) => {
  await expect(measureSignals(episodes, [invalidSignal])).rejects.toThrow(says);
});

test("measureSignals() says what to do when no episode can be counted", async () => {
  const ungraded = sketchTrajectory({ task: "a", grades: [undefined], success: undefined });
  const error: unknown = await measureSignals([ungraded], [invalidSignal]).catch((reason: unknown) => reason);
  expect(error instanceof TurnwiseError ? error.remedy : error).toContain("turnwise import --map");
});

test("measureSignals() refuses a signal that is no number and one with too few values", async () => {
  const episodes = simulate(2, 1);
  await expect(measureSignals(episodes, [defineSignal("bad", () => NaN)])).rejects.toThrow(
    'signal "bad": values must be numbers or undefined, and turn 1 of 2',
  );
  await expect(measureSignals(episodes, [{ ...signals[0], read: () => [] }])).rejects.toThrow("gave 0 values");
  await expect(measureSignals(episodes, signals, { fitShare: 1 })).rejects.toThrow("between 0 and 1");
});

test("measureSignals() says that flags define the labels where errors are told from them alone", async () => {
  const change = (make: (turn: Turn, at: number) => Partial<Turn>): Trajectory[] =>
    simulate(12, 3).map((episode) => ({
      ...episode,
      turns: episode.turns.map((turn, at): Turn => ({ ...turn, ...make(turn, at) })),
    }));
  const flag = ({ action }: Turn): Partial<Turn> => (action.text.startsWith("1") ? { flags: { toolError: true } } : {});
  const flagged = change(flag);
  const placed = change((turn, at) => ({
    ...flag(turn),
    distanceBefore: 9 - at,
    distanceAfter: 9 - at - ((at + 1) % 2),
  }));
  const measure = (list: readonly Trajectory[]) => measureSignals(list, createBuiltInSignals(), { replicates: 20 });
  const byFlags = await measure(flagged);
  const first = find(byFlags, "tool_error", "first_error");
  expect([first.stratifiedAuroc?.value, first.definesLabel]).toEqual([1, true]);
  expect(find(byFlags, "tool_error").definesLabel).toBe(false);
  expect(find(await measure(placed), "tool_error", "first_error").definesLabel).toBe(false);
});
