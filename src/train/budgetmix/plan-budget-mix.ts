import {
  createRandom,
  hashJson,
  renderDisclosure,
  usageError,
  type BudgetPlan,
  type BudgetPlanRow,
  type Disclosure,
  type Env,
  type Random,
  type Task,
  type TerminalRule,
} from "../../core/index.js";
import { BudgetAllocator, TaskDealer } from "./allocate.js";
import { getBudgetShares, toMixJson, type BudgetMix } from "./budget-mix.js";
import { checkMixCap, readBudgetMix } from "./read-budget-mix.js";

/** Version that every plan carries. */
export const budgetPlanSchema = "turnwise-budget-plan/1";

/** What a plan is made from. */
export interface BudgetPlanOptions {
  readonly env: Pick<Env, "id" | "version" | "maxTurns">;
  /** Tasks of the train split, all different. */
  readonly tasks: readonly Task[];
  readonly mix: BudgetMix;
  readonly updates: number;
  /** Episodes of an update; a multiple of `groupSize`. */
  readonly batchSize: number;
  /** Episodes of a group, at least 2; with a baseline that is learnt, at least 1. */
  readonly groupSize: number;
  /** What an episode is compared with: the others of its group (default), or what a value head has learnt. */
  readonly baseline?: "group" | "value";
  /** What policies are told; default `countdown`. */
  readonly disclosure?: Disclosure;
  /** Default `act`. */
  readonly terminalRule?: TerminalRule;
  /** Most turns the env gives; a larger budget is refused. Default: what the env declares, else no such limit. */
  readonly cap?: number;
  readonly seed: number;
}

function refuseUnlessCount(name: string, value: number, least: number, why: string): void {
  if (Number.isInteger(value) && value >= least) return;
  throw usageError(`Cannot plan with ${name} ${value}: it must be a whole number from ${least}, since ${why}`);
}

/** Episodes of a plan at most: 4,000 updates of a batch of 1,024. A longer run is planned in parts. */
const mostEpisodes = 4_194_304;

function checkSizes({ updates, batchSize, groupSize, baseline = "group" }: BudgetPlanOptions): void {
  refuseUnlessCount("updates", updates, 1, "a plan without updates plays nothing");
  refuseUnlessCount(
    "group size",
    groupSize,
    baseline === "group" ? 2 : 1,
    baseline === "group"
      ? "a group of one has no baseline: its advantage would be the raw reward or 0"
      : "an empty group plays nothing",
  );
  refuseUnlessCount("batch size", batchSize, groupSize, "an update holds at least one group");
  if (updates * batchSize > mostEpisodes) {
    throw usageError(
      `Cannot plan ${updates} updates of ${batchSize} episodes: a plan holds at most ${mostEpisodes} episodes`,
      "Plan fewer updates at a time; plans with other seeds follow one another",
    );
  }
  if (batchSize % groupSize === 0) return;
  const lower = batchSize - (batchSize % groupSize);
  throw usageError(
    `Cannot cut a batch of ${batchSize} episodes into groups of ${groupSize}: ${batchSize % groupSize} would be left over`,
    `Choose a batch of ${lower} or ${lower + groupSize} episodes, or a group size that divides ${batchSize}`,
  );
}

function checkTasks(tasks: readonly Task[], envId: string): void {
  if (tasks.length === 0) throw usageError("Cannot plan without tasks", "Give tasks of the train split");
  const seen = new Set<string>();
  for (const { id, hash, envId: owner, split } of tasks) {
    if (split === "eval") {
      throw usageError(
        `Cannot train on task "${id}": it belongs to the eval split, and figures measured on it afterwards would be worth nothing`,
        "Draw tasks with split train",
      );
    }
    if (owner !== envId) throw usageError(`Cannot plan task "${id}" in env "${envId}": it is a task of env "${owner}"`);
    if (seen.has(hash)) throw usageError(`Cannot plan task "${id}" twice: tasks must be all different`);
    seen.add(hash);
  }
}

