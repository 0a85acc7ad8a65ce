import { expect, test } from "vitest";
import { createTask, envContractChecks, untagNumber } from "../../core/index.js";
import type { Action, EnvSession, StepResult, Task } from "../../core/index.js";
import { createCallAction } from "../commands.js";
import { normalizeAnswer, type LookupData } from "./lookup-data.js";
import { createLookupEnv } from "./lookup.js";
import { createParagraphSearch } from "./paragraph-search.js";

const env = createLookupEnv();
for (const check of envContractChecks(env, { levels: [1, 2, 3, 4], isSeedIndependent: () => true })) {
  test(`createLookupEnv(): ${check.name}`, async () => {
    await expect(check.run()).resolves.toBeUndefined();
  });
}

const bridgeData = {
  kind: "bridge",
  question: "Who is the mayor of the birthplace of Orla Venn?",
  paragraphs: [
    { title: "Harnmoor", text: "Harnmoor is a town. The mayor of Harnmoor is Tam Beck." },
    { title: "Orla Venn", text: "Orla Venn is a printer. Orla Venn was born in Harnmoor." },
    { title: "Orla Strand", text: "Orla Strand is a weaver. Orla Strand was born in Skell." },
    { title: "Skell", text: "Skell is a town. The mayor of Skell is Ina Rood." },
  ],
  chains: [[1, 0]],
  answers: ["Tam Beck"],
} as const satisfies LookupData;
const bridge = createTask("lookup", bridgeData);
const comparison = createTask("lookup", {
  ...bridgeData,
  kind: "comparison",
  question: "Which of these was founded earliest: A & B, C & D or E & F?",
  chains: [[0], [1], [2]],
  answers: ["C & D"],
  comparison: { candidates: ["A & B", "C & D", "E & F"], values: [5, 3, 8], wanted: "least", range: [1, 10] },
} satisfies LookupData);

function getSteps(actions: readonly Action[], task: Task): StepResult[] {
  const session = env.start(task, 0) as EnvSession; // a pure env starts at once
  return actions.map((action) => session.step(action) as StepResult); // and answers at once
}
const search = (query: string) => createCallAction("search", { query });
const read = (title: string) => createCallAction("read", { title });
const answer = (text: string) => createCallAction("answer", { text });

test("createLookupEnv() plays one bridge question like this, word for word", () => {
  const steps = getSteps(
    [search("birthplace of Orla Venn"), search("Orla Venn"), read("harnmoor"), answer("tam beck.")],
    bridge,
  );
  const rows = steps.map(({ observation, distanceBefore, distanceAfter, ended }) => [
    observation.text,
    distanceBefore,
    distanceAfter,
    ended,
  ]);
  const found = "Orla Venn: Orla Venn is a printer. Orla Venn was born in Harnmoor.\nOther paragraphs: Orla Strand";
  expect(rows).toEqual([
    [`${found}; Harnmoor`, 3, 2, undefined],
    [found, 2, 2, undefined],
    ["Harnmoor: Harnmoor is a town. The mayor of Harnmoor is Tam Beck.", 2, 1, undefined],
    ["The answer is right.", 1, 0, "solved"],
  ]);
});
test("createLookupEnv() ends with wrong_final after a wrong answer, and only the right one solves", () => {
  const [step] = getSteps([answer("Ina Rood")], bridge);
  expect(step).toMatchObject({
    ended: "wrong_final",
    solvedAfter: false,
    distanceBefore: 3,
    distanceAfter: { $number: "Infinity" },
  });
});
test("createLookupEnv() carries out one call in each turn", () => {
  const both = {
    text: "",
    toolCalls: [...(search("Orla Venn").toolCalls ?? []), ...(answer("Tam Beck").toolCalls ?? [])],
  };
  const [step] = getSteps([both], bridge);
  expect(step).toMatchObject({ distanceAfter: 2, flags: { invalid: true } });
  expect(step?.ended).toBeUndefined();
  expect(step?.observation.toolResults?.map((result) => result.isError)).toEqual([undefined, true]);
});
test("createLookupEnv() answers a search without a hit and an unknown title as tool errors", () => {
  for (const step of getSteps([search("zzz"), search(""), read("Nobody")], bridge))
    expect(step).toMatchObject({ flags: { toolError: true }, distanceAfter: 3 });
});
test("createLookupEnv() does not count a paragraph read out of order twice", () => {
  expect(getSteps([read("Harnmoor"), read("Orla Venn")], bridge).map((step) => step.distanceAfter)).toEqual([2, 1]);
});

test("getSuccessChance() of a comparison can be checked by hand", () => {
  const chance = (shown: number[], turns: number, first?: Action) =>
    env.oracle?.getSuccessChance?.(comparison, { state: { shown, listed: [] }, stepIndex: 0 }, turns, first);
  expect(chance([], 0)).toBe(0);
  expect(chance([], 1)).toBeCloseTo(1 / 3, 12);
  expect(chance([], 4)).toBe(1);
  // 3 is known: both others are above it in 7/9 x 6/8 of the cases.
  expect(chance([1], 1)).toBeCloseTo((7 / 9) * (6 / 8), 12);
  expect(chance([1], 1, answer("A & B"))).toBeCloseTo((1 - (7 / 9) * (6 / 8)) / 2, 12);
  // 5 and 3 are known: the last is above 3 in 6 of 8 cases.
  expect(chance([0, 1], 1)).toBeCloseTo(6 / 8, 12);
  expect(chance([0, 1], 1, answer("A & B"))).toBe(0);
  // One value v read, then the better of "v is least" and "another is": averaged over v.
  const expected = Array.from({ length: 10 }, (_, i) => ((9 - i) / 9) * ((8 - i) / 8)).map((p) =>
    Math.max(p, (1 - p) / 2),
  );
  expect(chance([], 2)).toBeCloseTo(expected.reduce((sum, p) => sum + p, 0) / 10, 12);
  expect(env.oracle?.getSuccessChance?.(bridge, { state: { shown: [1], listed: [] }, stepIndex: 0 }, 1)).toBe(0);
});

