import type { IncidenceRow } from "../core/index.js";

/** How an episode ended for the incidence: one of three competing ends, or cut off by its budget. */
export type EpisodeEnd = "success" | "quit" | "fail" | "censored";

/** When and how one episode ended. */
export interface EpisodeExit {
  /** 1-based turn of the end; for a censored episode the last turn it played, 0 when it played none. */
  readonly turn: number;
  readonly end: EpisodeEnd;
  /** Weight in the counts, 1 by default. With 1/n_i the endpoint is the mean over tasks, not the pooled rate. */
  readonly weight?: number;
}

/** Options of {@linkcode cumulativeIncidence}. */
export interface IncidenceOptions {
  /** Last turn of the table; the largest turn of any episode by default. */
  readonly maxTurns?: number;
}

/**
 * Returns discrete hazards and the Aalen-Johansen cumulative incidence of success, quitting and failing, a row a turn
 * from 1 to `maxTurns`. The hazard of an end at turn t is its weight over the weight at risk; an episode censored at
 * turn t was at risk through t. Nothing is at risk after the last exit: hazards are 0 and incidences stay. Exits past
 * `maxTurns` count as still running. When all episodes share one budget, the incidence at T is exactly the
 * (weighted) share that ended that way within T.
 * Throws a `RangeError` for an end before turn 1, a turn that is not whole, or a weight that is not positive.
 */
export function cumulativeIncidence(exits: readonly EpisodeExit[], options: IncidenceOptions = {}): IncidenceRow[] {
  for (const exit of exits) checkExit(exit);
  const { maxTurns = exits.reduce((largest, exit) => Math.max(largest, exit.turn), 0) } = options;
  const weights = { success: new Float64Array(maxTurns + 1), quit: new Float64Array(maxTurns + 1) };
  const fails = new Float64Array(maxTurns + 1);
  const leaving = new Float64Array(maxTurns + 2);
  for (const { turn, end, weight = 1 } of exits) {
    leaving[Math.min(turn, maxTurns + 1)] += weight;
    if (turn > maxTurns || end === "censored") continue;
    (end === "fail" ? fails : weights[end])[turn] += weight;
  }
  // At risk at t is everything that leaves at t or later, summed from the end so that the last row is exact.
  const atRisk = leaving.slice();
  for (let turn = maxTurns; turn >= 0; turn -= 1) atRisk[turn] += atRisk[turn + 1];
  const rows: IncidenceRow[] = [];
  let running = 1;
  let totals = { success: 0, quit: 0, fail: 0 };
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const share = (weight: number): number => (atRisk[turn] > 0 ? weight / atRisk[turn] : 0);
    const successHazard = share(weights.success[turn]);
    const quitHazard = share(weights.quit[turn]);
    const failHazard = share(fails[turn]);
    totals = {
      success: totals.success + running * successHazard,
      quit: totals.quit + running * quitHazard,
      fail: totals.fail + running * failHazard,
    };
    running *= Math.max(0, 1 - successHazard - quitHazard - failHazard);
    rows.push({ turn, atRisk: atRisk[turn], successHazard, quitHazard, failHazard, ...totals });
  }
  return rows;
}

/** Which comes first within a turn: an episode that quits at t is, or is not, still at risk of success at t. */
export type QuitOrder = "quit_first" | "act_first";

/**
 * Returns, by row, what success would be if quitting were impossible and had nothing to do with the outcome: one minus
 * Kaplan-Meier with quits censored (failing stays a competing end; without it this is exactly 1 - KM). It is not the
 * success rate, and not the rate with quits really disabled either. `quit_first` (the default, the order of a turn
 * here) takes quitters out of the risk set of their turn, hazard h/(1 - h_quit); `act_first` leaves them in.
 */
export function successIfQuitsCensored(rows: readonly IncidenceRow[], order: QuitOrder = "quit_first"): number[] {
  let running = 1;
  let success = 0;
  return rows.map(({ successHazard, quitHazard, failHazard }) => {
    const acting = order === "quit_first" ? 1 - quitHazard : 1;
    const scale = acting > 0 ? 1 / acting : 0; // nobody acts when everyone at risk quits
    success += running * successHazard * scale;
    running *= Math.max(0, 1 - (successHazard + failHazard) * scale);
    return success;
  });
}

function checkExit({ turn, end, weight = 1 }: EpisodeExit): void {
  if (!Number.isInteger(turn) || turn < (end === "censored" ? 0 : 1)) {
    throw new RangeError(`Cannot place an episode that ends by ${end} at turn ${turn}: turns are whole numbers from 1`);
  }
  if (!(weight > 0 && weight < Infinity)) {
    throw new RangeError(`Cannot weigh an episode as its weight must be positive: current weight is ${weight}`);
  }
}
