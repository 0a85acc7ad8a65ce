// A training of the smallest env, for tests of the loop: codec, tasks, plan and policy around a table trainer.
import type { BudgetPlan, Env, Task } from "../../src/core/index.js";
import {
  createWordCodec,
  gatherCodecEpisodes,
  planBudgetMix,
  type BudgetPlanOptions,
  type WordCodec,
} from "../../src/train/index.js";
import { createTokenPolicy, type TokenPolicy } from "../../src/trainers/index.js";
import { createTableTrainer, type TableTrainer, type TableTrainerOptions } from "./table-trainer.js";
import { tinyWalk } from "./tiny-walk.js";

/** What a training of the walk consists of. */
export interface WalkTraining {
  readonly env: Env;
  readonly tasks: readonly Task[];
  readonly codec: WordCodec;
  readonly trainer: TableTrainer;
  readonly policy: TokenPolicy;
}

/** Returns the walk with a codec learnt from it and an untrained table. */
export async function createWalkTraining(
  options: Partial<TableTrainerOptions> & { readonly env?: Env; readonly temperature?: number } = {},
): Promise<WalkTraining> {
  const { env = tinyWalk, temperature = 1, ...settings } = options;
  const tasks = env.makeTasks?.({ split: "train", level: 1, taskCount: 8, seed: 1 }) ?? [];
  const codec = createWordCodec({ env, episodes: await gatherCodecEpisodes(env, tasks, { seed: 1 }) });
  const trainer = createTableTrainer({ vocabularySize: codec.vocabulary.length, ...settings });
  const policy = createTokenPolicy({ id: "walker", generator: trainer, codec, temperature });
  return { env, tasks, codec, trainer, policy };
}

/** Returns a plan for the walk: 4 groups of 4 an update, budgets 4 and 8. */
export function planWalk(
  { env, tasks }: Pick<WalkTraining, "env" | "tasks">,
  changes: Partial<BudgetPlanOptions> = {},
): BudgetPlan {
  return planBudgetMix({
    env,
    tasks,
    mix: { type: "fixed", budgets: [4, 8] },
    updates: 5,
    batchSize: 16,
    groupSize: 4,
    disclosure: "static",
    seed: 1,
    ...changes,
  });
}
