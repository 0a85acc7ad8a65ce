import { isQuit, type Policy, type PolicyRequest, type PolicyResult } from "../../core/index.js";
import { advanceMode, firstModeState, type EpisodeMode, type TurnJudge } from "./mode-labels.js";
import { askNotToQuit, createDiscardTally, discardAnswer, noteDiscards } from "./resample-policy.js";
import { attributionCells, type AttributionCell } from "./shapley.js";

/** Options of {@linkcode createHybridPolicy}. */
export interface HybridPolicyOptions {
  /** Default `hybrid-` and the cell. */
  readonly id?: string;
  /** Most times a policy is asked for an action that is no quit; default 8. */
  readonly maxTries?: number;
  readonly judge?: TurnJudge;
}

/** Returns the mode an episode is in at a request. */
function findMode({ turns }: PolicyRequest, judge: TurnJudge | undefined): EpisodeMode {
  return turns.reduce((state, turn) => advanceMode(state, turn, judge), firstModeState).mode;
}

/**
 * Returns the policy of one cell: decisions in clean turns from one policy, actions in error from another, quitting from
 * a third, each A or B as the cell's letters say. In every turn the policy that persists is asked; when it quits, the
 * episode ends; otherwise the policy of the mode acts, asked again while it would quit. So the hybrid quits exactly as the
 * one and acts exactly as the other does when it does not quit. After `maxTries` quits in a row nothing is done in that
 * turn. Answers that are not used are noted in the turn's usage and count against no budget.
 *
 * The mode is told from the turns so far: the env's oracle distance, or what it signals. Works for any two policies that
 * act in the same env. Throws a `RangeError` for an unknown cell or fewer than one try.
 *
 * @example
 * createHybridPolicy("AAB", base, trained); // decides and recovers like base, and gives up like trained
 */
export function createHybridPolicy(
  cell: AttributionCell,
  a: Policy,
  b: Policy,
  options: HybridPolicyOptions = {},
): Policy {
  const { id = `hybrid-${cell}`, maxTries = 8, judge } = options;
  if (!attributionCells.includes(cell))
    throw new RangeError(`Cannot create a hybrid of cell "${cell}": cells are ${attributionCells.join(", ")}`);
  if (!Number.isInteger(maxTries) || maxTries < 1)
    throw new RangeError(`Cannot create a hybrid with ${maxTries} tries: at least 1 is needed`);
  const [decision, recovery, persistence] = cell.split("").map((letter) => (letter === "A" ? a : b));
  async function act(request: PolicyRequest): Promise<PolicyResult> {
    const acting = findMode(request, judge) === "clean" ? decision : recovery;
    if (request.closingPrompt !== undefined) return acting.act(request);
    const tally = createDiscardTally();
    const first = await persistence.act(request);
    if (isQuit(first.action) || acting === persistence) return first;
    discardAnswer(tally, first);
    return noteDiscards(await askNotToQuit(acting, request, maxTries, tally), tally);
  }
  return {
    id,
    config: { type: "hybrid", cell, a: { id: a.id, config: a.config }, b: { id: b.id, config: b.config }, maxTries },
    ...(a.needsOracle === true || b.needsOracle === true ? { needsOracle: true as const } : {}),
    act,
  };
}

/**
 * Returns the policy with quitting disabled: asked again while it would quit, at most `maxTries` (default 8) times, then
 * nothing is done in that turn. Its id is the policy's with `-forced-continue`.
 */
export function createForcedContinuePolicy(
  policy: Policy,
  { maxTries = 8 }: Pick<HybridPolicyOptions, "maxTries"> = {},
): Policy {
  return {
    id: `${policy.id}-forced-continue`,
    config: { type: "forced_continue", of: { id: policy.id, config: policy.config }, maxTries },
    ...(policy.needsOracle === true ? { needsOracle: true as const } : {}),
    async act(request) {
      if (request.closingPrompt !== undefined) return policy.act(request);
      const tally = createDiscardTally();
      const first = await policy.act(request);
      return noteDiscards(await askNotToQuit(policy, request, maxTries, tally, first), tally);
    },
  };
}

/**
 * Returns the policy made to quit at random turns: before each turn with chance `hazard`, default .1, and never of its
 * own accord. Its id is the policy's with `-forced-stop`. Throws a `RangeError` for a hazard outside 0..1.
 */
export function createForcedStopPolicy(
  policy: Policy,
  { hazard = 0.1, maxTries = 8 }: { readonly hazard?: number; readonly maxTries?: number } = {},
): Policy {
  if (!(hazard >= 0 && hazard <= 1))
    throw new RangeError(`Cannot force stops with a chance of ${hazard}: it must be in 0..1`);
  const continuing = createForcedContinuePolicy(policy, { maxTries });
  return {
    ...continuing,
    id: `${policy.id}-forced-stop`,
    config: { type: "forced_stop", of: { id: policy.id, config: policy.config }, hazard, maxTries },
    async act(request) {
      if (request.closingPrompt === undefined && request.random.next() < hazard)
        return { action: { text: "", quit: true } };
      return continuing.act(request);
    },
  };
}
