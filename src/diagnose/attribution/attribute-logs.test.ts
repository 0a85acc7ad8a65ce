import { expect, test } from "vitest";
import { createRandom, type Disclosure, type Trajectory, type Turn } from "../../core/index.js";
import { attributeLogs } from "./attribute-logs.js";
import { collectChainSide, designChains } from "./chain-side.js";
import { trueErrorChance } from "./judge-range.js";

interface Habit {
  readonly policyId: string;
  readonly errorRate: number;
  readonly recoveryRate: number;
  readonly quit: number;
  /** Factor on the recovery rate for each earlier error; 1 is Markov. */
  readonly memory?: number;
  /** Probability of finishing in a turn that goes well. */
  readonly finish?: number;
}

interface Setting {
  readonly taskCount?: number;
  readonly samples?: number;
  readonly maxTurns?: number;
  readonly disclosure?: Disclosure;
  readonly firstAction?: (maxTurns: number) => string;
}

/** Plays episodes of a policy that errs, recovers and quits by fixed rates; tasks are all alike. */
function playEpisodes(
  habit: Habit,
  { taskCount = 60, samples = 10, maxTurns = 8, disclosure = "hidden", firstAction }: Setting = {},
): Trajectory[] {
  const random = createRandom("attribute logs", habit.policyId, maxTurns);
  const { finish = 0.25, memory = 1 } = habit;
  return Array.from({ length: taskCount * samples }, (_unused, index): Trajectory => {
    const turns: Turn[] = [];
    let isInError = false;
    let onsets = 0;
    let stopReason: Trajectory["stopReason"] = { type: "max_turns" };
    while (turns.length < maxTurns) {
      const text = turns.length === 0 ? (firstAction?.(maxTurns) ?? "go") : "go";
      if (random.next() < habit.quit) {
        turns.push({ observation: { text: "" }, action: { text, quit: true }, solvedAfter: false });
        stopReason = { type: "quit" };
        break;
      }
      const isGood: boolean =
        random.next() < (isInError ? habit.recoveryRate * memory ** (onsets - 1) : 1 - habit.errorRate);
      const isSolved = isGood && random.next() < finish;
      if (!isGood && !isInError) onsets += 1;
      isInError = !isGood;
      const best = 20 - turns.length;
      turns.push({
        observation: { text: "" },
        action: { text },
        distanceBefore: best,
        distanceAfter: isGood ? best - 1 : best,
        solvedAfter: isSolved,
        extra: { judged: !isGood },
      });
      if (isSolved) {
        stopReason = { type: "env_end", kind: "solved" };
        break;
      }
    }
    const task = `t${index % taskCount}`;
    return {
      schema: "turnwise.trajectory/1",
      episodeId: `${index}`,
      task: { id: task, hash: task },
      sampleIndex: Math.floor(index / taskCount),
      policy: { id: habit.policyId },
      env: { id: "walk", version: "1" },
      budget: { maxTurns },
      disclosure,
      terminalRule: "act",
      turns,
      stopReason,
      success: stopReason.type === "env_end",
    };
  });
}

const base: Habit = { policyId: "base", errorRate: 0.3, recoveryRate: 0.4, quit: 0.1 };
const fast = { replicates: 100, simulations: 19 };

async function attribute(
  a: Habit,
  b: Habit,
  options: Parameters<typeof attributeLogs>[2] = fast,
  setting: Setting = {},
) {
  const [sideA, sideB] = await Promise.all(
    [a, b].map((habit) => collectChainSide(playEpisodes(habit, setting), { label: habit.policyId })),
  );
  return attributeLogs(sideA, sideB, options);
}

test("attributeLogs() gives shares that sum to the gap, whose ends are the observed means, and the same bytes each time", async () => {
  const better = { ...base, policyId: "better", recoveryRate: 0.8 };
  const result = await attribute(base, better);
  const solved = (habit: Habit, within: number): number =>
    playEpisodes(habit).filter(({ success, turns }) => success && turns.length <= within).length / 600;
  for (const { maxTurns, valueA, valueB, gap, decision, recovery, persistence, cells } of result.rows) {
    expect(valueA).toBeCloseTo(solved(base, maxTurns), 12);
    expect(valueB).toBeCloseTo(solved(better, maxTurns), 12);
    expect(decision.estimate.value + recovery.estimate.value + persistence.estimate.value).toBeCloseTo(
      gap.estimate.value,
      12,
    );
    expect([cells[0], cells[7]]).toEqual([valueA, valueB]);
  }
  const last = result.rows[result.rows.length - 1];
  expect(last.isIdentified).toBe(true);
  expect(last.recovery.verdict).toBe("gain");
  expect([last.decision.verdict, last.persistence.verdict]).not.toContain("gain");
  expect(result.classes?.[0].classCount).toBe(1);
  expect(result.labelSources).toMatchObject({ judge: 0, signals: 0 });
  expect(await attribute(base, better)).toEqual(result);
});