function playBest(task: Task, turns: number): boolean {
  const session = env.start(task, 0) as EnvSession; // a pure env starts at once
  for (let left = turns; left > 0; left -= 1) {
    const best = env.oracle?.bestActions(task, session.snapshot?.() ?? null, left)[0];
    if (best === undefined) return false;
    const step = session.step(best) as StepResult; // a pure env answers at once
    if (step.ended !== undefined) return step.ended === "solved";
  }
  return false;
}
test.each([
  { level: 1, kind: "comparison", turns: [1, 2, 3] },
  { level: 3, kind: "comparison", turns: [1, 2, 3, 4] },
  { level: 4, kind: "comparison", turns: [1, 3, 4, 5] },
  { level: 3, kind: "bridge", turns: [1, 3, 4] },
] as const)("best actions succeed as often as the chances say: $kind, level $level", ({ level, kind, turns }) => {
  const tasks = createLookupEnv({ kind }).makeTasks?.({ split: "train", level, taskCount: 200, seed: 5 }) ?? [];
  for (const count of turns) {
    const expected =
      env.oracle?.getSuccessChance?.(tasks[0], { state: { shown: [], listed: [] }, stepIndex: 0 }, count) ?? NaN;
    const share = tasks.filter((task) => playBest(task, count)).length / tasks.length;
    // Four standard errors of the share.
    expect(Math.abs(share - expected)).toBeLessThanOrEqual(
      4 * Math.sqrt((expected * (1 - expected)) / tasks.length) + 1e-9,
    );
  }
});

test("makeTasks() gives ten paragraphs, the first hit for each title being its own, and the hops of the level", () => {
  const hops: Record<string, number[]> = { comparison: [2, 2, 3, 4], bridge: [2, 2, 3, 4] };
  for (const kind of ["comparison", "bridge"] as const) {
    for (const level of [1, 2, 3, 4]) {
      for (const task of createLookupEnv({ kind }).makeTasks?.({ split: "eval", level, taskCount: 10, seed: 2 }) ??
        []) {
        const { paragraphs, chains, answers, question } = task.data as LookupData; // made by the env
        expect(paragraphs).toHaveLength(10);
        expect(chains.flat()).toHaveLength(hops[kind]?.[level - 1] ?? NaN);
        const index = createParagraphSearch(paragraphs);
        for (const [i, { title }] of paragraphs.entries()) expect(index.find(title, 1)).toEqual([i]);
        const gold = chains.map((chain) => paragraphs[chain[0] ?? -1]?.title ?? "?");
        for (const title of gold) expect(question).toContain(title);
        for (const chain of chains) {
          for (const [i, position] of chain.slice(1).entries()) {
            expect(paragraphs[chain[i] ?? -1]?.text).toContain(paragraphs[position]?.title);
          }
        }
        if (kind === "bridge") {
          const holders = paragraphs.flatMap(({ text }, i) => (text.includes(answers[0] ?? "?") ? [i] : []));
          expect(holders).toContain(chains[0]?.at(-1));
          expect(question).not.toContain("the the");
        }
      }
    }
  }
});

test("closing answers are taken from a call, a text action, a final line or the whole text", () => {
  const submit = (action: Action) => env.closing?.submit(action).toolCalls?.[0]?.arguments?.["text"];
  expect(submit(answer("Tam Beck"))).toBe("Tam Beck");
  expect(submit({ text: "<action>answer Tam Beck</action>" })).toBe("Tam Beck");
  expect(submit({ text: "I think so.\nFinal answer: Tam Beck" })).toBe("Tam Beck");
  expect(submit({ text: " Tam Beck " })).toBe("Tam Beck");
});
test("normalizeAnswer() ignores case, accents, punctuation, articles and spaces", () => {
  expect(normalizeAnswer(" The  RIVER Tané, a.")).toBe("river tane");
});
test("createParagraphSearch() ranks by BM25+ with values that can be computed by hand", () => {
  const index = createParagraphSearch([
    { title: "one", text: "red barn" },
    { title: "two", text: "red red house" },
    { title: "three", text: "red" },
  ]);
  expect(index.find("barn", 3)).toEqual([0]);
  expect(index.find("RED", 3)).toEqual([1, 2, 0]); // twice beats once; of those once, the shorter text first
  expect(index.find("nothing", 3)).toEqual([]);
});
test("a step that only repeats what was shown never lowers the distance", () => {
  const [first, again] = getSteps([read("Orla Venn"), read("Orla Venn")], bridge);
  expect(untagNumber(again?.distanceAfter)).toBe(untagNumber(first?.distanceAfter));
});
