import type { Command, OptionValues } from "@commander-js/extra-typings";
import type { PoolPlayOptions } from "../../commands/index.js";
import { collect, parseCount, parsePositive, parseWithin } from "../option-parsers.js";

/** The same fields as a plain object type, which commander's constraint asks for. */
type Plain<Flags> = { [Key in keyof Flags]: Flags[Key] };

/** The parsed options of {@linkcode addPoolPlayOptions}. */
export type PoolPlayFlags = {
  readonly env?: string;
  readonly policy?: readonly string[];
  readonly seed: number;
  readonly concurrency: number;
  readonly limit?: number;
  readonly tokenLimit?: number;
  readonly secondLimit?: number;
  readonly costLimit?: number;
  readonly level: number;
  readonly replicates: number;
  readonly bootstrapSeed: number;
  readonly margin: number;
  readonly output?: string;
  readonly title?: string;
  readonly json?: true;
};

/** Adds the options that all evaluations from a pool share. */
export function addPoolPlayOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & Plain<PoolPlayFlags>> {
  command
    .option("-p, --policy <policy>", "policy to play; repeatable, the first one is the reference", collect)
    .option("-e, --env <env>", "env or module file (default: the built-in env that the pool names)")
    .option("--seed <n>", "seed of luck and sampling", parseCount(0), 1)
    .option("-c, --concurrency <n>", "episodes in flight", parseCount(1), 16)
    .option("--limit <n>", "most episodes to play in this call", parseCount(1))
    .option("--token-limit <n>", "most tokens of an episode", parseCount(1))
    .option("--second-limit <n>", "most seconds of an episode", parsePositive)
    .option("--cost-limit <n>", "most cost of an episode", parsePositive)
    .option("--level <share>", "coverage of intervals and bands", parseWithin(0.5, 0.9999), 0.95)
    .option("--replicates <n>", "bootstrap resamples of tasks", parseCount(100), 2000)
    .option("--bootstrap-seed <n>", "seed of the resampling", parseCount(0), 1)
    .option("--margin <share>", "differences inside this margin count as equivalent", parseWithin(0.0001, 0.5), 0.03)
    .option("-o, --output <folder>", "run folder (default: below turnwise-runs)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document");
  return command as unknown as Command<Arguments, Options & Plain<PoolPlayFlags>>; // the same object, with the options just added
}

/** Returns the options that the flags stand for. */
export function readPoolPlayFlags(flags: PoolPlayFlags): PoolPlayOptions {
  const { env, policy = [], seed, concurrency, limit, tokenLimit, secondLimit, costLimit } = flags;
  const { level, replicates, bootstrapSeed, margin, output, title } = flags;
  return {
    policies: policy,
    seed,
    concurrency,
    level,
    replicates,
    bootstrapSeed,
    margin,
    limits: {
      ...(tokenLimit === undefined ? {} : { maxTokens: tokenLimit }),
      ...(secondLimit === undefined ? {} : { maxSeconds: secondLimit }),
      ...(costLimit === undefined ? {} : { maxCost: costLimit }),
    },
    ...(env === undefined ? {} : { env }),
    ...(limit === undefined ? {} : { limit }),
    ...(output === undefined ? {} : { output }),
    ...(title === undefined ? {} : { title }),
  };
}
