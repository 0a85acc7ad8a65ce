// internal
import type { MarkovCheck } from "../../core/index.js";
import { countChainData, type ChainTask } from "./chain-data.js";
import { assignMemberships, fitLatentClasses } from "./latent-classes.js";
import { modeStride, outcomeIndex, turnStride, type ModeChain } from "./mode-chain.js";
import { toModeChain, weighCounts } from "./plug-in.js";

/** Returns [t] the chance of success within the chain's turns from being in error at the start of turn t. */
function valuesInError(chain: ModeChain, maxTurns: number): Float64Array {
  const values = new Float64Array(maxTurns + 1);
  let ahead: [number, number] = [0, 0];
  for (let t = maxTurns - 1; t >= 0; t -= 1) {
    const next = [0, 1].map((mode) => {
      const at = t * turnStride + mode * modeStride;
      return (1 - chain[at]) * (chain[at + 1] + chain[at + 2] * ahead[0] + chain[at + 3] * ahead[1]);
    });
    ahead = [next[0], next[1]];
    values[t] = next[1];
  }
  return values;
}

/** Returns the turn at whose start an episode is in its second error, or -1. */
function findSecondError(events: Uint8Array, maxTurns: number): number {
  let onsets = 0;
  for (let t = 0; t + 1 < Math.min(events.length, maxTurns); t += 1) {
    if (events[t] === outcomeIndex.error) onsets += 1; // in clean mode, so an onset
    if (onsets === 2) return t + 1;
  }
  return -1;
}

/**
 * Compares, on every second task, the success within `maxTurns` of episodes that fall into error a second time with
 * what a chain fitted to the other tasks predicts from turn and mode alone; what kind of task it is is told from its own
 * events. [policy]; `undefined` where fewer than two held-out tasks have such episodes.
 */
export function measureHeldOut(
  tasks: readonly ChainTask[],
  maxTurns: number,
  classCount: number,
): MarkovCheck["heldOut"][] {
  const fitted = tasks.filter((_task, index) => index % 2 === 0);
  const held = tasks.filter((_task, index) => index % 2 === 1);
  if (held.length < 2 || fitted.length < classCount) return [undefined, undefined];
  const data = countChainData(fitted, maxTurns);
  const fit = fitLatentClasses(data, classCount);
  const { counts } = weighCounts(data, fit);
  const memberships = assignMemberships(countChainData(held, maxTurns).pooled, fit);
  const half = maxTurns * turnStride;
  return [0, 1].map((policy) => {
    const ahead = Array.from({ length: classCount }, (_unused, k) =>
      valuesInError(
        toModeChain(counts.subarray((2 * k + policy) * half, (2 * k + policy + 1) * half), maxTurns),
        maxTurns,
      ),
    );
    const sums = { observed: 0, predicted: 0, episodes: 0 };
    const differences: number[] = [];
    for (const [task, { a, b }] of held.entries()) {
      let difference = 0;
      let episodes = 0;
      for (const events of policy === 0 ? a : b) {
        const turn = findSecondError(events, maxTurns);
        if (turn < 0) continue;
        const last = events[Math.min(events.length, maxTurns) - 1];
        const observed = last % modeStride === outcomeIndex.solved ? 1 : 0;
        let predicted = 0;
        for (let k = 0; k < classCount; k += 1) predicted += memberships[task * classCount + k] * ahead[k][turn];
        sums.observed += observed;
        sums.predicted += predicted;
        difference += observed - predicted;
        episodes += 1;
      }
      sums.episodes += episodes;
      if (episodes > 0) differences.push(difference);
    }
    if (differences.length < 2) return undefined;
    const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
    const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const standardError = Math.sqrt((squares * differences.length) / (differences.length - 1)) / sums.episodes;
    return {
      observed: sums.observed / sums.episodes,
      predicted: sums.predicted / sums.episodes,
      episodes: sums.episodes,
      standardError,
    };
  });
}
