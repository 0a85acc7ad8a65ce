import fc from "fast-check";
import { expect, test } from "vitest";
import { weighRows } from "../aggregation/weigh-rows.js";
import { sftLoss } from "../losses/sft-loss.js";
import { testRow } from "../losses/testing.js";
import { placeRewards } from "../returns/token-rewards.js";
import { makeLossMask, readLogProbs, toPredictorMask } from "./loss-mask.js";
import { mixAgentSft, summariseData } from "./mix-agent-sft.js";
import { getReftPhase, reftReward } from "./reft.js";

test("mixAgentSft() of 1,000 with a share of .2 has exactly 200 and 800", () => {
  const mix = mixAgentSft(150, 5000, { agentShare: 0.2, count: 1000, seed: 1 });
  expect(mix.filter(({ source }) => source === "agent")).toHaveLength(200);
  expect(mix.filter(({ source }) => source === "general")).toHaveLength(800);
});

test("mixAgentSft() is the same for the same seed, and repeats no example before all had their turn", () => {
  const settings = { agentShare: 0.5, count: 40, seed: 7 };
  const mix = mixAgentSft(8, 100, settings);
  expect(mixAgentSft(8, 100, settings)).toEqual(mix);
  expect(mixAgentSft(8, 100, { ...settings, seed: 8 })).not.toEqual(mix);
  const uses = Array.from(
    { length: 8 },
    (_, i) => mix.filter((each) => each.source === "agent" && each.index === i).length,
  );
  expect(new Set(uses)).toEqual(new Set([2, 3]));
});

test("mixAgentSft() refuses an empty set that is needed", () => {
  expect(mixAgentSft(0, 5, { agentShare: 0, count: 5, seed: 1 })).toHaveLength(5);
  expect(() => mixAgentSft(0, 5, { agentShare: 0.5, count: 4, seed: 1 })).toThrow("the agent set is empty");
});

test("summariseData() gives AgentTuning's funnel", () => {
  const card = summariseData([
    { source: "ALFWorld", kept: 336, total: 954 },
    { source: "WebShop", kept: 351, total: 1485 },
    { source: "Mind2Web", kept: 122, total: 23378 },
    { source: "Knowledge Graph", kept: 324, total: 2501 },
    { source: "Operating System", kept: 195, total: 647 },
    { source: "Database", kept: 178, total: 1074 },
    { source: "task derivation", kept: 360, total: 5302 },
  ]);
  expect(card).toMatchObject({ kept: 1866, total: 35341 });
  expect((card.keptShare * 100).toFixed(2)).toBe("5.28");
});

test("makeLossMask() only ever takes positions away", () => {
  const tokens = fc.array(fc.record({ isSampled: fc.boolean(), turn: fc.integer({ min: -1, max: 3 }) }));
  fc.assert(
    fc.property(tokens, fc.uniqueArray(fc.nat(3)), fc.nat(3), (list, turns, lastTurn) => {
      const actionMask = list.map(({ isSampled }) => isSampled);
      const turnIndex = list.map(({ turn }) => turn);
      const mask = makeLossMask({ actionMask, turnIndex }, { withoutTurns: new Set(turns), lastTurn });
      mask.forEach((isTrained, i) => {
        const isLeftOut = turns.includes(turnIndex[i]) || turnIndex[i] > lastTurn;
        expect(isTrained).toBe(actionMask[i] && !isLeftOut);
      });
    }),
  );
});

test("the masked loss of hand-made logits is the mean over what the agent wrote", () => {
  const logits = [
    [0, 0],
    [Math.log(3), 0],
    [0, Math.log(4)],
  ];
  const ids = [0, 1, 0];
  const row = testRow("011", { weights: weighRows([[false, true, true]], { kind: "token_mean" })[0], ids });
  const logProbs = readLogProbs(logits, ids);
  expect(logProbs.map(Math.exp).map((p) => Number(p.toFixed(6)))).toEqual([1, 0.5, 0.75]);
  expect(sftLoss(row, logProbs).loss).toBeCloseTo(-(Math.log(0.5) + Math.log(0.75)) / 2, 12);
});

test("reftReward() is the ladder 1, .1, 0", () => {
  expect((["correct", "wrong", "no_answer"] as const).map(reftReward)).toEqual([1, 0.1, 0]);
});

test("ReFT's mask runs from the last position of the prompt to the one before the end token, where the reward sits", () => {
  // Two prompt tokens, two of the answer, the end token, padding.
  const actionMask = [false, false, true, true, true, false];
  const rewards = placeRewards({ actionMask, turnIndex: [-1, -1, 0, 0, 0, 0] }, [reftReward("correct")]);
  const byPredictor = toPredictorMask(actionMask);
  expect(byPredictor).toEqual([false, true, true, true, false, false]);
  expect(rewards.slice(1).indexOf(1)).toBe(byPredictor.lastIndexOf(true));
  expect(() => toPredictorMask([true])).toThrow("nothing comes before it");
});

test("getReftPhase() warms up, then plays", () => {
  const schedule = { warmUpUpdates: 2, totalUpdates: 4 };
  expect([0, 1, 2, 3].map((update) => getReftPhase(update, schedule))).toEqual(["sft", "sft", "ppo", "ppo"]);
  expect(() => getReftPhase(4, schedule)).toThrow("update 4");
});
