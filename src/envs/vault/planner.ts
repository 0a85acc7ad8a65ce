// internal
import {
  getKeyWeights,
  listBeliefOutcomes,
  listMoves,
  type Belief,
  type VaultFacts,
  type VaultMove,
} from "./belief.js";

/** Two chances closer than this are the same. */
const tieMargin = 1e-11;

/** The best ways to open one vault, for every number of turns. */
export interface VaultPlanner {
  /** Returns the fewest turns in which an agent that knows this much can be sure to open the vault, at worst. */
  getSureTurns(belief: Belief): number;
  /** Returns the best chance of opening it within `turnsLeft` turns (possibly infinite). */
  getChance(belief: Belief, turnsLeft: number): number;
  /** Returns the chance when these moves are made in this turn, whatever they show, and `turnsAfter` turns follow. */
  getMovesChance(belief: Belief, moves: readonly VaultMove[], turnsAfter: number): number;
  /** Returns the best moves: the surest fewest turns where there are enough, otherwise the best chance. */
  getBest(belief: Belief, turnsLeft: number): VaultMove[];
}

/** Returns a number that differs for different beliefs. */
function getKey({ keys, plates, jam, hint }: Belief): number {
  const places = plates.reduce((sum, plate) => sum * 3 + ["hidden", "loose", "read"].indexOf(plate), 0);
  const heard = hint === "none" ? 0 : hint === "ruled_out" ? 1 : hint + 2;
  return ((places * 3 + jam) * 40 + heard) * 2 ** 12 + keys;
}

function isSettled({ keys }: Belief): boolean {
  return (keys & (keys - 1)) === 0;
}

/**
 * Returns the planner of one vault: exact dynamic programming over what the agent knows (keys still possible, plates,
 * jam, the guard's word), which is a sufficient state since keys, sticking plates and the guard's error are drawn
 * independently. Optimal stopping: committing and forcing end the episode, everything else buys information.
 */
export function createVaultPlanner(facts: VaultFacts): VaultPlanner {
  const sureTurns = new Map<number, number>();
  const chances: Map<number, number>[] = [];

  /** Returns the turns to be sure when this plate is read next, the reading included. */
  function getTurnsAfterRead(belief: Belief, plate: number): number {
    const outcomes = listBeliefOutcomes(facts, belief, { type: "read", plate });
    return 1 + Math.max(...outcomes.map(({ belief: next }) => (next === undefined ? Infinity : getSureTurns(next))));
  }
  function listUnread({ plates }: Belief): number[] {
    return plates.flatMap((plate, index) => (plate === "read" ? [] : [index]));
  }
  function getSureTurns(belief: Belief): number {
    if (isSettled(belief)) return 1;
    if (belief.jam > 0) return belief.jam + getSureTurns({ ...belief, jam: 0 });
    const key = getKey({ ...belief, hint: "none" });
    const known = sureTurns.get(key);
    if (known !== undefined) return known;
    const turns = Math.min(...listUnread(belief).map((plate) => getTurnsAfterRead(belief, plate)));
    sureTurns.set(key, turns);
    return turns;
  }

  function getMoveChance(belief: Belief, move: VaultMove, turnsAfter: number): number {
    return listBeliefOutcomes(facts, belief, move).reduce((sum, { probability, isSolved, belief: next }) => {
      if (isSolved === true) return sum + probability;
      return next === undefined ? sum : sum + probability * getChance(next, turnsAfter);
    }, 0);
  }
  /** Moves that can be best when certainty is out of reach; of the keys only the likeliest. */
  function listUsefulMoves(belief: Belief, turnsLeft: number): VaultMove[] {
    const weights = [...getKeyWeights(facts, belief)];
    const [likeliest] = weights.reduce((best, entry) => (entry[1] > best[1] ? entry : best));
    const last: VaultMove[] = [{ type: "commit", key: likeliest }, { type: "force" }];
    if (turnsLeft < 2) return last;
    const ask: VaultMove[] = belief.hint === "none" ? [{ type: "ask" }] : [];
    if (belief.jam > 0) return [...last, ...ask, { type: "reset" }];
    return [...last, ...ask, ...listUnread(belief).map((plate): VaultMove => ({ type: "read", plate }))];
  }
  function getChance(belief: Belief, turnsLeft: number): number {
    if (turnsLeft < 1) return 0;
    if (turnsLeft >= getSureTurns(belief)) return 1;
    const table = (chances[turnsLeft] ??= new Map());
    const key = getKey(belief);
    const known = table.get(key);
    if (known !== undefined) return known;
    const chance = Math.max(
      ...listUsefulMoves(belief, turnsLeft).map((move) => getMoveChance(belief, move, turnsLeft - 1)),
    );
    table.set(key, chance);
    return chance;
  }
  function getMovesChance(belief: Belief, moves: readonly VaultMove[], turnsAfter: number): number {
    if (moves.length === 0) return getChance(belief, turnsAfter);
    return listBeliefOutcomes(facts, belief, moves[0]).reduce((sum, { probability, isSolved, belief: next }) => {
      if (isSolved === true) return sum + probability;
      return next === undefined ? sum : sum + probability * getMovesChance(next, moves.slice(1), turnsAfter);
    }, 0);
  }

  function getBest(belief: Belief, turnsLeft: number): VaultMove[] {
    const moves = listMoves(belief);
    const sure = getSureTurns(belief);
    if (turnsLeft >= sure) return moves.filter((move) => leadsTo(belief, move, sure - 1));
    const own = moves.map((move) => getMoveChance(belief, move, turnsLeft - 1));
    return moves.filter((_, index) => own[index] >= Math.max(...own) - tieMargin);
  }
  /** Says whether the vault is sure to open within `turns` turns after the move. */
  function leadsTo(belief: Belief, move: VaultMove, turns: number): boolean {
    return listBeliefOutcomes(facts, belief, move).every(({ probability, isSolved, belief: next }) => {
      return probability === 0 || isSolved === true || (next !== undefined && getSureTurns(next) <= turns);
    });
  }
  return { getSureTurns, getChance, getMovesChance, getBest };
}
