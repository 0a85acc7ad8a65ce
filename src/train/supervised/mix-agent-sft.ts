import { createRandom } from "../../core/index.js";

/** Settings of {@linkcode mixAgentSft}. */
export interface AgentMixSettings {
  /** Share of agent examples, in [0, 1]; AgentTuning's eta. */
  readonly agentShare: number;
  /** Examples in the mixture. */
  readonly count: number;
  readonly seed: number;
}

/** One example of a mixture: which set it is from, and its position there. */
export interface MixedExample {
  readonly source: "agent" | "general";
  readonly index: number;
}

/**
 * Returns the order in which examples are trained on (AgentTuning, arXiv 2310.12823, eq. 1): exactly
 * round(agentShare x count) from the agent set, the rest from the general set, shuffled by the seed. A set that is too
 * small is gone through several times, each time in a new order, before any example comes a second time.
 *
 * Since every example counts once, the mixture's expected loss is eta x agent + (1 - eta) x general when the loss is
 * a mean over sequences; a mean over tokens weighs by length instead.
 *
 * @throws {RangeError} for a share or count out of range, or an empty set that is needed.
 */
export function mixAgentSft(
  agentCount: number,
  generalCount: number,
  { agentShare, count, seed }: AgentMixSettings,
): MixedExample[] {
  if (!(agentShare >= 0 && agentShare <= 1) || !Number.isInteger(count) || count < 1) {
    throw new RangeError(
      `Cannot mix examples as the share must be in [0, 1] and the count a whole number above 0: found ${agentShare} and ${count}`,
    );
  }
  const fromAgent = Math.round(agentShare * count);
  const pick = (source: MixedExample["source"], size: number, wanted: number): MixedExample[] => {
    if (wanted > 0 && size === 0) {
      throw new RangeError(`Cannot mix ${wanted} ${source} examples as the ${source} set is empty`);
    }
    const indices: number[] = [];
    for (let pass = 0; indices.length < wanted; pass += 1) {
      const order = createRandom(seed, "mix", source, pass).shuffle(Array.from({ length: size }, (_, i) => i));
      indices.push(...order.slice(0, wanted - indices.length));
    }
    return indices.map((index) => ({ source, index }));
  };
  return createRandom(seed, "mix", "order").shuffle([
    ...pick("agent", agentCount, fromAgent),
    ...pick("general", generalCount, count - fromAgent),
  ]);
}

/** One source of a data set, before and after filtering. */
export interface DataCardRow {
  readonly source: string;
  readonly kept: number;
  readonly total: number;
}

/** A data set's origin in numbers. */
export interface DataCard {
  readonly rows: readonly (DataCardRow & { readonly keptShare: number })[];
  readonly kept: number;
  readonly total: number;
  readonly keptShare: number;
}

/**
 * Returns how much of each source of a data set was kept, and of all of them. A source without an example has a share
 * of 0. Throws a `RangeError` for a source that kept more than it had.
 */
export function summariseData(rows: readonly DataCardRow[]): DataCard {
  const wrong = rows.find(({ kept, total }) => !(kept >= 0 && kept <= total));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot summarise "${wrong.source}" as it kept ${wrong.kept} of ${wrong.total} examples`);
  }
  const share = (kept: number, total: number): number => (total === 0 ? 0 : kept / total);
  const kept = rows.reduce((sum, row) => sum + row.kept, 0);
  const total = rows.reduce((sum, row) => sum + row.total, 0);
  return {
    rows: rows.map((row) => ({ ...row, keptShare: share(row.kept, row.total) })),
    kept,
    total,
    keptShare: share(kept, total),
  };
}
