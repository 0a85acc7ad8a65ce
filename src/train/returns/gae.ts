import { checkUnitRange } from "./discounted-returns.js";
import { findMisplacedRewards, findTurnEnds, type TokenTurns } from "./token-rewards.js";

/** Advantages and the value head's targets, [token]; 0 at every token that was not sampled. */
export interface TokenAdvantages {
  readonly advantages: readonly number[];
  /** Advantage plus value. */
  readonly returns: readonly number[];
}

/** Discount and trace decay, both in [0, 1]; nothing is assumed. */
export interface GaeSettings {
  readonly gamma: number;
  readonly lambda: number;
}

function checkSettings({ gamma, lambda }: GaeSettings): void {
  checkUnitRange("gamma", gamma);
  checkUnitRange("lambda", lambda);
}

function checkLengths(count: number, lists: { readonly [name: string]: readonly unknown[] }): void {
  for (const [name, list] of Object.entries(lists)) {
    if (list.length !== count) {
      throw new RangeError(`Cannot compute advantages of ${count} tokens as "${name}" has ${list.length} entries`);
    }
  }
}

/** Throws unless every reward stands on a sampled token. */
function checkRewards(actionMask: readonly boolean[], rewards: readonly number[]): void {
  const misplaced = findMisplacedRewards(actionMask, rewards);
  if (misplaced.length > 0) {
    throw new RangeError(
      `Cannot compute advantages as a reward stands on token ${misplaced[0]}, which was not sampled and is skipped: place rewards on sampled tokens`,
    );
  }
}

/**
 * Returns generalised advantage estimates over plain steps (arXiv 1506.02438): A_t = d_t + gamma lambda A_{t+1} with
 * d_t = r_t + gamma V_{t+1} - V_t, nothing behind the last step. Shape [step].
 */
export function estimateAdvantages(
  rewards: readonly number[],
  values: readonly number[],
  settings: GaeSettings,
): number[] {
  checkSettings(settings);
  checkLengths(rewards.length, { values });
  const { gamma, lambda } = settings;
  const advantages = rewards.map(() => 0);
  let running = 0;
  for (let step = rewards.length - 1; step >= 0; step -= 1) {
    const next = step + 1 < values.length ? values[step + 1] : 0;
    running = rewards[step] + gamma * next - values[step] + gamma * lambda * running;
    advantages[step] = running;
  }
  return advantages;
}

/** Puts numbers of sampled tokens back to their positions. */
function scatter(positions: readonly number[], numbers: readonly number[], length: number): number[] {
  const list = Array.from<number>({ length }).fill(0);
  positions.forEach((position, i) => (list[position] = numbers[i]));
  return list;
}

/**
 * Returns token-level advantages that skip observations: the next value and the running estimate are carried across
 * tokens the policy did not sample, so the result is that of the sequence with them cut out. What values hold there,
 * NaN included, plays no part. With gamma below 1, only sampled tokens discount.
 *
 * @param rewards [token], on sampled tokens only (`placeRewards`).
 * @throws {RangeError} for lists of unequal length, settings outside [0, 1] or a reward on a token that is skipped.
 */
export function tokenGae(
  actionMask: readonly boolean[],
  rewards: readonly number[],
  values: readonly number[],
  settings: GaeSettings,
): TokenAdvantages {
  checkLengths(actionMask.length, { rewards, values });
  checkRewards(actionMask, rewards);
  const sampled = actionMask.flatMap((isSampled, i) => (isSampled ? [i] : []));
  const own = sampled.map((i) => values[i]);
  const advantages = estimateAdvantages(
    sampled.map((i) => rewards[i]),
    own,
    settings,
  );
  const returns = advantages.map((advantage, i) => advantage + own[i]);
  return {
    advantages: scatter(sampled, advantages, actionMask.length),
    returns: scatter(sampled, returns, actionMask.length),
  };
}