test("attributeLogs() accepts a chain without memory and rejects one with it", async () => {
  const setting = { taskCount: 60, samples: 16, maxTurns: 10 };
  const keen = { ...base, policyId: "keen", quit: 0.02, finish: 0.12, errorRate: 0.4, recoveryRate: 0.6 };
  const markov = await attribute(base, keen, fast, setting);
  expect(markov.markov?.find(({ policy }) => policy === "b")?.pValue).toBeGreaterThan(0.05);
  const tired = await attribute(base, { ...keen, policyId: "tired", memory: 0.4 }, fast, setting);
  const check = tired.markov?.find(({ policy }) => policy === "b");
  expect(check?.pValue).toBeLessThanOrEqual(0.05);
  expect(check?.heldOut?.observed).toBeLessThan(check?.heldOut?.predicted ?? 0);
  expect(tired.warnings.join("\n")).toContain('What happens next to "tired"');
  for (const row of tired.rows) {
    expect(row.isDoubted).toBe(row.maxTurns > 1); // nothing lies behind the first turn
    const shares = [row.decision, row.recovery, row.persistence];
    if (row.isDoubted) expect(shares.map(({ verdict }) => verdict)).toEqual(["undecided", "undecided", "undecided"]);
    expect(shares.filter(({ lead }) => lead !== undefined)).toHaveLength(row.isDoubted && row.isIdentified ? 3 : 0);
  }
  expect(tired.rows.at(-1)?.persistence.lead).toBe("gain");
  expect(markov.rows.map(({ isDoubted }) => isDoubted)).not.toContain(true);
});

test("attributeLogs() gives a range over the error rates of a judge that holds the shares of a perfect one", async () => {
  const better = { ...base, policyId: "better", recoveryRate: 0.8 };
  const perfect = await attribute(base, better, {
    ...fast,
    simulations: 0,
    judgeErrors: { sensitivity: [1, 1], specificity: [1, 1] },
  });
  const [row] = perfect.rows.slice(-1);
  expect(row.judgeRange?.least.recovery).toBeCloseTo(row.recovery.estimate.value, 9);
  const doubtful = await attribute(base, better, {
    ...fast,
    simulations: 0,
    judgeErrors: { sensitivity: [0.8, 1], specificity: [0.9, 1] },
  });
  const range = doubtful.rows[doubtful.rows.length - 1].judgeRange;
  expect(range?.least.recovery).toBeLessThan(range?.most.recovery ?? 0);
});

test("trueErrorChance() is Bayes' rule at the share of errors that the flags imply", () => {
  // 30 % flagged, sensitivity .8, specificity .9: 20 / 70 of turns are errors.
  const truth = 0.2 / 0.7;
  expect(trueErrorChance(true, 0.3, 0.8, 0.9)).toBeCloseTo((truth * 0.8) / 0.3, 12);
  expect(trueErrorChance(false, 0.3, 0.8, 0.9)).toBeCloseTo((truth * 0.2) / 0.7, 12);
  expect(() => trueErrorChance(true, 0.3, 0.4, 0.6)).toThrow("must exceed 1");
});

test("attributeLogs() reads each told budget from its own episodes and says how behaviour follows it", async () => {
  const collect = (habit: Habit, firstAction?: Setting["firstAction"]) =>
    collectChainSide(
      [3, 8].flatMap((maxTurns) =>
        playEpisodes(habit, {
          maxTurns,
          samples: 4,
          disclosure: "countdown",
          ...(firstAction === undefined ? {} : { firstAction }),
        }),
      ),
      { label: habit.policyId },
    );
  const aware = await collect({ ...base, policyId: "aware" }, (maxTurns) => (maxTurns < 5 ? "hurry" : "look around"));
  const result = attributeLogs(await collect(base), aware, fast);
  expect(result.mark).toBe("run");
  expect(result.rows.map(({ maxTurns }) => maxTurns)).toEqual([3, 8]);
  expect(result.classes).toHaveLength(2);
  const [blind, told] = result.budgetResponse ?? [];
  expect(blind.firstActionP).toBeGreaterThan(0.05);
  expect(told.firstActionP).toBeLessThan(0.05);
  expect(told.rows[0].firstActionDistance).toBe(0);
  expect(told.rows[1].firstActionDistance).toBeGreaterThan(0.8); // all but those that quit at once
  expect(() => designChains(aware, aware, [5])).toThrow("T=5");
});

