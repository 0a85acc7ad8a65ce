import { Option, type Command } from "@commander-js/extra-typings";
import type { TrainResult } from "../../commands/index.js";
import { parseCount } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { createTrainView } from "../train-view.js";

const examples = `
A recipe is a JSON file, or a module that exports recipe (made with defineRecipe). The same command goes on with a run
that was stopped, update for update as if it had not been. Ctrl-C finishes the update in hand and saves it.

Examples:
  turnwise train --example > recipe.json
  turnwise train recipe.json
  turnwise train recipe.json --seed 2 -o runs/seed-2

Needs the package onnxruntime-node (turnwise doctor says whether it is there).
Exit code 1 when the run was stopped, or ended since it had collapsed.`;

const stopWords = {
  drain: "Stopping: the update in hand is finished and saved (press Ctrl-C again to give up its episodes)",
  abort: "Giving up the episodes in hand; the weights before them are saved",
} as const;

const ends = {
  finished: "Trained to the end of the recipe",
  token_limit: "Trained until the recipe's sampled tokens were spent",
  collapse: "Stopped: training has collapsed",
  interrupted: "Stopped",
} as const;

const signs = {
  entropy: "entropy stayed below the recipe's bound",
  flat_groups: "nearly all groups had equal returns",
  kl: "the divergence from the start stayed above the recipe's bound",
} as const;

function printResult(session: CliSession, result: TrainResult): void {
  const { end, collapse, state, folder, checkpoint, evaluations } = result;
  session.print(`${ends[end]}${collapse === undefined ? "" : `: ${signs[collapse]}`}`);
  session.print(
    `Updates  ${state.update}${state.sampledTokens > 0 ? `, ${state.sampledTokens.toLocaleString("en-US")} tokens sampled` : ""}`,
  );
  for (const { checkpoint: name, rates } of evaluations) {
    for (const disclosure of new Set(rates.map((rate) => rate.disclosure))) {
      const curve = rates.filter((rate) => rate.disclosure === disclosure && rate.k === 1);
      const errored = curve[0]?.errored ?? 0;
      session.print(
        `${name.padEnd(12)} ${disclosure.padEnd(9)} ${curve.map(({ maxTurns, rate }) => `T=${maxTurns} ${(100 * rate).toFixed(1)}%`).join("  ")}${errored > 0 ? `  (${errored} episodes errored)` : ""}`,
      );
    }
  }
  session.print(`Folder   ${folder}`);
  session.print(`Weights  ${checkpoint}`);
  if (end === "interrupted") session.print(`Next     run the same command again: it goes on from ${checkpoint}`);
  else if (evaluations.length > 1) {
    const { disclosures = [] } = result.recipe.evaluation ?? {};
    const choice = disclosures.length > 1 ? ` --disclosure ${disclosures[0]}` : "";
    session.print(`Next     turnwise dynamics ${folder}/evaluations/*${choice}`);
  } else session.print(`Next     turnwise eval budget --env ${result.recipe.env.id} --policy trained:${checkpoint}`);
}

/** Adds `turnwise train`. */
export function addTrain(parent: Command, session: CliSession): void {
  parent
    .command("train")
    .description("train a small policy on this machine, by a recipe")
    .argument("[recipe]", "JSON file, or a module that exports recipe")
    .option("-o, --output <folder>", "folder of the run (default: turnwise-runs/train-NAME)")
    .option("--seed <n>", "training seed, in place of the recipe's", parseCount(0))
    .option("--threads <n>", "cores the engine uses, 1 to 4 (default: all, at most 4)", parseCount(1))
    .addOption(
      new Option("--backend <name>", "compiled code, or WebAssembly where there is no build")
        .choices(["node", "web"] as const)
        .default("node" as const),
    )
    .option("--example", "print a recipe to begin with")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (recipe, flags) => {
      const { exampleRecipe, train } = await import("../../commands/index.js");
      if (flags.example === true) {
        session.printJson(exampleRecipe);
        return;
      }
      if (recipe === undefined) {
        const { usageError } = await import("../../core/index.js");
        throw usageError("Cannot train without a recipe", "turnwise train --example > recipe.json writes one");
      }
      const view = createTrainView({ stream: session.progressStream, now: () => performance.now() / 1000 });
      const stop = session.listenForStop(view, stopWords);
      const result = await train(recipe, {
        backend: flags.backend,
        ...(flags.output === undefined ? {} : { output: flags.output }),
        ...(flags.seed === undefined ? {} : { seed: flags.seed }),
        ...(flags.threads === undefined ? {} : { threads: flags.threads }),
        events: view,
        stop,
      });
      view.finish();
      if (result.end === "interrupted" || result.end === "collapse") session.exitCode = 1;
      if (flags.json === true) session.printJson(result);
      else printResult(session, result);
    });
}
