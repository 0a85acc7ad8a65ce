import {
  createRandom,
  stopLabels,
  type ComparisonResult,
  type DifferenceCell,
  type Estimate,
  type IncidenceRow,
  type PolicySurface,
  type StopLabel,
  type SurfaceCell,
  type Trajectory,
  type Turn,
  type Verdict,
} from "../../src/core/index.js";
import { createEpisodePicker, type ReportInput } from "../../src/report/index.js";

/** What a made-up policy does in each turn. */
export interface SyntheticPolicy {
  readonly label: string;
  readonly solve: number;
  readonly quit: number;
  readonly fail: number;
  /** Turns needed before anything can be solved. */
  readonly needs: number;
}

/** The grid and size of a made-up study. */
export interface SyntheticPlan {
  readonly policies: readonly SyntheticPolicy[];
  readonly budgets: readonly number[];
  readonly sampleCounts: readonly number[];
  readonly taskCount: number;
  readonly samples: number;
  readonly seed: number;
  /** Compare every policy with the first. */
  readonly isCompared: boolean;
  readonly transcriptBytes?: number;
}

interface Outcome {
  readonly turn: number;
  readonly end: StopLabel;
}

type Outcomes = readonly (readonly Outcome[])[]; // [task][sample]

function play(policy: SyntheticPolicy, plan: SyntheticPlan): Outcomes {
  const last = Math.max(...plan.budgets);
  return Array.from({ length: plan.taskCount }, (_task, task) => {
    const ease = createRandom(plan.seed, "task", task).next();
    return Array.from({ length: plan.samples }, (_sample, sample): Outcome => {
      const random = createRandom(plan.seed, policy.label, task, sample);
      for (let turn = 1; turn <= last; turn += 1) {
        const draw = random.next();
        const solve = turn >= policy.needs ? policy.solve * 2.2 * Math.max(0, ease - 0.18) : 0;
        if (draw < solve) return { turn, end: "solved" };
        if (draw < solve + policy.quit) return { turn, end: "quit" };
        if (draw < solve + policy.quit + policy.fail) return { turn, end: "wrong_final" };
      }
      return { turn: last, end: "max_turns" };
    });
  });
}

function isSolved({ turn, end }: Outcome, maxTurns: number): boolean {
  return end === "solved" && turn <= maxTurns;
}

/** pass@k from n tries of which c succeed. */
function passAt(n: number, c: number, k: number): number {
  let miss = 1;
  for (let i = n - c + 1; i <= n; i += 1) miss *= 1 - k / i;
  return n - c < k ? 1 : 1 - miss;
}

function rates(outcomes: Outcomes, k: number, maxTurns: number): number[] {
  return outcomes.map((samples) => passAt(samples.length, samples.filter((one) => isSolved(one, maxTurns)).length, k));
}

function estimate(values: readonly number[], bounds: readonly [number, number]): Estimate {
  const n = values.length;
  const value = values.reduce((sum, one) => sum + one, 0) / n;
  const spread = values.reduce((sum, one) => sum + (one - value) ** 2, 0) / Math.max(1, n - 1);
  const standardError = Math.sqrt(spread / n);
  const around = (z: number, method: "task_bootstrap_percentile" | "task_multiplier") => ({
    lower: Math.max(bounds[0], value - z * standardError),
    upper: Math.min(bounds[1], value + z * standardError),
    level: 0.95,
    method,
  });
  return {
    value,
    taskCount: n,
    standardError,
    interval: around(1.96, "task_bootstrap_percentile"),
    band: around(2.75, "task_multiplier"),
  };
}

function countStops(outcomes: Outcomes, maxTurns: number): { readonly [label in StopLabel]?: number } {
  const all = outcomes.flat();
  const ends = all.map((one) => (one.turn > maxTurns ? "max_turns" : one.end));
  const counted = stopLabels.map((label) => [label, ends.filter((end) => end === label).length / all.length] as const);
  return Object.fromEntries(counted.filter(([, share]) => share > 0));
}

