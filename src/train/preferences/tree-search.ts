import { createRandom } from "../../core/index.js";

/** A deterministic world to search in. Histories are its states. */
export interface SearchWorld<State, Action> {
  readonly start: State;
  /** The candidate actions of the policy at a state, best first by the ranking, with a rank score in [0, 1]. Empty ends. */
  propose(state: State): readonly { readonly action: Action; readonly rankScore: number }[];
  step(state: State, action: Action): State;
  /** The outcome in [0, 1] of a finished episode; `undefined` while it goes on. */
  findOutcome(state: State): number | undefined;
}

/** One action that was tried from a state. */
export interface SearchedAction<Action> {
  readonly action: Action;
  /** Mean outcome of the episodes that went through it. */
  readonly searchValue: number;
  /** alpha x search value + (1 - alpha) x rank score. */
  readonly value: number;
  readonly visits: number;
}

/** A turn at which two actions differ enough to prefer one. */
export interface ActionPair<State, Action> {
  readonly state: State;
  readonly depth: number;
  readonly chosen: SearchedAction<Action>;
  readonly rejected: SearchedAction<Action>;
}

/** Settings of {@linkcode searchPairs}. */
export interface TreeSearchSettings {
  readonly iterations: number;
  /** Weight of exploration in UCB1. */
  readonly exploration: number;
  /** Weight of the search value against the rank score, in [0, 1]. */
  readonly alpha: number;
  /** Least difference of values for a pair, above 0. */
  readonly threshold: number;
  readonly maxDepth: number;
  readonly seed: number;
}

interface Edge<State, Action> {
  readonly action: Action;
  readonly rankScore: number;
  visits: number;
  mean: number;
  node: Node<State, Action> | undefined;
}
interface Node<State, Action> {
  readonly state: State;
  readonly depth: number;
  readonly edges: Edge<State, Action>[];
  visits: number;
}

/**
 * Returns the upper confidence bound of an action: value + c sqrt(log N / (1 + n)), N visits of the state, the one
 * under way included, and n of the action (Agent Q, arXiv 2408.07199, eq. 5). At a state's first visit there is nothing
 * to explore by, and the value alone decides.
 */
export function upperConfidence(value: number, exploration: number, stateVisits: number, actionVisits: number): number {
  return value + exploration * Math.sqrt(Math.log(stateVisits) / (1 + actionVisits));
}

/**
 * Returns pairs of actions for step-level DPO, found by Monte Carlo tree search as in Agent Q: actions are chosen by
 * {@linkcode upperConfidence} of alpha x mean outcome + (1 - alpha) x rank score, an episode is played on at random
 * from a new node, and its outcome enters the running mean of every action on the path. All pairs of tried actions of a
 * state whose values differ by at least `threshold` are returned, from the root down, the better one first. Ties in the
 * choice go to the action proposed first; the same seed gives the same pairs.
 *
 * @throws {RangeError} for settings out of range.
 */
export function searchPairs<State, Action>(
  world: SearchWorld<State, Action>,
  settings: TreeSearchSettings,
): ActionPair<State, Action>[] {
  const { iterations, alpha, threshold, seed } = settings;
  if (!(alpha >= 0 && alpha <= 1) || !(threshold > 0) || !Number.isInteger(iterations) || iterations < 1) {
    throw new RangeError(
      `Cannot search as alpha must be in [0, 1], the threshold above 0 and iterations a whole number above 0: found ${alpha}, ${threshold} and ${iterations}`,
    );
  }
  const root = makeNode(world, world.start, 0);
  const random = createRandom(seed, "tree");
  for (let i = 0; i < iterations; i += 1) {
    const path = descend(world, root, settings);
    const last = path.at(-1);
    let state = last?.node?.state ?? root.state;
    let outcome = world.findOutcome(state);
    for (let depth = path.length; outcome === undefined && depth < settings.maxDepth; depth += 1) {
      const proposals = world.propose(state);
      if (proposals.length === 0) break;
      state = world.step(state, random.pick(proposals).action);
      outcome = world.findOutcome(state);
    }
    backUp(root, path, outcome ?? 0);
  }
  return listPairs(root, alpha, threshold);
}

function makeNode<State, Action>(world: SearchWorld<State, Action>, state: State, depth: number): Node<State, Action> {
  const proposals = world.findOutcome(state) === undefined ? world.propose(state) : [];
  const edges = proposals.map(({ action, rankScore }) => ({ action, rankScore, visits: 0, mean: 0, node: undefined }));
  return { state, depth, edges, visits: 0 };
}

function getValue({ mean, rankScore }: { readonly mean: number; readonly rankScore: number }, alpha: number): number {
  return alpha * mean + (1 - alpha) * rankScore;
}

/** Goes down by upper confidence until a new node is made or the episode ends. */
function descend<State, Action>(
  world: SearchWorld<State, Action>,
  root: Node<State, Action>,
  { exploration, alpha, maxDepth }: TreeSearchSettings,
): Edge<State, Action>[] {
  const path: Edge<State, Action>[] = [];
  let node = root;
  while (node.edges.length > 0 && node.depth < maxDepth) {
    let best = node.edges[0];
    let bound = -Infinity;
    for (const edge of node.edges) {
      const own = upperConfidence(getValue(edge, alpha), exploration, node.visits + 1, edge.visits);
      if (own > bound) [best, bound] = [edge, own];
    }
    path.push(best);
    if (best.node === undefined) {
      best.node = makeNode(world, world.step(node.state, best.action), node.depth + 1);
      return path;
    }
    node = best.node;
  }
  return path;
}

function backUp<State, Action>(root: Node<State, Action>, path: readonly Edge<State, Action>[], outcome: number): void {
  root.visits += 1;
  for (const edge of path) {
    edge.mean = (edge.mean * edge.visits + outcome) / (edge.visits + 1);
    edge.visits += 1;
    if (edge.node !== undefined) edge.node.visits += 1;
  }
}

function listPairs<State, Action>(
  node: Node<State, Action>,
  alpha: number,
  threshold: number,
): ActionPair<State, Action>[] {
  const tried = node.edges
    .filter(({ visits }) => visits > 0)
    .map((edge) => ({
      action: edge.action,
      searchValue: edge.mean,
      value: getValue(edge, alpha),
      visits: edge.visits,
    }))
    .sort((a, b) => b.value - a.value);
  const own = tried.flatMap((chosen, i) =>
    tried
      .slice(i + 1)
      .filter((rejected) => chosen.value - rejected.value >= threshold)
      .map((rejected) => ({ state: node.state, depth: node.depth, chosen, rejected })),
  );
  const below = node.edges.flatMap((edge) => (edge.node === undefined ? [] : listPairs(edge.node, alpha, threshold)));
  return [...own, ...below];
}
