import { expect, test } from "vitest";
import { createRandom, type DynamicsCheckpoint, type Trajectory, type Turn, type Verdict } from "../../core/index.js";
import { sketchTrajectory } from "../../../test/support/trajectories.js";
import { collectCheckpoint, type CheckpointEpisodes } from "./checkpoint-episodes.js";
import { findDynamicsFlags } from "./health-flags.js";
import { measureDynamics } from "./measure-dynamics.js";

/** What a simulated checkpoint is like: a chance to solve by turn, to quit, and how its tokens and actions spread. */
interface Plan {
  readonly label: string;
  readonly update: number;
  readonly solve: (turn: number) => number;
  readonly quit?: number;
  readonly logProb?: number;
  readonly actions?: number;
}

const taskCount = 40;
const samples = 6;

function play(plan: Plan): Trajectory[] {
  const random = createRandom(8, "dynamics test", plan.label);
  const { solve, quit = 0, logProb, actions = 9 } = plan;
  return Array.from({ length: taskCount * samples }, (_unused, i) => {
    const turns: Turn[] = [];
    let end: Trajectory["stopReason"] = { type: "max_turns" };
    for (let turn = 1; turn <= 8; turn += 1) {
      const isQuit = random.next() < quit;
      const solvedAfter = !isQuit && random.next() < solve(turn);
      turns.push({
        observation: { text: "" },
        action: { text: `do ${random.nextInt(actions)}`, ...(isQuit ? { quit: true as const } : {}) },
        solvedAfter,
        ...(logProb === undefined ? {} : { tokens: { logProbs: [logProb, 3 * logProb] } }),
      });
      if (solvedAfter) end = { type: "env_end", kind: "solved" };
      if (isQuit) end = { type: "quit" };
      if (solvedAfter || isQuit) break;
    }
    const success = end.type === "env_end";
    return sketchTrajectory({
      task: `t${i % taskCount}`,
      sample: Math.floor(i / taskCount),
      grades: [],
      success,
      stop: end,
      changes: { turns },
    });
  });
}

function collect(plan: Plan): Promise<CheckpointEpisodes> {
  return collectCheckpoint(play(plan), { label: plan.label, updateIndex: plan.update });
}

const base: Plan = { label: "base", update: 0, solve: () => 0.1, quit: 0.1, logProb: -1 };
/** Worse at once, better later. */
const late: Plan = {
  label: "late",
  update: 200,
  solve: (turn) => (turn <= 1 ? 0 : 0.25),
  quit: 0,
  logProb: -0.2,
  actions: 2,
};
const same: Plan = { label: "same", update: 100, solve: () => 0.1, quit: 0.1, logProb: -1 };

test("measureDynamics() finds success, hazards and behaviour that simulated checkpoints have", async () => {
  const result = measureDynamics([await collect(late), await collect(base), await collect(same)], { replicates: 400 });
  expect(result.checkpoints.map(({ label }) => label)).toEqual(["base", "same", "late"]);
  expect(result.budgets).toEqual([1, 2, 4, 8]);
  const [first, , last] = result.checkpoints;
  // Truth: .9 x .1 a turn, .9 x .9 go on.
  const truth = result.budgets.map((turns) => (0.09 * (1 - 0.81 ** turns)) / 0.19);
  first.cells.forEach(({ estimate }, i) => {
    expect(estimate.band?.lower).toBeLessThan(truth[i]);
    expect(estimate.band?.upper).toBeGreaterThan(truth[i]);
  });
  expect(last.cells.map(({ change }) => change?.verdict)).toEqual(["loss", expect.any(String), "gain", "gain"]);
  expect([last.onsetTurns, last.reversalTurns]).toEqual([4, [1]]);
  expect(first.measures.quitClean?.estimate.value).toBeCloseTo(0.1, 1);
  expect(last.measures.quitClean?.estimate).toMatchObject({ value: 0 });
  expect(first.measures.entropy?.estimate.value).toBeCloseTo(2, 10);
  expect(last.measures.entropy?.change?.value).toBeCloseTo(-1.6, 10);
  expect(last.measures.distinctActionRate?.change?.interval?.upper).toBeLessThan(0);
  expect(first.measures.uniformGroupShare?.estimate.value).toBeLessThan(0.3);
});

test("measureDynamics() raises entropy_collapse and onset_shift where they were built in, and nothing without", async () => {
  const first = await collect({ ...base, logProb: undefined });
  const healthy = measureDynamics([first, await collect({ ...same, logProb: undefined })], { replicates: 400 });
  expect(healthy.flags).toEqual([]);
  expect(healthy.rules.map(({ flag }) => flag)).toEqual([
    "std_collapse",
    "entropy_collapse",
    "length_drift",
    "onset_shift",
  ]);
  expect(healthy.notes.join()).toContain("Entropy is not available");
  // Entropy falls by the same everywhere, so its change has no spread and no interval: a rule needs an interval.
  const noisy: CheckpointEpisodes = await collectCheckpoint(
    play(late).map((episode, i) => ({
      ...episode,
      turns: episode.turns.map((turn) => ({ ...turn, tokens: { logProbs: [-0.1 - (i % 7) / 50] } })),
    })),
    { label: "late", updateIndex: 9 },
  );
  const broken = measureDynamics([await collect(base), noisy], { replicates: 400 });
  expect(broken.flags.map(({ flag, label, updateIndex }) => [flag, label, updateIndex])).toEqual([
    ["entropy_collapse", "late", 9],
    ["onset_shift", "late", 9],
  ]);
});