/** Draws whole numbers of 31 bits, none of them twice. */
class SeedSource {
  readonly #random: Random;
  readonly #used = new Set<number>();
  constructor(random: Random) {
    this.#random = random;
  }

  draw(): number {
    for (;;) {
      const seed = this.#random.nextUint32() >>> 1;
      if (this.#used.has(seed)) continue;
      this.#used.add(seed);
      return seed;
    }
  }
}

/** Returns the budgets of one update's groups, mixed. */
function spread(counts: ReadonlyMap<number, number>, random: Random): number[] {
  return random.shuffle([...counts].flatMap(([maxTurns, count]) => Array.from({ length: count }, () => maxTurns)));
}

function planRows(options: BudgetPlanOptions, disclosure: Disclosure): BudgetPlanRow[] {
  const { tasks, mix, updates, batchSize, groupSize, seed } = options;
  const allocator = new BudgetAllocator();
  const dealer = new TaskDealer(tasks.length, createRandom(seed, "budgetmix tasks"));
  const order = createRandom(seed, "budgetmix order");
  const envSeeds = new SeedSource(createRandom(seed, "budgetmix env"));
  const samplingSeeds = new SeedSource(createRandom(seed, "budgetmix sampling"));
  const rows: BudgetPlanRow[] = [];
  for (let update = 0; update < updates; update += 1) {
    const counts = allocator.allocate(getBudgetShares(mix, update), batchSize / groupSize);
    const taken = new Set<number>();
    for (const [index, maxTurns] of spread(counts, order).entries()) {
      const position = dealer.deal(maxTurns, taken);
      taken.add(position);
      const notice = renderDisclosure(disclosure, { maxTurns }, 0);
      rows.push({
        update,
        group: `u${update}g${index}`,
        taskId: tasks[position].id,
        taskHash: tasks[position].hash,
        maxTurns,
        ...(notice === undefined ? {} : { notice }),
        envSeed: envSeeds.draw(),
        samplingSeeds: Array.from({ length: groupSize }, () => samplingSeeds.draw()),
      });
    }
  }
  return rows;
}

/** Returns the hash a plan must carry: over all of it but the hash. */
export function hashBudgetPlan(plan: Omit<BudgetPlan, "hash">): string {
  const { schema, env, disclosure, terminalRule, mix, seed, groupSize, rows } = plan;
  return hashJson({ schema, env, disclosure, terminalRule, mix, seed, groupSize, rows });
}

/**
 * Returns who plays which task with which budget in which update. All episodes of a group share task, budget and env
 * seed; no two episodes share a sampling seed. Each update holds the mix's budgets by largest remainders, what rounding
 * took is carried on, and every budget has played each task equally often, give or take one. The rows of a longer plan
 * begin with those of a shorter one.
 *
 * @throws {TurnwiseError} (usage) for a batch that groups do not divide, a group of one, a budget above the env's cap,
 * tasks of the eval split, of another env, or given twice, and anything that is no mix.
 *
 * @example
 * planBudgetMix({ env, tasks, mix: { type: "fixed", budgets: [2, 4, 8] }, updates: 100, batchSize: 64, groupSize: 8, seed: 1 });
 */
export function planBudgetMix(options: BudgetPlanOptions): BudgetPlan {
  const { env, tasks, disclosure = "countdown", terminalRule = "act", cap = env.maxTurns, seed, groupSize } = options;
  checkSizes(options);
  const mix = readBudgetMix(toMixJson(options.mix));
  if (cap !== undefined) checkMixCap(mix, cap, env.id);
  checkTasks(tasks, env.id);
  if (!Number.isSafeInteger(seed)) throw usageError(`Cannot plan with seed ${seed}: it must be a whole number`);
  const plan = {
    schema: budgetPlanSchema,
    env: { id: env.id, version: env.version },
    disclosure,
    terminalRule,
    mix: toMixJson(mix),
    seed,
    groupSize,
    rows: planRows({ ...options, mix }, disclosure),
  } as const;
  return { ...plan, hash: hashBudgetPlan(plan) };
}
