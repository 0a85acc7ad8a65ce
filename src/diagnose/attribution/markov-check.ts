import { createRandom, type MarkovCheck, type Random } from "../../core/index.js";
import { pooledStride, type ChainData, type ChainTask } from "./chain-data.js";
import { measureHeldOut } from "./held-out-curve.js";
import { assignMemberships, type LatentClasses } from "./latent-classes.js";
import { modeStride, outcomeIndex, turnStride, type ModeChain } from "./mode-chain.js";
import { toModeChain, weighCounts } from "./plug-in.js";

/** Histories told apart in one mode: clean by earlier errors 0, 1, 2+; in error by its age 1, 2, 3+ and by first or later error. */
const historyCount = 6;

/** Episodes of both policies by task: [policy][task] events. */
type Episodes = readonly [readonly (readonly Uint8Array[])[], readonly (readonly Uint8Array[])[]];

/** Follows an episode's history as far as the richer chain knows it. */
interface History {
  onsets: number;
  age: number;
}

function indexHistory(mode: number, { onsets, age }: History): number {
  return mode === 0 ? Math.min(onsets, 2) : Math.min(age, 3) - 1 + (onsets > 1 ? 3 : 0);
}

function advanceHistory(history: History, mode: number, outcome: number): void {
  if (outcome !== outcomeIndex.error) {
    history.age = 0;
    return;
  }
  if (mode === 0) history.onsets += 1;
  history.age += 1;
}

/**
 * Returns twice the log-likelihood that knowing the history adds within class, turn and mode, for one policy's
 * episodes. Each task counts in each class by its membership.
 */
function measureHistoryGain(
  episodes: readonly (readonly Uint8Array[])[],
  memberships: Float64Array,
  maxTurns: number,
): number {
  const classCount = memberships.length / episodes.length;
  const width = maxTurns * 2 * historyCount * modeStride;
  const counts = new Float64Array(classCount * width);
  for (const [task, list] of episodes.entries()) {
    for (const events of list) {
      const history: History = { onsets: 0, age: 0 };
      for (let t = 0; t < Math.min(events.length, maxTurns); t += 1) {
        const mode = events[t] < modeStride ? 0 : 1;
        const outcome = events[t] - mode * modeStride;
        const at = ((t * 2 + mode) * historyCount + indexHistory(mode, history)) * modeStride + outcome;
        for (let k = 0; k < classCount; k += 1) counts[k * width + at] += memberships[task * classCount + k];
        advanceHistory(history, mode, outcome);
      }
    }
  }
  let gain = 0;
  const group = historyCount * modeStride;
  for (let from = 0; from < counts.length; from += group) gain += gainOf(counts.subarray(from, from + group));
  return 2 * gain;
}

/** Returns the log-likelihood that splitting one cell by history adds. */
function gainOf(cell: Float64Array): number {
  const all = new Float64Array(modeStride);
  let total = 0;
  let gain = 0;
  for (let h = 0; h < historyCount; h += 1) {
    let sum = 0;
    for (let o = 0; o < modeStride; o += 1) {
      const count = cell[h * modeStride + o];
      if (count > 0) gain += count * Math.log(count);
      sum += count;
      all[o] += count;
    }
    if (sum > 0) gain -= sum * Math.log(sum);
    total += sum;
  }
  for (const count of all) if (count > 0) gain -= count * Math.log(count);
  return total > 0 ? gain + total * Math.log(total) : gain;
}

/** Plays one episode of a chain. */
function simulate(chain: ModeChain, maxTurns: number, random: Random, buffer: Uint8Array): Uint8Array {
  let mode = 0;
  let t = 0;
  while (t < maxTurns) {
    const at = t * turnStride + mode * modeStride;
    let outcome: number = outcomeIndex.quit;
    if (random.next() >= chain[at]) {
      let rest = random.next();
      outcome = outcomeIndex.solved;
      while (outcome < outcomeIndex.wrong && (rest -= chain[at + outcome]) >= 0) outcome += 1;
    }
    buffer[t] = mode * modeStride + outcome;
    t += 1;
    if (outcome !== outcomeIndex.clean && outcome !== outcomeIndex.error) break;
    mode = outcome === outcomeIndex.clean ? 0 : 1;
  }
  return buffer.slice(0, t);
}

function simulateAll(data: ChainData, fit: LatentClasses, chains: readonly ModeChain[], random: Random): Episodes {
  const { taskCount, maxTurns, episodeCounts } = data;
  const buffer = new Uint8Array(maxTurns);
  const all: Uint8Array[][][] = [[], []];
  for (let task = 0; task < taskCount; task += 1) {
    let k = 0;
    let rest = random.next();
    while (k < fit.classCount - 1 && (rest -= fit.memberships[task * fit.classCount + k]) >= 0) k += 1;
    for (let policy = 0; policy < 2; policy += 1) {
      const chain = chains[2 * k + policy];
      all[policy].push(
        Array.from({ length: episodeCounts[2 * task + policy] }, () => simulate(chain, maxTurns, random, buffer)),
      );
    }
  }
  return [all[0], all[1]];
}

function poolEvents(episodes: Episodes, taskCount: number, maxTurns: number): Float64Array {
  const pooled = new Float64Array(taskCount * pooledStride);
  for (const [policy, tasks] of episodes.entries()) {
    for (const [task, list] of tasks.entries()) {
      const at = task * pooledStride + policy * turnStride;
      for (const events of list)
        for (let t = 0; t < Math.min(events.length, maxTurns); t += 1) pooled[at + events[t]] += 1;
    }
  }
  return pooled;
}

/**
 * Tests for each policy whether, within class, turn and mode, the next event still depends on the number of earlier
 * errors or the age of the present one. The likelihood-ratio statistic is referred to data simulated from the fitted
 * chain (a parametric bootstrap: with fractional memberships and sparse cells it has no chi-square distribution); the
 * p value counts the observed statistic, so it is at least 1 / (simulations + 1). A held-out curve shows how large the
 * departure is.
 */
export function checkMarkov(
  tasks: readonly ChainTask[],
  data: ChainData,
  fit: LatentClasses,
  { seed, simulations }: { readonly seed: number; readonly simulations: number },
): MarkovCheck[] {
  const { maxTurns, taskCount } = data;
  const { counts } = weighCounts(data, fit);
  const half = maxTurns * turnStride;
  const chains = Array.from({ length: 2 * fit.classCount }, (_unused, i) =>
    toModeChain(counts.subarray(i * half, (i + 1) * half), maxTurns),
  );
  const measure = (episodes: Episodes, memberships: Float64Array): number[] =>
    episodes.map((one) => measureHistoryGain(one, memberships, maxTurns));
  const observed = measure([tasks.map((task) => task.a), tasks.map((task) => task.b)], fit.memberships);
  const simulated = Array.from({ length: simulations }, (_unused, index) => {
    const episodes = simulateAll(data, fit, chains, createRandom(seed, "markov", index));
    return measure(episodes, assignMemberships(poolEvents(episodes, taskCount, maxTurns), fit));
  });
  const heldOut = measureHeldOut(tasks, maxTurns, fit.classCount);
  return (["a", "b"] as const).map((policy, index) => ({
    policy,
    statistic: observed[index],
    expected: simulated.reduce((sum, one) => sum + one[index], 0) / simulations,
    pValue: (1 + simulated.filter((one) => one[index] >= observed[index]).length) / (simulations + 1),
    simulations,
    ...(heldOut[index] === undefined ? {} : { heldOut: heldOut[index] }),
  }));
}