test("measureDynamics() raises std_collapse where tasks became all or nothing, and length_drift where episodes only grew", async () => {
  const first = await collect({ ...base, quit: 0.4 });
  const split = play({ ...base, label: "split", quit: 0 }).map((episode): Trajectory => {
    const solved = Number(episode.task.id.slice(1)) % 8 === 0;
    const turns = episode.turns.map((turn, i, all) => ({ ...turn, solvedAfter: solved && i === all.length - 1 }));
    return {
      ...episode,
      turns,
      success: solved,
      stopReason: solved ? { type: "env_end", kind: "solved" } : { type: "max_turns" },
    };
  });
  const result = measureDynamics([first, await collectCheckpoint(split, { label: "split" })], { replicates: 400 });
  expect(result.flags.map(({ flag }) => flag)).toEqual(["std_collapse", "length_drift"]);
  expect(result.checkpoints[1].measures.uniformGroupShare?.estimate.value).toBe(1);
  expect(result.notes.join()).toContain("order given");
});

test("findDynamicsFlags() says that more success is missing only where the verdict says so", async () => {
  const { checkpoints } = measureDynamics([await collect(base), await collect(late)], { replicates: 200 });
  const [first, second] = checkpoints;
  const findWords = (verdict: Verdict): string[] => {
    const grown: DynamicsCheckpoint = {
      ...second,
      cells: second.cells.map((cell) => ({ ...cell, change: { estimate: cell.estimate, verdict } })),
      measures: {
        ...second.measures,
        meanTurns: {
          estimate: { value: 6, taskCount: 40 },
          change: {
            value: 4,
            taskCount: 40,
            interval: { lower: 3, upper: 5, level: 0.95, method: "task_bootstrap_percentile" },
          },
        },
      },
    };
    const start: DynamicsCheckpoint = {
      ...first,
      measures: { ...first.measures, meanTurns: { estimate: { value: 2, taskCount: 40 } } },
    };
    return findDynamicsFlags([start, grown]).flatMap(({ flag, finding }) => (flag === "length_drift" ? [finding] : []));
  };
  expect(findWords("gain")).toEqual([]);
  expect(findWords("undecided")).toEqual(["episodes became longer and more success is not shown"]);
  expect(findWords("equivalent")).toEqual(["episodes became longer without more success"]);
  expect(findWords("loss")).toEqual(["episodes became longer without more success"]);
});

test("measureDynamics() shows the winner's curse: among equals the chosen one was lucky, and the report half says so", async () => {
  const equals = await Promise.all(
    Array.from({ length: 8 }, (_unused, i) => collect({ ...base, label: `u${i}`, update: i })),
  );
  const { selection } = measureDynamics(equals, { replicates: 400 });
  expect([selection?.selectionTasks, selection?.reportTasks]).toEqual([20, 20]);
  const row = selection?.rows.at(-1);
  const truth = (0.09 * (1 - 0.81 ** 8)) / 0.19;
  expect(row?.optimism).toBeGreaterThan(0.01);
  expect(row?.selectionValue).toBeGreaterThan(truth);
  expect(Math.abs((row?.reportValue.value ?? 0) - truth)).toBeLessThan(3 * (row?.reportValue.standardError ?? 0));
});

test("measureDynamics() is the same for the same seed", async () => {
  const checkpoints = [await collect(base), await collect(late)];
  expect(measureDynamics(checkpoints, { replicates: 200 })).toEqual(measureDynamics(checkpoints, { replicates: 200 }));
});

test("measureDynamics() refuses what cannot be followed", async () => {
  const one = await collect(base);
  const other = await collect(late);
  const change = (fields: Partial<CheckpointEpisodes>): CheckpointEpisodes => ({ ...other, ...fields });
  expect(() => measureDynamics([one])).toThrow("with 1 checkpoint: at least 2");
  expect(() => measureDynamics([one, one])).toThrow('two checkpoints are called "base"');
  expect(() => measureDynamics([one, change({ env: { id: "counter", version: "2" } })])).toThrow(
    'their env version differs, "1" and "2"',
  );
  expect(() => measureDynamics([one, change({ disclosure: "countdown" })])).toThrow("their disclosure differs");
  expect(() => measureDynamics([one, change({ tasks: new Map() })])).toThrow("share no task");
  expect(() => measureDynamics([one, other], { budgets: [4, 99] })).toThrow("T=99: the shortest run went up to T=8");
  await expect(collectCheckpoint([], { label: "x" })).rejects.toThrow("no episode that can be counted");
});

test("measureDynamics() reads disclosed budgets from their own runs only", async () => {
  const told = (plan: Plan, maxTurns: number): Trajectory[] =>
    play(plan).map((episode) => ({
      ...episode,
      disclosure: "countdown",
      budget: { maxTurns },
      success: maxTurns === 2 ? false : episode.success,
    }));
  const collectTold = (plan: Plan) => collectCheckpoint([...told(plan, 2), ...told(plan, 8)], { label: plan.label });
  const result = measureDynamics([await collectTold(base), await collectTold(same)], { replicates: 200 });
  expect(result.mark).toBe("run");
  expect(result.budgets).toEqual([2, 8]);
  expect(result.checkpoints[0].cells[0].estimate.value).toBe(0);
  expect(() => measureDynamics([], {})).toThrow("0 checkpoints");
  await expect(
    collectTold(base).then((one) => measureDynamics([one, { ...one, label: "b" }], { budgets: [4] })),
  ).rejects.toThrow("every T is run on its own");
});