function countIncidence(outcomes: Outcomes, last: number): IncidenceRow[] {
  const all = outcomes.flat();
  const n = all.length;
  return Array.from({ length: last }, (_unused, index) => {
    const turn = index + 1;
    const atRisk = all.filter((one) => one.turn >= turn).length;
    const count = (end: StopLabel) => all.filter((one) => one.end === end && one.turn === turn).length;
    const until = (end: StopLabel) => all.filter((one) => one.end === end && one.turn <= turn).length / n;
    const hazard = (end: StopLabel) => (atRisk === 0 ? NaN : count(end) / atRisk);
    return {
      turn,
      atRisk,
      successHazard: hazard("solved"),
      quitHazard: hazard("quit"),
      failHazard: hazard("wrong_final"),
      success: until("solved"),
      quit: until("quit"),
      fail: until("wrong_final"),
    };
  });
}

function makeSurface(policy: SyntheticPolicy, outcomes: Outcomes, plan: SyntheticPlan): PolicySurface {
  const { budgets, sampleCounts, samples, taskCount } = plan;
  const last = Math.max(...budgets);
  const cells = sampleCounts.flatMap((k) =>
    budgets.map((maxTurns): SurfaceCell => ({
      k,
      maxTurns,
      mark: "cut",
      estimate: estimate(rates(outcomes, k, maxTurns), [0, 1]),
    })),
  );
  const rate = cells.find((cell) => cell.k === sampleCounts[0] && cell.maxTurns === last)?.estimate.value ?? NaN;
  const recorded = taskCount * samples + 3;
  return {
    label: policy.label,
    policyId: policy.label.toLowerCase().replaceAll(" ", "-"),
    env: { id: "lookup", version: "1" },
    disclosure: "hidden",
    terminalRule: "act",
    mark: "cut",
    isMonotone: true,
    sampleCounts,
    budgets,
    cells,
    denominator: {
      plannedEpisodes: recorded,
      recordedEpisodes: recorded,
      countedEpisodes: taskCount * samples,
      erroredEpisodes: 3,
      errorsByClass: { "policy/rate_limit": 2, "env/crash": 1 },
      unknownEpisodes: 0,
      droppedTasks: [],
      rateWithoutErrors: rate,
      rateWithErrorsAsFailures: (rate * taskCount * samples) / recorded,
      minSamplesPerTask: samples,
      maxSamplesPerTask: samples,
    },
    stopShares: budgets.map((maxTurns) => ({ maxTurns, shares: countStops(outcomes, maxTurns) })),
    incidence: countIncidence(outcomes, last),
    meanTurns: outcomes.flat().reduce((sum, { turn }) => sum + turn, 0) / (taskCount * samples),
    meanTokens: 1834.2,
    passHat: sampleCounts.map((k) => ({
      k,
      estimate: estimate(
        outcomes.map((tries) => (tries.filter((one) => isSolved(one, last)).length / samples) ** k),
        [0, 1],
      ),
    })),
    notes: ["A turn is one assistant message with the tool answers that follow it."],
  };
}

function judge({ band }: Estimate, margin: number): Verdict {
  if (band === undefined) return "undecided";
  if (band.lower > 0) return "gain";
  if (band.upper < 0) return "loss";
  return band.lower >= -margin && band.upper <= margin ? "equivalent" : "undecided";
}

