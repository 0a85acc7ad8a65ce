import { expect, test } from "vitest";
import { createRandom, createTask, type Action, type Policy, type PolicyRequest, type Turn } from "../../core/index.js";
import { createForcedContinuePolicy, createForcedStopPolicy, createHybridPolicy } from "./hybrid-policy.js";
import { forcedTurnReason } from "./resample-policy.js";
import { attributionCells } from "./shapley.js";

/** A policy that says its name, and quits with a chance. */
function namedPolicy(id: string, quit: number): Policy {
  return {
    id,
    config: { quit },
    act: ({ random }) => ({
      action: random.next() < quit ? { text: `${id} stops`, quit: true } : { text: id },
      usage: { promptTokens: 10, completionTokens: 2 },
    }),
  };
}

function request(turns: readonly Turn[], samplingSeed: number): PolicyRequest {
  const turnIndex = turns.length;
  return {
    task: createTask("e", {}),
    env: { id: "e", instructions: "", tools: [] },
    turns,
    observation: { text: "" },
    turnIndex,
    samplingSeed,
    random: createRandom(samplingSeed, "turn", turnIndex),
  };
}

const clean: Turn[] = [];
const inError: Turn[] = [{ observation: { text: "" }, action: { text: "" }, distanceBefore: 3, distanceAfter: 3 }];

async function countActions(policy: Policy, turns: readonly Turn[], count = 2000): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let seed = 0; seed < count; seed += 1) {
    const { action } = await policy.act(request(turns, seed));
    counts[action.text] = (counts[action.text] ?? 0) + 1 / count;
  }
  return counts;
}

test.each(attributionCells)("createHybridPolicy() %s quits as one policy does and acts as the other", async (cell) => {
  const [a, b] = [namedPolicy("a", 0.1), namedPolicy("b", 0.15)];
  const hybrid = createHybridPolicy(cell, a, b);
  const [decision, recovery, persistence] = cell.split("").map((letter) => (letter === "A" ? a : b));
  const quit = persistence === a ? 0.1 : 0.15;
  for (const [turns, acting] of [
    [clean, decision],
    [inError, recovery],
  ] as const) {
    const counts = await countActions(hybrid, turns);
    expect(counts[`${persistence.id} stops`]).toBeGreaterThan(quit - 0.03);
    expect(counts[`${persistence.id} stops`]).toBeLessThan(quit + 0.03);
    expect(counts[acting.id]).toBeCloseTo(1 - counts[`${persistence.id} stops`], 9);
  }
});

test("createHybridPolicy() AAA answers as A itself does, call for call", async () => {
  const a = namedPolicy("a", 0.3);
  const copy = createHybridPolicy("AAA", a, namedPolicy("b", 0.3));
  for (let seed = 0; seed < 50; seed += 1)
    expect(await copy.act(request(clean, seed))).toEqual(await a.act(request(clean, seed)));
});

test("createHybridPolicy() bills unused answers apart, and does nothing where only quitting is offered", async () => {
  const hybrid = createHybridPolicy("BBA", namedPolicy("a", 0), namedPolicy("b", 1), { maxTries: 3 });
  const { action, usage } = await hybrid.act(request(clean, 1));
  expect(action).toEqual({ text: "", invalid: forcedTurnReason } satisfies Action);
  expect(usage).toEqual({ discarded: { calls: 4, tokens: 48 } });
});

test("createHybridPolicy() refuses unknown cells and no tries", () => {
  const a = namedPolicy("a", 0);
  expect(() => createHybridPolicy("AB" as "AAB", a, a)).toThrow('cell "AB"'); // a caller without types
  expect(() => createHybridPolicy("AAB", a, a, { maxTries: 0 })).toThrow("0 tries");
});

test("a forced-continue policy never quits and a forced-stop policy quits at its own chance", async () => {
  const policy = namedPolicy("p", 0.5);
  expect(Object.keys(await countActions(createForcedContinuePolicy(policy, { maxTries: 30 }), clean, 300))).toEqual([
    "p",
  ]);
  const counts = await countActions(createForcedStopPolicy(policy, { hazard: 0.25, maxTries: 30 }), clean);
  expect(counts[""]).toBeGreaterThan(0.21);
  expect(counts[""]).toBeLessThan(0.29);
  expect(() => createForcedStopPolicy(policy, { hazard: 2 })).toThrow("0..1");
});
