/** How a signal and the outcome went together in one update. */
export interface SignalOutcome {
  readonly updateIndex: number;
  readonly episodes: number;
  /** Mean sum of the signal over an episode. */
  readonly signal: number;
  /** Share of episodes that succeeded. */
  readonly success: number;
  /** Pearson's correlation of the two over episodes; absent where either does not vary. */
  readonly correlation?: number;
}

/** What the log says about optimising the signal. */
export interface SignalDivergenceAlert {
  readonly updateIndex: number;
  /**
   * `farming`: the signal rose and success did not rise with it; `inverted`: within the update, episodes with more of
   * the signal succeeded less.
   */
  readonly kind: "farming" | "inverted";
  readonly message: string;
}

/** Thresholds of {@linkcode SignalOutcomeLog}. */
export interface SignalOutcomeLogOptions {
  /** Updates on each side of the comparison; default 5. */
  readonly window?: number;
  /** A rise of the mean signal between windows, in its standard deviations over the first ones; default 2. */
  readonly rise?: number;
  /** Success must have risen by more than this to go with it; default .02. */
  readonly successRise?: number;
  /** Correlations below this are inverted; default -.2. */
  readonly inverted?: number;
  /** What was logged before, by a run that goes on. */
  readonly entries?: readonly SignalOutcome[];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

function correlate(first: readonly number[], second: readonly number[]): number | undefined {
  const spread = deviation(first) * deviation(second);
  if (!(spread > 0)) return undefined;
  const [a, b] = [mean(first), mean(second)];
  return mean(first.map((value, i) => (value - a) * (second[i] - b))) / spread;
}

/**
 * Keeps how a process signal (a format reward, a progress measure) and the outcome develop during training, and says
 * when they part. One for a signal and run; it holds one entry per update.
 */
export class SignalOutcomeLog {
  readonly #name: string;
  readonly #options: Required<Omit<SignalOutcomeLogOptions, "entries">>;
  readonly #entries: SignalOutcome[];

  constructor(name: string, options: SignalOutcomeLogOptions = {}) {
    const { window = 5, rise = 2, successRise = 0.02, inverted = -0.2, entries = [] } = options;
    this.#name = name;
    this.#entries = [...entries];
    this.#options = { window, rise, successRise, inverted };
  }

  /** What was logged so far. */
  get entries(): readonly SignalOutcome[] {
    return this.#entries;
  }

  /**
   * Logs an update and returns its alerts. Throws a `RangeError` for no episode.
   *
   * @param episodes sum of the signal over the episode, and whether it succeeded.
   */
  add(
    updateIndex: number,
    episodes: readonly { readonly signal: number; readonly success: boolean }[],
  ): SignalDivergenceAlert[] {
    if (episodes.length === 0)
      throw new RangeError(`Cannot log the signal "${this.#name}" of an update without episodes`);
    const signals = episodes.map(({ signal }) => signal);
    const outcomes = episodes.map(({ success }) => (success ? 1 : 0));
    const correlation = correlate(signals, outcomes);
    this.#entries.push({
      updateIndex,
      episodes: episodes.length,
      signal: mean(signals),
      success: mean(outcomes),
      ...(correlation === undefined ? {} : { correlation }),
    });
    return [...this.#findFarming(updateIndex), ...this.#findInverted(updateIndex, correlation)];
  }

  #findInverted(updateIndex: number, correlation: number | undefined): SignalDivergenceAlert[] {
    if (correlation === undefined || correlation >= this.#options.inverted) return [];
    const message = `episodes with more "${this.#name}" succeed less: correlation ${correlation.toFixed(2)} in update ${updateIndex}`;
    return [{ updateIndex, kind: "inverted", message }];
  }

  #findFarming(updateIndex: number): SignalDivergenceAlert[] {
    const { window, rise, successRise } = this.#options;
    if (this.#entries.length < 2 * window) return [];
    const first = this.#entries.slice(0, window);
    const last = this.#entries.slice(-window);
    const gained = mean(last.map(({ signal }) => signal)) - mean(first.map(({ signal }) => signal));
    const noise = deviation(first.map(({ signal }) => signal));
    const success = mean(last.map((each) => each.success)) - mean(first.map((each) => each.success));
    if (!(gained > rise * noise && gained > 0) || success > successRise) return [];
    const message = `"${this.#name}" rose by ${gained.toFixed(3)} since the first ${window} updates while success changed by ${success.toFixed(3)}: the signal is collected in place of the outcome`;
    return [{ updateIndex, kind: "farming", message }];
  }
}