function makeComparison(
  a: PolicySurface,
  b: PolicySurface,
  played: readonly [Outcomes, Outcomes],
  plan: SyntheticPlan,
): ComparisonResult {
  const { budgets, sampleCounts, taskCount } = plan;
  const last = Math.max(...budgets);
  const subtract = (k: number, maxTurns: number): number[] => {
    const left = rates(played[0], k, maxTurns);
    return rates(played[1], k, maxTurns).map((rate, task) => rate - left[task]);
  };
  const cells = sampleCounts.flatMap((k) =>
    budgets.map((maxTurns): DifferenceCell => {
      const difference = estimate(subtract(k, maxTurns), [-1, 1]);
      return { k, maxTurns, estimate: difference, verdict: judge(difference, 0.03) };
    }),
  );
  const first = cells.filter((cell) => cell.k === sampleCounts[0]);
  const rateA = rates(played[0], 1, last);
  const rateB = rates(played[1], 1, last);
  const solvedBy = (outcomes: Outcomes, maxTurns: number) =>
    outcomes.map((tries) => tries.some((one) => isSolved(one, maxTurns)));
  return {
    a: a.label,
    b: b.label,
    sharedTasks: taskCount,
    onlyInA: [],
    onlyInB: ["task-extra-1"],
    margin: 0.03,
    level: 0.95,
    replicates: 10000,
    seed: plan.seed,
    cells,
    onsetTurns: first.find((cell) => cell.verdict === "gain")?.maxTurns,
    reversalTurns: first.filter((cell) => cell.verdict === "loss").map((cell) => cell.maxTurns),
    areaBetween: estimate(subtract(1, last), [-1, 1]),
    discordance: budgets.map((maxTurns) => {
      const left = solvedBy(played[0], maxTurns);
      const right = solvedBy(played[1], maxTurns);
      const count = (inA: boolean, inB: boolean) =>
        left.filter((one, task) => one === inA && right[task] === inB).length;
      return {
        maxTurns,
        onlyA: count(true, false),
        onlyB: count(false, true),
        both: count(true, true),
        neither: count(false, false),
        pExact: 0.00041,
        pMid: 0.00002,
      };
    }),
    taskDifferences: rateA.map((rate, task) => ({
      taskId: `task-${String(task).padStart(4, "0")}`,
      a: rate,
      b: rateB[task],
      samplesA: plan.samples,
      samplesB: plan.samples,
    })),
    extraTurns: budgets.map((maxTurns, index) =>
      index < budgets.length - 1
        ? {
            maxTurns,
            value: 0.8 + index,
            interval: {
              lower: 0.2 + index,
              upper: index > 1 ? Infinity : 2.1 + index,
              level: 0.95,
              method: "task_bootstrap_percentile" as const,
            },
          }
        : { maxTurns, value: undefined, note: `${a.label} never reaches this success within the grid` },
    ),
    extraSamples: budgets.map((maxTurns) => ({
      maxTurns,
      value: 1.7,
      interval: { lower: 1.2, upper: 2.4, level: 0.95, method: "task_bootstrap_percentile" as const },
    })),
    minimumDetectableDifference: 0.062,
    signFlipP: 0.0004,
    notes: ["Bands cover new tasks of this kind, not new training runs."],
    labels: [],
    warnings: [],
  };
}

const places = ["Marlow", "Essen Bridge", "the Old Mill", "Tarn House", "Quay Nine"];

function makeTurn(task: number, index: number, isLast: boolean, end: StopLabel): Turn {
  const random = createRandom("turn", task, index, end);
  const isMistake = !isLast && createRandom("mistake", task, index, end).next() < 0.22;
  const wasMistake = index > 0 && createRandom("mistake", task, index - 1, end).next() < 0.22;
  const place = random.pick(places);
  const isSubmitting = isLast && (end === "solved" || end === "wrong_final");
  return {
    observation:
      index === 0
        ? { text: `Question ${task}: which of the two bridges over the river at ${place} was opened first?` }
        : {
            text: "",
            toolResults: [
              {
                name: "search",
                text: wasMistake
                  ? "no page matches this query"
                  : `${place} stands on the river. Its bridge was opened in 18${10 + (task % 80)}.`,
                ...(wasMistake ? { isError: true as const } : {}),
              },
            ],
          },
    action: {
      text: isSubmitting ? "Both dates are known now." : `I look for ${place}.`,
      reasoning:
        index % 2 === 0 ? `The question names ${place}. I need both dates before I can compare them.` : undefined,
      toolCalls: [
        isSubmitting
          ? { name: "answer", arguments: { text: place } }
          : { name: "search", arguments: { query: `${place} bridge opened` } },
      ],
      ...(isLast && end === "quit" ? { quit: true as const } : {}),
    },
    reward: isLast && end === "solved" ? 1 : 0,
    flags: isMistake ? { toolError: true } : undefined,
    distanceBefore: 3,
    distanceAfter: isMistake ? 3 : 2,
    solvedAfter: isLast && end === "solved",
    usage: { promptTokens: 410 + 90 * index, completionTokens: 64 },
  };
}

