// Trains one arm with one seed in a process of its own and prints its result as JSON. Arguments: env, arm, seed, size, folder.
import { join } from "node:path";
import { train } from "../src/commands/index.js";
import { armNames, createArmRecipe, fullSize, reducedSize, type ArmName, type ExperimentEnv } from "./arms.js";

const [env, arm, seedText, sizeName, folder] = process.argv.slice(2);
if ((env !== "vault" && env !== "lookup") || !armNames.some((name) => name === arm)) {
  throw new Error(`There is no arm "${arm}" in env "${env}"`);
}
const seed = Number(seedText);
const getFolder = (name: ArmName): string => join(folder, `${env satisfies ExperimentEnv}-${name}-seed-${seed}`);
const name = arm as ArmName; // checked above
const size = sizeName === "full" ? fullSize : reducedSize;
const base = join(getFolder("base"), "checkpoints", `warm-${size.warmUpdates[env]}`);
const recipe = createArmRecipe(env, name, { seed, size, ...(name === "base" ? {} : { base }) });
/** Reward and tokens sampled so far, every fifth update: the learning curve. */
const curve: { update: number; sampledTokens: number; reward: number }[] = [];
const seconds = performance.now() / 1000;
const { evaluations, state, end } = await train(recipe, {
  output: getFolder(name),
  threads: 1,
  events: {
    onUpdate({ phase, update, metrics }) {
      if (phase !== "reinforce" || update % 5 !== 0) return;
      const { reward, "perf/sampled_tokens": sampledTokens } = metrics;
      curve.push({ update, sampledTokens, reward: Math.round(1e4 * reward) / 1e4 });
    },
  },
});
const evaluation = evaluations.at(-1);
process.stdout.write(
  `${JSON.stringify({
    env,
    arm,
    seed,
    end,
    updates: state.update,
    sampledTokens: state.sampledTokens,
    seconds: Math.round(performance.now() / 1000 - seconds),
    curve,
    rates: evaluation?.rates.map(({ disclosure, maxTurns, k, rate }) => ({ disclosure, maxTurns, k, rate })),
  })}\n`,
);
