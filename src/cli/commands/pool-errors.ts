import type { Command } from "@commander-js/extra-typings";
import type { PoolErrorsResult } from "../../commands/index.js";
import { writeCount } from "../../core/index.js";
import { parseCount, parseCounts, parseWithin } from "../option-parsers.js";
import type { CliSession } from "../session.js";

const examples = `
Examples:
  turnwise pool errors turnwise-runs/base turnwise-runs/rl
  turnwise pool errors run --per-task 2 -o pools/mine
  turnwise pool errors run --inject 0,1,2,4 -o pools/injected
  turnwise pool errors run --env ./my-env.js --rule ./my-rule.js

A prefix is an episode up to and including its first error. Prefixes are taken from all episodes with an error, solved ones
too, checked by playing them again, frozen and hashed. Next: turnwise eval step POOL, turnwise eval recovery POOL.`;

/** Adds `turnwise pool errors`. */
export function addPoolErrors(parent: Command, session: CliSession): void {
  parent
    .command("errors")
    .description("collect the first errors of episodes as a frozen pool to play on from")
    .argument("<run...>", "run folders; the more different their policies, the better")
    .option("-e, --env <env>", "env or module file (default: the built-in env that the runs name)")
    .option("--tasks-file <file>", "the runs' tasks, where they came from a file")
    .option("--rule <file>", "module with a rule that finds errors, and its measured sensitivity and specificity")
    .option("--per-task <n>", "most prefixes of one task and policy", parseCount(1), 4)
    .option("--unbalanced", "keep all prefixes of policies that have more than the others")
    .option(
      "--min-slack <n>",
      "least turns that were left beyond the distance after the error",
      parseWithin(-1e6, 1e6),
      0,
    )
    .option(
      "--regret-threshold <share>",
      "chance given away from which a choice is an error, where no distance is known",
      parseWithin(0, 1),
      0.05,
    )
    .option(
      "--states <n>",
      "states drawn at random for each task and policy, for the split of error rates",
      parseCount(0),
      2,
    )
    .option("--inject <list>", "add best play with one error at each of these turns, counted from 0", parseCounts(0))
    .option("--inject-budget <n>", "turn limit of the injected episodes", parseCount(1), 32)
    .option("--seed <n>", "seed of the choice", parseCount(0), 1)
    .option("-o, --output <folder>", "pool folder (default: turnwise-runs/pool-ENV-HASH)")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (runs, flags) => {
      const { poolErrors } = await import("../../commands/index.js");
      const { env, tasksFile, rule, inject, output } = flags;
      const result = await poolErrors(runs, {
        perTask: flags.perTask,
        isBalanced: flags.unbalanced !== true,
        minSlack: flags.minSlack,
        regretThreshold: flags.regretThreshold,
        statesPerTask: flags.states,
        seed: flags.seed,
        ...(env === undefined ? {} : { env }),
        ...(tasksFile === undefined ? {} : { taskFile: tasksFile }),
        ...(rule === undefined ? {} : { rule }),
        ...(inject === undefined ? {} : { injectionTurns: inject, injectionBudget: flags.injectBudget }),
        ...(output === undefined ? {} : { output }),
      });
      if (flags.json === true) session.printJson({ folder: result.folder, card: result.card });
      else printPool(session, result);
    });
}

function join(counts: { readonly [name: string]: number | undefined }): string {
  return Object.entries(counts)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

function printPool(session: CliSession, { folder, card }: PoolErrorsResult): void {
  const { excluded } = card;
  session.print(
    `Prefixes   ${writeCount(card.prefixCount, "first error")} in ${writeCount(card.taskCount, "task")} (${join(card.labels)})`,
  );
  for (const { id, episodes, episodesWithError, prefixes } of card.producers) {
    session.print(
      `  ${id}: ${writeCount(prefixes, "prefix", "prefixes")}; ${episodesWithError} of ${writeCount(episodes, "episode")} ${episodesWithError === 1 ? "holds" : "hold"} an error`,
    );
  }
  session.print(`Slack      ${join(card.slack)} turns beyond what was needed`);
  session.print(
    `Controls   ${writeCount(card.controlCount, "prefix has", "prefixes have")} the best action in place of the error`,
  );
  session.print(
    `States     ${card.visitedCount} drawn at random; taken up ${card.restore === "state" ? "as saved" : "by playing the turns again"}`,
  );
  const left = join({
    "beyond the limit per task": excluded.overCap,
    "to balance policies": excluded.overBalance,
    "too few turns left": excluded.belowSlack,
    "not the same when played again": excluded.diverged,
    "episodes that ended in an error": excluded.erroredEpisodes,
    "episodes named twice": excluded.duplicates,
  });
  if (left !== "") session.print(`Left out   ${left}`);
  for (const note of card.notes) session.print(`Note       ${note}`);
  session.print(`Pool       ${folder}  ${card.poolHash.slice(0, 12)}`);
  session.print(`Next       turnwise eval recovery ${folder} --policy POLICY`);
}
