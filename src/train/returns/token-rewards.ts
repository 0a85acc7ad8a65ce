/** Where the tokens of one episode came from: lists have the length of its ids. */
export interface TokenTurns {
  readonly actionMask: readonly boolean[];
  /** 0-based turn of each token; -1 before the first. */
  readonly turnIndex: readonly number[];
}

/**
 * Returns the position of the last sampled token of each turn, by turn: where that turn's reward belongs and where it
 * ends, told by the turn and never by a reward that is not 0. A turn without a sampled token has no entry.
 */
export function findTurnEnds({ actionMask, turnIndex }: TokenTurns): Map<number, number> {
  const ends = new Map<number, number>();
  actionMask.forEach((isSampled, i) => {
    if (isSampled) ends.set(turnIndex[i], i);
  });
  return ends;
}

/**
 * Returns the reward of each token: a turn's reward stands on its last sampled token. Shape [token]; the sum over
 * sampled tokens is the episode's return, which padding or an observation at the end cannot take away.
 *
 * @param turnRewards [turn]
 * @throws {RangeError} for a reward of a turn without a sampled token, which would be lost.
 *
 * @example
 * placeRewards({ actionMask: [false, true, true, false], turnIndex: [-1, 0, 0, 0] }, [1]); // [0, 0, 1, 0]
 */
export function placeRewards(tokens: TokenTurns, turnRewards: readonly number[]): number[] {
  const rewards = tokens.actionMask.map(() => 0);
  const ends = findTurnEnds(tokens);
  turnRewards.forEach((reward, turn) => {
    const end = ends.get(turn);
    if (end !== undefined) rewards[end] = reward;
    else if (reward !== 0) {
      throw new RangeError(
        `Cannot place the reward ${reward} of turn ${turn} as the policy sampled no token in it: add it to a turn that has one`,
      );
    }
  });
  return rewards;
}

/**
 * Returns positions with a reward although the policy did not sample the token there: such a reward would never reach
 * the policy. Empty for rewards as {@linkcode placeRewards} puts them.
 */
export function findMisplacedRewards(actionMask: readonly boolean[], rewards: readonly number[]): number[] {
  return rewards.flatMap((reward, i) => (reward !== 0 && !actionMask[i] ? [i] : []));
}
