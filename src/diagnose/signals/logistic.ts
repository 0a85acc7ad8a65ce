/** A fitted logistic regression on standardised features. */
export interface LogisticModel {
  readonly intercept: number;
  /** [feature] weights of the standardised features; 0 for a feature that never varies. */
  readonly weights: readonly number[];
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  /** [feature] least and largest finite value seen; values beyond are read as one deviation further out at most. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly converged: boolean;
}

/** Options of {@linkcode fitLogistic}. */
export interface LogisticOptions {
  /** Ridge penalty on the weights of standardised features, as half the penalty times their squares; default 1. */
  readonly penalty?: number;
  /** Most Newton steps; default 50. */
  readonly maxIterations?: number;
}

/** Returns the standardised value of one feature; missing (NaN) is the mean, infinite is one deviation beyond the range. */
function standardise(
  value: number,
  feature: number,
  model: Pick<LogisticModel, "means" | "deviations" | "ranges">,
): number {
  const deviation = model.deviations[feature];
  if (Number.isNaN(value) || deviation === 0) return 0;
  const [least, most] = model.ranges[feature];
  const bounded = Math.min(Math.max(value, least - deviation), most + deviation);
  return (bounded - model.means[feature]) / deviation;
}

function describeFeature(values: ArrayLike<number>): { mean: number; deviation: number; range: [number, number] } {
  const finite = Array.from(values).filter(Number.isFinite);
  if (finite.length === 0) return { mean: 0, deviation: 0, range: [0, 0] };
  let least = Infinity;
  let most = -Infinity;
  let sum = 0;
  for (const value of finite) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value;
  }
  const mean = sum / finite.length;
  const squares = finite.reduce((total, value) => total + (value - mean) ** 2, 0);
  return { mean, deviation: least === most ? 0 : Math.sqrt(squares / finite.length), range: [least, most] };
}

/** Solves a symmetric positive definite system in place by Cholesky; `matrix` is [row][column]. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i][j];
      for (let k = 0; k < j; k += 1) sum -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[j][j];
    }
  }
  const solution = Float64Array.from(right);
  for (let i = 0; i < size; i += 1) {
    for (let k = 0; k < i; k += 1) solution[i] -= matrix[i][k] * solution[k];
    solution[i] /= matrix[i][i];
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < size; k += 1) solution[i] -= matrix[k][i] * solution[k];
    solution[i] /= matrix[i][i];
  }
  return solution;
}

function toProbability(logit: number): number {
  return logit >= 0 ? 1 / (1 + Math.exp(-logit)) : Math.exp(logit) / (1 + Math.exp(logit));
}

/**
 * Fits P(label = 1) by ridge-penalised logistic regression with Newton's method; the intercept is not penalised.
 * `features` is [feature][row]; a missing value (NaN) counts as the feature's mean, an infinite one as one deviation
 * beyond the largest seen. With one class only, the probability is (positives + 1/2) / (rows + 1) everywhere.
 *
 * @throws {RangeError} without rows or for lengths that differ.
 */
export function fitLogistic(
  features: readonly ArrayLike<number>[],
  labels: ArrayLike<number>,
  options: LogisticOptions = {},
): LogisticModel {
  const { penalty = 1, maxIterations = 50 } = options;
  const rows = labels.length;
  if (rows === 0) throw new RangeError("Cannot fit a logistic regression without rows");
  for (const [index, values] of features.entries()) {
    if (values.length !== rows) {
      throw new RangeError(
        `Cannot fit a logistic regression as feature ${index} has ${values.length} values for ${rows} labels`,
      );
    }
  }
  const described = features.map(describeFeature);
  const scale = {
    means: described.map(({ mean }) => mean),
    deviations: described.map(({ deviation }) => deviation),
    ranges: described.map(({ range }) => range),
  };
  let positives = 0;
  for (let i = 0; i < rows; i += 1) positives += labels[i];
  const share = (positives + 0.5) / (rows + 1);
  const start = Math.log(share / (1 - share));
  const empty = { intercept: start, weights: features.map(() => 0), ...scale, converged: true };
  if (positives === 0 || positives === rows) return empty;
  const columns = features.map((values, feature) =>
    Float64Array.from({ length: rows }, (_unused, row) => standardise(values[row], feature, scale)),
  );
  const { beta, converged } = iterate(columns, labels, start, { penalty, maxIterations });
  return { intercept: beta[0], weights: [...beta.subarray(1)], ...scale, converged };
}

function iterate(
  columns: readonly Float64Array[],
  labels: ArrayLike<number>,
  start: number,
  { penalty, maxIterations }: { readonly penalty: number; readonly maxIterations: number },
): { readonly beta: Float64Array; readonly converged: boolean } {
  const size = columns.length + 1;
  const beta = new Float64Array(size);
  beta[0] = start;
  const row = new Float64Array(size);
  row[0] = 1;
  for (let iteration = 0; iteration < maxIterations; iteration += 1) {
    const hessian = Array.from({ length: size }, (_unused, i) => {
      const line = new Float64Array(size);
      line[i] = i === 0 ? 1e-9 : penalty;
      return line;
    });
    const gradient = Float64Array.from(beta, (value, i) => (i === 0 ? 0 : -penalty * value));
    for (let r = 0; r < labels.length; r += 1) {
      let logit = beta[0];
      for (let i = 1; i < size; i += 1) {
        row[i] = columns[i - 1][r];
        logit += beta[i] * row[i];
      }
      const p = toProbability(logit);
      const weight = Math.max(p * (1 - p), 1e-9);
      for (let i = 0; i < size; i += 1) {
        if (row[i] === 0) continue;
        gradient[i] += (labels[r] - p) * row[i];
        for (let j = 0; j <= i; j += 1) hessian[i][j] += weight * row[i] * row[j];
      }
    }
    const step = solve(hessian, gradient);
    const largest = step.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    // Far from the optimum a full step may overshoot; standardised weights beyond 4 a step are never meant.
    const factor = largest > 4 ? 4 / largest : 1;
    for (let i = 0; i < size; i += 1) beta[i] += factor * step[i];
    if (largest < 1e-8) return { beta, converged: true };
  }
  return { beta, converged: false };
}

/**
 * Returns [row] the probabilities of a fitted model for `features` [feature][row]; missing and infinite values are read
 * as in the fit.
 *
 * @throws {RangeError} when the number of features is not the model's.
 */
export function predictLogistic(
  model: LogisticModel,
  features: readonly ArrayLike<number>[],
  rowCount: number,
): Float64Array {
  if (features.length !== model.weights.length) {
    throw new RangeError(
      `Cannot predict as the model has ${model.weights.length} features: ${features.length} were given`,
    );
  }
  return Float64Array.from({ length: rowCount }, (_unused, row) => {
    let logit = model.intercept;
    for (let feature = 0; feature < features.length; feature += 1) {
      logit += model.weights[feature] * standardise(features[feature][row], feature, model);
    }
    return toProbability(logit);
  });
}
