/** Options of {@linkcode shapeByPotential}. */
export interface PotentialShapingOptions {
  /** Discount of the task's own reward, in [0, 1]. */
  readonly gamma: number;
  /**
   * The episode was cut at a limit that the policy does not know of: its last state is no end, and keeps its potential.
   * Default false: the last state counts 0, whatever it is given, so that sums telescope to -potential(start).
   */
  readonly isCut?: boolean;
}

/**
 * Returns the shaping reward of each turn from potentials of states: gamma x potential(after) - potential(before) (Ng,
 * Harada and Russell 1999), the only shaping that leaves every best policy best. Shape [turn].
 *
 * @param potentials [turn + 1] before the first turn and after each.
 * @throws {RangeError} for potentials that are not finite, or fewer than two.
 *
 * @example
 * shapeByPotential([-2, -1, 0], { gamma: 1 }); // [1, 1]
 */
export function shapeByPotential(
  potentials: readonly number[],
  { gamma, isCut = false }: PotentialShapingOptions,
): number[] {
  if (potentials.length < 2 || !potentials.every(Number.isFinite)) {
    throw new RangeError(
      `Cannot shape by potentials as it needs 2 finite ones or more: found ${potentials.join(", ")}`,
    );
  }
  return potentials.slice(1).map((after, turn) => {
    const isEnd = turn === potentials.length - 2 && !isCut;
    return gamma * (isEnd ? 0 : after) - potentials[turn];
  });
}

/**
 * Returns turn rewards with a process signal added, weight x signal, as it is: nothing keeps such a signal from being
 * collected in place of the outcome, so log {@linkcode SignalOutcomeLog} beside it. A turn whose signal is unknown gets
 * nothing added. Shape [turn].
 */
export function addProcessSignal(
  rewards: readonly number[],
  signals: readonly (number | undefined)[],
  weight: number,
): number[] {
  if (rewards.length !== signals.length) {
    throw new RangeError(`Cannot add ${signals.length} signals to ${rewards.length} rewards: one a turn is needed`);
  }
  return rewards.map((reward, turn) => reward + weight * (signals[turn] ?? 0));
}