test("collectChainSide() and designChains() say what cannot be attributed and why", async () => {
  const [first] = playEpisodes(base, { taskCount: 1, samples: 1 });
  const collect = (list: Trajectory[], label = "x") => collectChainSide(list, { label });
  await expect(collect([])).rejects.toThrow("holds no episode");
  await expect(collect([{ ...first, turns: [] }])).rejects.toThrow("no turns, only outcomes");
  await expect(collect([first, { ...first, policy: { id: "other" } }])).rejects.toThrow(
    'policy "base" and policy "other"',
  );
  await expect(collect([{ ...first, prefix: { id: "p", turnCount: 1, context: "full" } }])).rejects.toThrow(
    "continuations",
  );
  const side = await collect([first], "left");
  expect(() => designChains(side, { ...side, env: { id: "other", version: "1" } })).toThrow(
    'env differs, "walk" and "other"',
  );
  expect(() => designChains(side, { ...side, byLimit: new Map([[8, new Map()]]) })).toThrow("share no task");
  expect(() => designChains(side, side, [9])).toThrow("at most 8 turns");
});

test("attributeLogs() says that shares are not identified where one policy was hardly ever in error", async () => {
  const sure = { ...base, policyId: "sure", errorRate: 0 };
  const result = await attribute(base, sure, { ...fast, simulations: 0 });
  const last = result.rows[result.rows.length - 1];
  expect(last.isIdentified).toBe(false);
  expect([last.decision.verdict, last.recovery.verdict, last.persistence.verdict]).toEqual([
    "undecided",
    "undecided",
    "undecided",
  ]);
  expect(result.warnings.join("\n")).toContain("Not identified at T=");
});

test("episodes whose turns tell of no error are not identified, with what is missing and what to do", async () => {
  const settings = { taskCount: 20, samples: 4 };
  const strip = (episodes: Trajectory[]): Trajectory[] =>
    episodes.map((episode) => ({
      ...episode,
      turns: episode.turns.map(({ distanceBefore: _before, distanceAfter: _after, extra: _extra, ...turn }) => turn),
    }));
  const habits = [
    { policyId: "A", errorRate: 0.5, recoveryRate: 0.3, quit: 0.1 },
    { policyId: "B", errorRate: 0.2, recoveryRate: 0.3, quit: 0.02 },
  ];
  const [a, b] = habits.map((habit) => playEpisodes(habit, settings));
  const quick = { replicates: 100, simulations: 9 };
  const blind = attributeLogs(
    await collectChainSide(strip(a), { label: "A" }),
    await collectChainSide(strip(b), { label: "B" }),
    quick,
  );
  expect(blind.unknownModes).toEqual(["a", "b"]);
  expect(blind.markov).toEqual([]);
  for (const row of blind.rows) {
    expect(row.isIdentified).toBe(false);
    expect([row.decision, row.recovery, row.persistence].map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: 3 }, () => "undecided"),
    );
  }
  expect(blind.warnings.join()).toMatch(/Not identified: no turn of "A" or "B" .*"distanceBefore".*--label-field/);
  expect(blind.warnings.join()).not.toContain("fewer than 20 observations");
  const half = attributeLogs(
    await collectChainSide(a, { label: "A" }),
    await collectChainSide(strip(b), { label: "B" }),
    quick,
  );
  expect(half.unknownModes).toEqual(["b"]);
  // One flag, as importers note where something went wrong, is enough to know that errors would be told.
  const flagged = strip(b).map((episode, index) =>
    index > 0
      ? episode
      : { ...episode, turns: episode.turns.map((turn) => ({ ...turn, flags: { toolError: true } as const })) },
  );
  expect((await collectChainSide(flagged, { label: "B" })).knowsModes).toBe(true);
});
