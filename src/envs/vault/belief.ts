// internal
import { getPlateValue, maxJam, plateNames, type PlateState, type VaultData, type VaultState } from "./vault-data.js";

/** One thing that can be done to a vault; keys by index. */
export type VaultMove =
  | { readonly type: "read"; readonly plate: number }
  | { readonly type: "ask" }
  | { readonly type: "reset" }
  | { readonly type: "force" }
  | { readonly type: "commit"; readonly key: number };

/** What an agent can know: everything it has been shown, and nothing else. */
export interface Belief {
  /** Keys that agree with every plate read, as bits. */
  readonly keys: number;
  readonly plates: readonly PlateState[];
  readonly jam: number;
  /** The key the guard named, `"none"` before he was asked, `"ruled_out"` once a plate has ruled it out. */
  readonly hint: number | "none" | "ruled_out";
}

/** One way a move can go, as far as the agent can tell; without a belief the episode has ended. */
export interface BeliefOutcome {
  readonly probability: number;
  readonly isSolved?: true;
  readonly belief?: Belief;
}

/** The public part of a vault: what the agent is told at the beginning. */
export type VaultFacts = Pick<VaultData, "keys" | "stickOdds" | "forceOdds">;

/** Returns the indexes of the keys in a set of bits. */
export function listKeys(bits: number): number[] {
  return Array.from({ length: 32 - Math.clz32(bits) }, (_, index) => index).filter(
    (index) => (bits & (1 << index)) !== 0,
  );
}

function narrow(belief: Belief, keys: number): Belief {
  const { hint } = belief;
  return { ...belief, keys, hint: typeof hint === "number" && (keys & (1 << hint)) === 0 ? "ruled_out" : hint };
}

function replacePlate(states: readonly PlateState[], plate: number, state: PlateState): PlateState[] {
  return states.map((current, index) => (index === plate ? state : current));
}

/** Returns what the agent knows in this state. Of the secrets it uses only what plates and guard have said. */
export function getBelief(data: VaultData, state: VaultState): Belief {
  const { keys, opening, hint } = data;
  const bits = keys.reduce((sum, key, index) => {
    const agrees = state.plates.every(
      (plate, j) => plate !== "read" || getPlateValue(key, j) === getPlateValue(keys[opening], j),
    );
    return agrees ? sum | (1 << index) : sum;
  }, 0);
  return narrow({ keys: bits, plates: state.plates, jam: state.jam, hint: state.hasAsked ? hint : "none" }, bits);
}

/** Returns the probability of each possible key: equal, unless the guard named one, who is right half of the time. */
export function getKeyWeights({ keys: all }: VaultFacts, { keys, hint }: Belief): ReadonlyMap<number, number> {
  const possible = listKeys(keys);
  const weights = possible.map((key) => (typeof hint !== "number" || key === hint ? 1 : 1 / (all.length - 1)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return new Map(possible.map((key, index) => [key, weights[index] / sum]));
}

/** Returns the parts into which the answer of a plate divides the possible keys, as bits, in a fixed order. */
export function splitKeys({ keys }: VaultFacts, bits: number, plate: number): number[] {
  const parts = new Map<string, number>();
  for (const key of listKeys(bits)) {
    const value = getPlateValue(keys[key], plate);
    parts.set(value, (parts.get(value) ?? 0) | (1 << key));
  }
  return [...parts.values()];
}

function readOutcomes(facts: VaultFacts, belief: Belief, plate: number): BeliefOutcome[] {
  if (belief.jam > 0) return [{ probability: 1, belief: { ...belief, jam: Math.min(maxJam, belief.jam + 1) } }];
  const state = belief.plates[plate];
  if (state === "read") return [{ probability: 1, belief }];
  const stick = state === "hidden" && facts.stickOdds > 0 ? 1 / facts.stickOdds : 0;
  const weights = getKeyWeights(facts, belief);
  const answered = splitKeys(facts, belief.keys, plate).map((part) => ({
    probability: (1 - stick) * listKeys(part).reduce((sum, key) => sum + (weights.get(key) ?? 0), 0),
    belief: narrow({ ...belief, plates: replacePlate(belief.plates, plate, "read") }, part),
  }));
  if (stick === 0) return answered;
  return [
    ...answered,
    { probability: stick, belief: { ...belief, plates: replacePlate(belief.plates, plate, "loose"), jam: 1 } },
  ];
}

function askOutcomes(facts: VaultFacts, belief: Belief): BeliefOutcome[] {
  if (belief.hint !== "none") return [{ probability: 1, belief }];
  const possible = listKeys(belief.keys);
  const others = facts.keys.length - 1;
  const named = 0.5 / possible.length + ((possible.length - 1) / possible.length) * (0.5 / others);
  const ruledOut = (facts.keys.length - possible.length) * (0.5 / others);
  const outcomes: BeliefOutcome[] = possible.map((key) => ({ probability: named, belief: { ...belief, hint: key } }));
  return ruledOut === 0 ? outcomes : [...outcomes, { probability: ruledOut, belief: { ...belief, hint: "ruled_out" } }];
}

/** Returns the ways a move can go, with the probabilities the agent must give them. */
export function listBeliefOutcomes(facts: VaultFacts, belief: Belief, move: VaultMove): BeliefOutcome[] {
  switch (move.type) {
    case "read":
      return readOutcomes(facts, belief, move.plate);
    case "ask":
      return askOutcomes(facts, belief);
    case "reset":
      return [{ probability: 1, belief: { ...belief, jam: Math.max(0, belief.jam - 1) } }];
    case "force":
      return [{ probability: 1 / facts.forceOdds, isSolved: true }, { probability: 1 - 1 / facts.forceOdds }];
    case "commit": {
      const chance = getKeyWeights(facts, belief).get(move.key) ?? 0;
      return [{ probability: chance, isSolved: true }, { probability: 1 - chance }];
    }
    default:
      return move satisfies never;
  }
}

/** Returns every move worth naming in this state: all but committing to a key that is ruled out. */
export function listMoves(belief: Belief): VaultMove[] {
  const reads = plateNames.map((_, plate): VaultMove => ({ type: "read", plate }));
  const commits = listKeys(belief.keys).map((key): VaultMove => ({ type: "commit", key }));
  return [...reads, { type: "ask" }, { type: "reset" }, { type: "force" }, ...commits];
}
