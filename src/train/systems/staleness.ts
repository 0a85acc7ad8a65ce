/** What decides how many rollouts may be started. */
export interface RolloutLoad {
  /** Largest number of versions a consumed rollout may be behind. */
  readonly maxStaleness: number;
  /** Version of the weights now. */
  readonly version: number;
  /** Rollouts that one update consumes. */
  readonly batchSize: number;
  /** Rollouts accepted since the start. */
  readonly accepted: number;
  readonly running: number;
  readonly maxConcurrent: number;
}

/**
 * Returns how many rollouts may be started now (AReaL, arXiv 2505.24298, section 5.1): the smaller one of free places
 * and of what updates up to `maxStaleness` versions ahead will consume. Never below 0.
 *
 * @example
 * getRolloutCapacity({ maxStaleness: 4, version: 3, batchSize: 8, accepted: 20, running: 10, maxConcurrent: 64 }); // 34
 */
export function getRolloutCapacity(load: RolloutLoad): number {
  const { maxStaleness, version, batchSize, accepted, running, maxConcurrent } = load;
  const ahead = (maxStaleness + version + 1) * batchSize - (accepted + running);
  return Math.max(0, Math.min(maxConcurrent - running, ahead));
}

/** Settings of {@linkcode simulateStaleness}. */
export interface StalenessSimulation {
  readonly maxStaleness: number;
  readonly batchSize: number;
  readonly maxConcurrent: number;
  readonly updates: number;
  /** Time that an update takes. */
  readonly updateSeconds: number;
  /** Returns the time that the rollout with this number takes, above 0; of any spread. */
  readonly rolloutSeconds: (rolloutIndex: number) => number;
  /**
   * `started`: updates take rollouts in the order in which they were started, so a slow one holds its update up.
   * `finished`: they take what is there, oldest weights first, and drop rollouts that became too old meanwhile.
   */
  readonly order: "started" | "finished";
}

/** What a simulated run came to. */
export interface StalenessResult {
  readonly totalSeconds: number;
  /** [update] largest number of versions a consumed rollout was behind. */
  readonly maxBehind: readonly number[];
  /** [update] the mean of the same. */
  readonly meanBehind: readonly number[];
  /** Rollouts that finished too old to be used. */
  readonly dropped: number;
  /** Share of the time in which the trainer waited for rollouts. */
  readonly trainerIdleShare: number;
  /** Mean share of the places for rollouts that were in use. */
  readonly rolloutUse: number;
}

interface Rollout {
  readonly index: number;
  readonly end: number;
  readonly version: number;
}

/** The batch an update takes from what is there, or `undefined` while there is none. */
function takeBatch(
  ready: Rollout[],
  order: StalenessSimulation["order"],
  version: number,
  size: number,
): Rollout[] | undefined {
  if (order === "finished") {
    ready.sort((a, b) => a.version - b.version || a.index - b.index);
    return ready.length < size ? undefined : ready.splice(0, size);
  }
  ready.sort((a, b) => a.index - b.index);
  return ready[size - 1]?.index === (version + 1) * size - 1 ? ready.splice(0, size) : undefined;
}

/**
 * Returns what asynchronous training with these times comes to, event by event: rollouts start whenever
 * {@linkcode getRolloutCapacity} allows, with the weights of that moment, and an update starts when its batch is there.
 * No consumed rollout is more than `maxStaleness` versions behind. The admission rule alone does not see to that: it
 * bounds how many rollouts are under way, and one that takes far longer than the others would still be overtaken; so
 * either updates take rollouts in the order of their start, or late ones are dropped. Use it to choose `maxStaleness`:
 * 0 trains on policy and waits, more waits less.
 *
 * @throws {RangeError} for settings with which it would never end.
 */
export function simulateStaleness(simulation: StalenessSimulation): StalenessResult {
  const { maxStaleness, batchSize, maxConcurrent, updates, updateSeconds, rolloutSeconds, order } = simulation;
  if (!(batchSize >= 1) || !(maxConcurrent >= 1) || !(updateSeconds >= 0) || !(maxStaleness >= 0)) {
    throw new RangeError(
      `Cannot simulate training with a batch of ${batchSize}, ${maxConcurrent} places, updates of ${updateSeconds} s and a staleness of ${maxStaleness}`,
    );
  }
  const sums = { now: 0, idle: 0, used: 0, started: 0, accepted: 0, dropped: 0, version: 0 };
  let updateEnd: number | undefined;
  let running: Rollout[] = [];
  let ready: Rollout[] = [];
  const maxBehind: number[] = [];
  const meanBehind: number[] = [];
  while (sums.version < updates) {
    const { version, accepted } = sums;
    const load = { maxStaleness, version, batchSize, accepted, running: running.length, maxConcurrent };
    for (let free = getRolloutCapacity(load); free > 0; free -= 1) {
      const seconds = rolloutSeconds(sums.started);
      if (!(seconds > 0)) throw new RangeError(`Cannot simulate a rollout of ${seconds} s: its time must be above 0`);
      running.push({ index: sums.started, end: sums.now + seconds, version });
      sums.started += 1;
    }
    const batch = updateEnd === undefined ? takeBatch(ready, order, version, batchSize) : undefined;
    if (batch !== undefined) {
      const behind = batch.map((rollout) => version - rollout.version);
      maxBehind.push(Math.max(...behind));
      meanBehind.push(behind.reduce((sum, each) => sum + each, 0) / batchSize);
      updateEnd = sums.now + updateSeconds;
    }
    const next = Math.min(updateEnd ?? Infinity, ...running.map(({ end }) => end));
    sums.idle += updateEnd === undefined ? next - sums.now : 0;
    sums.used += running.length * (next - sums.now);
    sums.now = next;
    ready.push(...running.filter(({ end }) => end <= next));
    sums.accepted += running.filter(({ end }) => end <= next).length;
    running = running.filter(({ end }) => end > next);
    if (updateEnd !== undefined && updateEnd <= next) {
      sums.version += 1;
      updateEnd = undefined;
    }
    if (order === "finished") {
      const kept = ready.filter((rollout) => sums.version - rollout.version <= maxStaleness);
      // What is dropped was never accepted: others are started in its place.
      sums.accepted -= ready.length - kept.length;
      sums.dropped += ready.length - kept.length;
      ready = kept;
    }
  }
  const { now, idle, used, dropped } = sums;
  return {
    totalSeconds: now,
    maxBehind,
    meanBehind,
    dropped,
    trainerIdleShare: now === 0 ? 0 : idle / now,
    rolloutUse: now === 0 ? 0 : used / (now * maxConcurrent),
  };
}
