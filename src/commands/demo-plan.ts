// internal
import type { Disclosure } from "../core/index.js";

/** One report of the demo. */
export type DemoReport = {
  /** Folder below the demo's own. */
  readonly name: string;
  readonly title: string;
  readonly question: string;
  /** What the report shows, in plain words, for its card on the index page. */
  readonly about: string;
  /** How to do the same with one's own agent. */
  readonly command: string;
} & (
  | {
      readonly kind: "play";
      readonly env: string;
      readonly policies: readonly string[];
      readonly difficulty: number;
      readonly budgets: readonly number[];
      readonly taskCount: number;
      readonly samples: number;
      readonly disclosures?: readonly Disclosure[];
      /** Plays the hybrids of both policies too, so that the report says why they differ. */
      readonly isAttributed?: true;
    }
  | {
      readonly kind: "pool";
      readonly env: string;
      readonly policies: readonly string[];
      readonly difficulty: number;
      /** Turn limit of the episodes that errors are taken from. */
      readonly maxTurns: number;
      readonly taskCount: number;
      readonly samples: number;
      /** Played on from just after the errors, or asked for one action just before them. */
      readonly evaluation: "recovery" | "steps";
      /** Turns left after the errors. */
      readonly budgets: readonly number[];
      /** Folder below the demo's own that holds the episodes and the pool; shared by reports on the same errors. */
      readonly poolName: string;
    }
  | {
      readonly kind: "dynamics";
      readonly env: string;
      /** Checkpoints of one training run, the first one the start; their labels name the updates. */
      readonly policies: readonly string[];
      readonly difficulty: number;
      readonly budgets: readonly number[];
      readonly taskCount: number;
      readonly samples: number;
    }
  | {
      readonly kind: "signals";
      /** Report of the demo, made before, whose episodes are read, and the policy in them. */
      readonly source: string;
      readonly policy: string;
      readonly replicates: number;
    }
  | {
      readonly kind: "outcomes";
      /** File below `data/outcomes`. */
      readonly file: string;
      /** Policies in the file, the reference first, and what the report calls them. */
      readonly policies: readonly { readonly id: string; readonly label: string }[];
      readonly budgets: readonly number[];
    }
);

/** The errors that two of the reports are about. */
const errorPool = {
  env: "sokoban",
  policies: ["scripted:base", "scripted:better-recovery"],
  difficulty: 1,
  maxTurns: 24,
  taskCount: 40,
  poolName: "errors",
} as const;

