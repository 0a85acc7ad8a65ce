import { incompleteBeta, logBeta } from "./special-functions.js";

/**
 * Returns the chance that a standard normal deviate is at most `x`. Accurate to some 1e-15, and relative to the result
 * in the lower tail: a series (Marsaglia 2004) near 0, Laplace's continued fraction far out.
 */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > -3) {
    let term = x;
    let sum = x;
    for (let i = 3; Math.abs(term) > 1e-18; i += 2) {
      term *= (x * x) / i;
      sum += term;
    }
    return 0.5 + density * sum;
  }
  let fraction = 0;
  for (let i = 120; i >= 1; i -= 1) fraction = i / (-x + fraction);
  return density / (-x + fraction);
}

/**
 * Returns the x with normalCdf(x) = p; -Infinity at 0 and Infinity at 1. Throws a `RangeError` outside [0, 1].
 *
 * @example
 * normalQuantile(0.975); // 1.959963984540054
 */
export function normalQuantile(p: number): number {
  checkProbability("a normal quantile", p);
  if (p === 0) return -Infinity;
  if (p > 0.5) return p === 1 ? Infinity : -normalQuantile(1 - p);
  // Start within 5e-4 (Abramowitz and Stegun 26.2.23), then Halley's steps, each of which triples the digits.
  const t = Math.sqrt(-2 * Math.log(p));
  const start =
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3);
  let x = start - t;
  for (let i = 0; i < 3; i += 1) {
    const step = (normalCdf(x) - p) * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
    x -= step / (1 + (x * step) / 2);
  }
  return x;
}

/** Returns the chance that a Beta(a, b) variable is at most `x`. Throws a `RangeError` unless a and b are positive. */
export function betaCdf(x: number, a: number, b: number): number {
  checkShape(a, b);
  return incompleteBeta(x, a, b);
}

/**
 * Returns the x with betaCdf(x, a, b) = p, by Newton's steps kept inside a shrinking bracket.
 * Throws a `RangeError` unless p is in [0, 1] and a and b are positive.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  checkProbability("a beta quantile", p);
  checkShape(a, b);
  if (p === 0 || p === 1) return p;
  const logNorm = logBeta(a, b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let i = 0; i < 200; i += 1) {
    const error = incompleteBeta(x, a, b) - p;
    if (error === 0) return x;
    if (error > 0) high = x;
    else low = x;
    const slope = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logNorm);
    const newton = x - error / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * x || high - low <= 1e-300) return next;
    x = next;
  }
  return x;
}

/** Returns the chance that a Student t variable is at most `x`. Throws a `RangeError` unless `degrees` is positive. */
export function studentTCdf(x: number, degrees: number): number {
  checkShape(degrees, degrees);
  // The smaller of the two complementary arguments keeps the digits near 0 as well as in the tail.
  const square = x * x;
  const tail =
    square < degrees
      ? 0.5 * (1 - incompleteBeta(square / (degrees + square), 0.5, degrees / 2))
      : 0.5 * incompleteBeta(degrees / (degrees + square), degrees / 2, 0.5);
  return x < 0 ? tail : 1 - tail;
}

/**
 * Returns the x with studentTCdf(x, degrees) = p; infinite at 0 and 1.
 * Throws a `RangeError` unless p is in [0, 1] and `degrees` is positive.
 *
 * @example
 * studentTQuantile(0.975, 4); // 2.7764451051977934
 */
export function studentTQuantile(p: number, degrees: number): number {
  checkProbability("a t quantile", p);
  checkShape(degrees, degrees);
  if (p > 0.5) return -studentTQuantile(1 - p, degrees);
  if (p === 0) return -Infinity;
  if (p === 0.5) return 0;
  const centre = betaQuantile(1 - 2 * p, 0.5, degrees / 2);
  if (centre < 0.5) return -Math.sqrt((degrees * centre) / (1 - centre));
  const tail = betaQuantile(2 * p, degrees / 2, 0.5);
  return -Math.sqrt((degrees * (1 - tail)) / tail);
}

function checkProbability(what: string, p: number): void {
  if (!(p >= 0 && p <= 1)) {
    throw new RangeError(`Cannot compute ${what} as the probability must be in [0, 1]: current value is ${p}`);
  }
}

function checkShape(a: number, b: number): void {
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) {
    throw new RangeError(`Cannot use a distribution as its parameters must be positive: current values are ${a}, ${b}`);
  }
}