function makeTrajectory(policy: SyntheticPolicy, task: number, sample: number, { turn, end }: Outcome): Trajectory {
  return {
    schema: "turnwise.trajectory/1",
    episodeId: `${policy.label}-${task}-${sample}`,
    task: { id: `task-${String(task).padStart(4, "0")}`, hash: String(task) },
    sampleIndex: sample,
    policy: { id: policy.label },
    env: { id: "lookup", version: "1" },
    budget: { maxTurns: 16 },
    disclosure: "hidden",
    terminalRule: "act",
    turns: Array.from({ length: turn }, (_unused, index) => makeTurn(task, index, index === turn - 1, end)),
    finalObservation: { text: end === "solved" ? "Right." : "The episode is over." },
    stopReason:
      end === "max_turns" || end === "quit"
        ? { type: end }
        : { type: "env_end", kind: end === "solved" ? "solved" : "wrong_final" },
    success: end === "solved",
  };
}

/** Returns a made-up but consistent study as input of a report. The same plan gives the same input. */
export function makeReportInput(plan: SyntheticPlan): ReportInput {
  const played = plan.policies.map((policy) => play(policy, plan));
  const surfaces = plan.policies.map((policy, index) => makeSurface(policy, played[index], plan));
  const comparisons = plan.isCompared
    ? surfaces
        .slice(1)
        .map((surface, index) => makeComparison(surfaces[0], surface, [played[0], played[index + 1]], plan))
    : [];
  const picker = createEpisodePicker({ comparisons, maxBytes: plan.transcriptBytes });
  for (const [index, policy] of plan.policies.entries()) {
    for (const [task, samples] of played[index].entries()) {
      for (const [sample, outcome] of samples.entries())
        picker.add(policy.label, makeTrajectory(policy, task, sample, outcome));
    }
  }
  return {
    title: "Base against trained: bridge questions with search",
    version: "0.1.0",
    runs: plan.policies.map(({ label }, index) => ({
      path: `runs/${label.toLowerCase().replaceAll(" ", "-")}`,
      labels: [label],
      configHash: String(index).repeat(64),
      env: { id: "lookup", version: "1" },
      taskCount: plan.taskCount,
      episodeCount: plan.taskCount * plan.samples + 3,
    })),
    surfaces,
    comparisons,
    adaptation: plan.isCompared
      ? surfaces.map((surface, index) => ({
          label: surface.label,
          maxTurns: plan.budgets[0],
          disclosure: "countdown" as const,
          estimate: estimate([0.02 + index / 20, 0.05, 0.11, -0.02], [-1, 1]),
        }))
      : [],
    episodes: picker.finish(),
  };
}

/** A study of the usual size: two policies whose order depends on the budget. */
export const usualPlan: SyntheticPlan = {
  policies: [
    { label: "base", solve: 0.1, quit: 0.09, fail: 0.05, needs: 1 },
    { label: "trained", solve: 0.2, quit: 0.02, fail: 0.04, needs: 3 },
  ],
  budgets: [1, 2, 3, 4, 6, 8, 12, 16],
  sampleCounts: [1, 2, 4, 8, 16],
  taskCount: 120,
  samples: 16,
  seed: 7,
  isCompared: true,
};
