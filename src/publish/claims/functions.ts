import { inputError } from "../../core/index.js";
import { bootstrapMeans, passAtK, quantile, wilsonInterval } from "../../stats/index.js";
import { toNumber, toNumbers, type ExpressionValue } from "./expression-value.js";

interface ExpressionFunction {
  /** Names of the arguments, for messages; those that end in `?` may be left out. */
  readonly parameters: readonly string[];
  readonly apply: (values: readonly ExpressionValue[]) => ExpressionValue;
}

function mean(values: readonly number[]): number {
  if (values.length === 0) throw inputError("Cannot compute the mean of an empty list: nothing was selected");
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation with n - 1 in the denominator. */
function standardDeviation(values: readonly number[], what: string): number {
  if (values.length < 2) throw inputError(`Cannot compute ${what} of ${values.length} values: it needs at least 2`);
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

/** A function of one list of numbers. */
function ofList(what: string, compute: (values: readonly number[]) => ExpressionValue): ExpressionFunction {
  return { parameters: ["list"], apply: ([list]) => compute(toNumbers(list, what)) };
}

/** The least or greatest of a list, or of several numbers. */
function extreme(what: string, choose: (...values: number[]) => number): ExpressionFunction {
  return {
    parameters: ["list", "more?", "more?", "more?", "more?"],
    apply(values) {
      const numbers = values.length === 1 ? toNumbers(values[0], what) : values.map((value) => toNumber(value, what));
      if (numbers.length === 0) throw inputError(`Cannot compute ${what} of an empty list: nothing was selected`);
      return choose(...numbers);
    },
  };
}

function bootstrap(list: ExpressionValue, seed: ExpressionValue, replicates: ExpressionValue): ExpressionValue {
  const values = toNumbers(list, "bootstrap()");
  if (values.length < 2) throw inputError(`Cannot bootstrap ${values.length} values: it needs at least 2`);
  const cells = { cellCount: 1, taskCount: values.length, values: Float64Array.from(values) };
  const options = { seed: toNumber(seed, "bootstrap()"), replicates: toNumber(replicates, "bootstrap()") };
  const { lower, upper } = bootstrapMeans(cells, options);
  return [lower[0], upper[0]];
}

function toTruths(list: ExpressionValue, what: string): boolean[] {
  if (typeof list !== "object") throw inputError(`Cannot compute ${what}: it needs a list of comparisons`);
  return list.map((item) => toNumber(item, what) !== 0);
}

const functions: { readonly [name: string]: ExpressionFunction } = {
  min: extreme("min()", Math.min),
  max: extreme("max()", Math.max),
  sum: ofList("sum()", (values) => values.reduce((sum, value) => sum + value, 0)),
  mean: ofList("mean()", mean),
  median: ofList("median()", (values) => quantile(values, 0.5)),
  quantile: {
    parameters: ["list", "share"],
    apply: ([list, share]) => quantile(toNumbers(list, "quantile()"), toNumber(share, "quantile()")),
  },
  count: {
    parameters: ["list"],
    apply([list]) {
      if (typeof list === "object") return list.length;
      throw inputError("Cannot compute count(): it needs a list");
    },
  },
  std: ofList("std()", (values) => standardDeviation(values, "std()")),
  sem: ofList("sem()", (values) => standardDeviation(values, "sem()") / Math.sqrt(values.length)),
  abs: { parameters: ["number"], apply: ([value]) => Math.abs(toNumber(value, "abs()")) },
  wilson: {
    parameters: ["successes", "trials"],
    apply([c, n]) {
      const { lower, upper } = wilsonInterval(toNumber(c, "wilson()"), toNumber(n, "wilson()"));
      return [lower, upper];
    },
  },
  bootstrap: {
    parameters: ["list", "seed", "replicates?"],
    apply: ([list, seed, replicates = 2000]) => bootstrap(list, seed, replicates),
  },
  pass_at_k: {
    parameters: ["trials", "successes", "k"],
    apply: ([n, c, k]) =>
      passAtK(...([n, c, k].map((value) => toNumber(value, "pass_at_k()")) as [number, number, number])), // three in, three out
  },
  all: { parameters: ["list"], apply: ([list]) => toTruths(list, "all()").every(Boolean) },
  any: { parameters: ["list"], apply: ([list]) => toTruths(list, "any()").some(Boolean) },
  rank: {
    parameters: ["number", "list"],
    apply([value, list]) {
      const own = toNumber(value, "rank()");
      return 1 + toNumbers(list, "rank()").filter((other) => other > own).length;
    },
  },
};

/** The functions an expression may call, in the order they are listed. */
export const functionNames: readonly string[] = Object.keys(functions);

/**
 * Returns what a function gives for these arguments. `wilson` and `bootstrap` give [lower, upper] at 95 %; `std` has
 * n - 1 in the denominator; `rank` is 1 for the greatest. Throws an `inputError` for arguments it cannot take.
 */
export function callFunction(name: string, values: readonly ExpressionValue[]): ExpressionValue {
  const { parameters, apply } = functions[name];
  const least = parameters.filter((parameter) => !parameter.endsWith("?")).length;
  if (values.length < least || values.length > parameters.length) {
    throw inputError(
      `Cannot compute ${name}() of ${values.length} ${values.length === 1 ? "argument" : "arguments"}`,
      `Write ${name}(${parameters.join(", ")})`,
    );
  }
  try {
    return apply(values);
  } catch (error) {
    if (error instanceof RangeError) throw inputError(error.message, `Correct the arguments of ${name}()`);
    throw error;
  }
}