/**
 * Returns turn-level advantages: a turn is one step whose value is the estimate at its first sampled token, and all its
 * sampled tokens share its advantage. The target of the value head is stated for that first token's state, so it stands
 * on every token of the turn. Discounts count turns.
 *
 * @param turnRewards [turn]
 * @throws {RangeError} as {@linkcode tokenGae}, and for a reward of a turn without a sampled token.
 */
export function turnGae(
  tokens: TokenTurns,
  turnRewards: readonly number[],
  values: readonly number[],
  settings: GaeSettings,
): TokenAdvantages {
  const { actionMask, turnIndex } = tokens;
  checkLengths(actionMask.length, { turnIndex, values });
  const starts = new Map<number, number>();
  actionMask.forEach((isSampled, i) => {
    if (isSampled && !starts.has(turnIndex[i])) starts.set(turnIndex[i], i);
  });
  const lost = turnRewards.findIndex((reward, turn) => reward !== 0 && !starts.has(turn));
  if (lost !== -1) throw new RangeError(`Cannot use the reward of turn ${lost} as the policy sampled no token in it`);
  const turns = [...starts.keys()];
  const own = turns.map((turn) => values[starts.get(turn) ?? NaN]);
  const estimates = estimateAdvantages(
    turns.map((turn) => turnRewards[turn] ?? 0),
    own,
    settings,
  );
  const byTurn = new Map(turns.map((turn, i) => [turn, { advantage: estimates[i], value: own[i] }]));
  const read = (i: number, sum: (of: { advantage: number; value: number }) => number): number => {
    const found = actionMask[i] ? byTurn.get(turnIndex[i]) : undefined;
    return found === undefined ? 0 : sum(found);
  };
  return {
    advantages: actionMask.map((_, i) => read(i, ({ advantage }) => advantage)),
    returns: actionMask.map((_, i) => read(i, ({ advantage, value }) => advantage + value)),
  };
}

/** Settings of {@linkcode bilevelGae}. */
export interface BilevelGaeSettings extends GaeSettings {
  /** Discount from one turn to the next, in [0, 1]. */
  readonly turnGamma: number;
}

/**
 * Returns bi-level advantages (RAGEN): first between turns, over the values at the last sampled token of each turn, with
 * `turnGamma`; then between the tokens of a turn, towards the return its end was given. A turn whose reward is 0 is a
 * turn all the same, since boundaries come from the turn indices.
 *
 * @param turnRewards [turn]
 * @throws {RangeError} as {@linkcode turnGae}.
 */
export function bilevelGae(
  tokens: TokenTurns,
  turnRewards: readonly number[],
  values: readonly number[],
  settings: BilevelGaeSettings,
): TokenAdvantages {
  const { actionMask, turnIndex } = tokens;
  const { gamma, lambda, turnGamma } = settings;
  checkSettings(settings);
  checkLengths(actionMask.length, { turnIndex, values });
  const ends = [...findTurnEnds(tokens)];
  const lost = turnRewards.findIndex((reward, turn) => reward !== 0 && !ends.some(([each]) => each === turn));
  if (lost !== -1) throw new RangeError(`Cannot use the reward of turn ${lost} as the policy sampled no token in it`);
  const high = estimateAdvantages(
    ends.map(([turn]) => turnRewards[turn] ?? 0),
    ends.map(([, end]) => values[end]),
    { gamma: turnGamma, lambda },
  );
  const atEnd = new Map(ends.map(([, end], i) => [end, high[i]]));
  const advantages = actionMask.map(() => 0);
  const returns = actionMask.map(() => 0);
  let running = 0;
  let next = 0;
  for (let i = actionMask.length - 1; i >= 0; i -= 1) {
    if (!actionMask[i]) continue;
    running = atEnd.get(i) ?? gamma * next - values[i] + gamma * lambda * running;
    next = values[i];
    advantages[i] = running;
    returns[i] = running + values[i];
  }
  return { advantages, returns };
}
