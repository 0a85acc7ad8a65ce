// Writes the trained policies that turnwise ships, from the runs of `npm run reproduce`: always seed 1, which nobody chose
// for its results. Each is a file of 16-bit weights with its codec, and a card beside them says where they come from.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject } from "../src/core/index.js";
import { exportPolicyFile, readPolicyFile } from "../src/trainers/index.js";
import type { ArmName, ExperimentEnv } from "./arms.js";
import { readResults } from "./results.js";

const seed = 1;
const shipped: readonly (readonly [ArmName, string])[] = [
  ["base", "base"],
  ["rl-large", "rl"],
  ["budgetmix", "budgetmix"],
];
const root = fileURLToPath(new URL(".", import.meta.url));
const at = process.argv.indexOf("--runs");
const runs = at === -1 ? join(root, "runs", "full") : process.argv[at + 1];
const folder = fileURLToPath(new URL("../data/policies", import.meta.url));

/** Returns a recipe without the path of its base, which means nothing on another machine. */
function tidyRecipe(recipe: unknown, env: string): JsonObject {
  if (!isJsonObject(recipe)) throw new TypeError("A checkpoint states its recipe");
  const { startFrom, ...rest } = recipe;
  return startFrom === undefined ? rest : { ...rest, startFrom: `${env}/base` };
}

const cards: JsonObject[] = [];
for (const env of ["vault", "lookup"] as const satisfies readonly ExperimentEnv[]) {
  for (const [arm, name] of shipped) {
    const run = join(runs, `${env}-${arm}-seed-${seed}`);
    if (!existsSync(run)) continue;
    const latest = JSON.parse(readFileSync(join(run, "checkpoints", "latest.json"), "utf8")) as {
      readonly name: string;
    };
    const checkpoint = join(run, "checkpoints", latest.name);
    const { meta } = readPolicyFile(checkpoint).policy;
    const tidy = {
      recipe: tidyRecipe(meta["recipe"], env),
      codec: meta["codec"] ?? null,
      state: meta["state"] ?? null,
    };
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${env}-${name}.safetensors`);
    const { hash, updates, network } = exportPolicyFile(checkpoint, file, { type: "F16", meta: tidy });
    const result = readResults(join(root, "results", `${env}.json`)).find(
      (one) => one.arm === arm && one.seed === seed,
    );
    cards.push({
      name: `${env}/${name}`,
      file: `${env}-${name}.safetensors`,
      sha256: hash,
      bytes: statSync(file).size,
      network: { ...network },
      seed,
      optimiserSteps: updates,
      sampledTokens: result?.sampledTokens ?? 0,
      recipe: tidy.recipe,
      data: `tasks of the train split of ${env}, drawn by the env; demonstrations by the scripted policy "base"`,
      heldOut: (result?.rates ?? []).filter(({ k }) => k === 1).map((rate) => ({ ...rate })),
    });
  }
}
writeFileSync(join(folder, "cards.json"), `${JSON.stringify(cards, null, 1)}\n`);
process.stdout.write(
  `${cards.map((card) => `${JSON.stringify(card["name"])}: ${JSON.stringify(card["bytes"])} bytes`).join("\n")}\n`,
);