/** The reports of the demo, in the order of the index page. */
export const demoReports: readonly DemoReport[] = [
  {
    kind: "outcomes",
    name: "wiki-search",
    title: "A real model before and after RL: wiki search",
    question: "Did RL make the agent better, and at which turn budgets?",
    about:
      "Qwen3-4B-Instruct and the same model after reinforcement learning, each asked the same 100 questions with a search tool and up to ten turns. The mean success rate says RL won. The curve says where: it needs five turns, and with three it solved nothing while the base solved four questions.",
    command: "turnwise compare base=BEFORE/results.jsonl rl=AFTER/results.jsonl --budgets 2,3,4,5,6,8,10",
    file: "verifiers-wiki-search.json",
    policies: [
      { id: "qwen3-4b-instruct-2507", label: "base" },
      { id: "qwen3-4b-wiki-search", label: "RL" },
    ],
    budgets: [2, 3, 4, 5, 6, 8, 10],
  },
  {
    kind: "play",
    name: "trained",
    title: "Three policies that were really trained",
    question: "Does training at a large turn budget lose at a tight one, and does telling the budget repair it?",
    about:
      "Small networks trained by turnwise itself, weights included. The base imitates an imperfect player; RL was trained with twelve turns in every episode; BudgetMix saw 1, 2, 4 or 12 turns and was told which. RL wins where turns are plenty and is behind its own base at one and two turns. BudgetMix, told its budget, is ahead of both there.",
    command:
      "turnwise train RECIPE && turnwise eval budget --env vault --policy trained:CHECKPOINT --disclosure hidden,static",
    env: "vault",
    policies: ["base=trained:vault/base", "rl=trained:vault/rl", "budgetmix=trained:vault/budgetmix"],
    difficulty: 1,
    budgets: [1, 2, 3, 4, 8, 12],
    taskCount: 100,
    samples: 2,
    disclosures: ["hidden", "static"],
  },
  {
    kind: "play",
    name: "sokoban",
    title: "Behind at few turns, ahead at many",
    question: "Does the trained policy still win when turns are few?",
    about:
      "Pushing boxes. The trained policy decides worse than its base but recovers from mistakes and does not give up: it loses where turns are scarce and wins where they are plenty. One number, the mean success rate at the largest budget, hides half of that.",
    command:
      "turnwise eval budget --env sokoban --policy base=chat:MY-BASE --policy rl=chat:MY-RL --budgets 1,2,4,8,16",
    env: "sokoban",
    policies: ["scripted:base", "scripted:trained"],
    difficulty: 1,
    budgets: [2, 3, 4, 6, 8, 12, 16, 24],
    taskCount: 80,
    samples: 16,
  },
  {
    kind: "play",
    name: "vault",
    title: "Telling the agent its budget",
    question: "Does the agent play better when it knows how many turns it has?",
    about:
      "In the vault clues cost turns and an early guess is a gamble. Each policy plays twice: with the budget hidden, and with the turns left told every turn. One plans for the turns left and guesses in time; the other reads on until it is cut off. The budget-adaptation effect is what telling changed.",
    command:
      "turnwise eval budget --env vault --policy chat:MY-MODEL --disclosure hidden,countdown --budgets 1,2,3,4,6,8",
    env: "vault",
    policies: ["scripted:budget-blind", "scripted:budget-aware"],
    difficulty: 2,
    budgets: [1, 2, 3, 4, 6, 8],
    taskCount: 40,
    samples: 8,
    disclosures: ["hidden", "countdown"],
  },
  {
    kind: "play",
    name: "frozen-lake",
    title: "The same skill, more persistence",
    question: "How much of a gain is just not giving up?",
    about:
      "A frozen lake with holes. Both policies decide and recover alike; one gives up less often. Nothing changes at the first budgets, and the gain grows with the turns allowed: the mark of persistence. The section Why says so too, from mixtures of both that were really played.",
    command:
      "turnwise attribute --estimator interventional --env frozen-lake --policy chat:MY-BASE --policy chat:MY-RL --surface text",
    env: "frozen-lake",
    policies: ["scripted:base", "scripted:better-persistence"],
    difficulty: 2,
    budgets: [4, 6, 8, 12, 16, 24],
    taskCount: 60,
    samples: 16,
    isAttributed: true,
  },
  {
    kind: "play",
    name: "lookup",
    title: "Better recovery in a search task",
    question: "What is recovery worth when questions need several look-ups?",
    about:
      "Multi-hop questions over a small library. One policy finds its way back after a useless search more often, and is otherwise the same. The answer is final, so recovery pays only where turns are left for it. The section Why puts it down to recovery.",
    command:
      "turnwise attribute --estimator interventional --env lookup --policy chat:MY-BASE --policy chat:MY-RL --budgets 1,2,3,4,6,8",
    env: "lookup",
    policies: ["scripted:base", "scripted:better-recovery"],
    difficulty: 2,
    budgets: [1, 2, 3, 4, 6, 8],
    taskCount: 60,
    samples: 12,
    isAttributed: true,
  },
  {
    kind: "play",
    name: "repair",
    title: "Better decisions in a program with a bug",
    question: "What do better decisions look like on the curve?",
    about:
      "Read, test, edit, submit: the tests really run. One policy makes fewer wrong moves and is otherwise the same, so it is ahead from the first budget at which a task can be solved at all. The section Why puts it down to decisions.",
    command:
      "turnwise attribute --estimator interventional --env repair --policy chat:MY-BASE --policy chat:MY-RL --budgets 2,3,4,6,8",
    env: "repair",
    policies: ["scripted:base", "scripted:better-decision"],
    difficulty: 1,
    budgets: [2, 3, 4, 6, 8, 12],
    taskCount: 40,
    samples: 8,
    isAttributed: true,
  },
  {
    kind: "pool",
    name: "recovery",
    title: "The same errors, played on",
    question: "Is it recovery, or just being better anyway?",
    about:
      "First errors of both policies, frozen in a pool. Each policy goes on from just after every error, and from the best action in its place with the same turns left. One was built to recover better and nothing else; only what it gains beyond the control counts as recovery.",
    command:
      "turnwise pool errors RUN -o POOL && turnwise eval recovery POOL --policy chat:MY-BASE --policy chat:MY-RL",
    ...errorPool,
    evaluation: "recovery",
    budgets: [2, 4, 8, 16],
    samples: 6,
  },
  {
    kind: "pool",
    name: "steps",
    title: "The same states, one action",
    question: "Do they decide differently before an error?",
    about:
      "The states just before the same errors: each policy is asked for its next action, and nothing is played on. The two were built to decide alike, so no difference is found here. Over all turns one errs less: that is split into other choices in the same states, and being in other states.",
    command: "turnwise eval step POOL --policy chat:MY-BASE --policy chat:MY-RL",
    ...errorPool,
    evaluation: "steps",
    budgets: [1],
    samples: 8,
  },
  {
    kind: "dynamics",
    name: "training",
    title: "Four checkpoints of one training run",
    question: "How did training go, at which turn budgets?",
    about:
      "Four agents whose differences are known stand for the checkpoints: step 100 gives up less than the start, step 200 recovers better, and step 300 does both but decides worse. The heat map has a row a checkpoint and a column a turn budget; behaviour is followed below it, and the rules of training health say what to look at.",
    command: "turnwise dynamics 0=runs/step-0 100=runs/step-100 200=runs/step-200",
    env: "frozen-lake",
    policies: [
      "step-0=scripted:base",
      "step-100=scripted:better-persistence",
      "step-200=scripted:better-recovery",
      "step-300=scripted:trained",
    ],
    difficulty: 2,
    budgets: [4, 6, 8, 12, 16, 24],
    taskCount: 40,
    samples: 8,
  },
  {
    kind: "signals",
    name: "signals",
    title: "Which signal of a turn can be trusted?",
    question: "Which signals of a turn foretell how the episode will end?",
    about:
      "The episodes of the trained policy in Sokoban again: does an invalid or repeated action, or progress by the oracle, foretell success, beyond what the number of the turn and the turns left foretell by themselves? And what would become of success if the signal were the reward?",
    command: "turnwise signals RUN",
    source: "sokoban",
    policy: "trained",
    replicates: 200,
  },
];
