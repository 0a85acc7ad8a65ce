/** What was seen when an action was taken. */
export interface LabelledStep {
  readonly before: string;
  readonly after: string;
  readonly action: string;
}

/** Tells the action between two states, learnt from examples. */
export interface InverseDynamics {
  /** Returns the likeliest action with its share of the examples, or `undefined` for a change that was never seen. */
  findAction(before: string, after: string): { readonly action: string; readonly share: number } | undefined;
}

/** Returns the most frequent key, the first in alphabetical order of equals, with its share. */
function findMost(counts: ReadonlyMap<string, number>): { action: string; share: number } | undefined {
  let best: { action: string; count: number } | undefined;
  let total = 0;
  for (const [action, count] of counts) {
    total += count;
    if (best === undefined || count > best.count || (count === best.count && action < best.action)) {
      best = { action, count };
    }
  }
  return best === undefined ? undefined : { action: best.action, share: best.count / total };
}

function count(table: Map<string, Map<string, number>>, key: string, action: string): void {
  const own = table.get(key) ?? new Map<string, number>();
  own.set(action, (own.get(action) ?? 0) + 1);
  table.set(key, own);
}

/**
 * Returns a model that tells from two states which action lay between them (VPT's first stage, arXiv 2206.11795), by
 * counting. `describeChange` says what of the two states matters, so that what was learnt in one place holds in
 * another; without it both states must have been seen.
 */
export function fitInverseDynamics(
  steps: readonly LabelledStep[],
  describeChange: (before: string, after: string) => string = (before, after) => JSON.stringify([before, after]),
): InverseDynamics {
  const table = new Map<string, Map<string, number>>();
  for (const { before, after, action } of steps) count(table, describeChange(before, after), action);
  return {
    findAction: (before, after) => findMost(table.get(describeChange(before, after)) ?? new Map()),
  };
}

/** Steps of a recording without actions, with those that could be told. */
export interface PseudoLabels {
  readonly steps: readonly LabelledStep[];
  /** Changes the model had no answer for, or was not sure enough of. */
  readonly unlabelled: number;
}

/**
 * Returns the steps of recorded states with the actions an inverse dynamics model gives them; those with a share below
 * `leastShare` are left out and counted.
 *
 * @param recordings [recording][time] states
 */
export function pseudoLabel(
  recordings: readonly (readonly string[])[],
  model: InverseDynamics,
  leastShare = 0.5,
): PseudoLabels {
  const steps: LabelledStep[] = [];
  let unlabelled = 0;
  for (const states of recordings) {
    states.slice(1).forEach((after, i) => {
      const before = states[i];
      const found = model.findAction(before, after);
      if (found === undefined || found.share < leastShare) unlabelled += 1;
      else steps.push({ before, after, action: found.action });
    });
  }
  return { steps, unlabelled };
}

/**
 * Returns the policy that behavioural cloning of these steps gives in a table: for each state, the probability of each
 * action, counts plus `smoothing` over all actions. A state that was never seen gives equal chances.
 *
 * @throws {RangeError} without an action, or for a smoothing that is not above 0.
 */
export function cloneBehaviour(
  steps: readonly LabelledStep[],
  actions: readonly string[],
  smoothing = 1,
): (state: string) => number[] {
  if (actions.length === 0 || !(smoothing > 0)) {
    throw new RangeError(
      `Cannot clone behaviour with ${actions.length} actions and a smoothing of ${smoothing}: both must be above 0`,
    );
  }
  const table = new Map<string, Map<string, number>>();
  for (const { before, action } of steps) count(table, before, action);
  return (state) => {
    const own = table.get(state);
    const counts = actions.map((action) => (own?.get(action) ?? 0) + smoothing);
    const total = counts.reduce((sum, each) => sum + each, 0);
    return counts.map((each) => each / total);
  };
}
