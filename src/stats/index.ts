export type { BootstrapOptions, SurfaceIntervals } from "./bootstrap.js";
export { bootstrapMeans } from "./bootstrap.js";
export type { PairedCounts, PairedDesign, PowerOptions } from "./detectable-difference.js";
export {
  detectableDifference,
  differenceVariance,
  estimateDesign,
  minimumDetectableDifference,
} from "./detectable-difference.js";
export { betaCdf, betaQuantile, normalCdf, normalQuantile, studentTCdf, studentTQuantile } from "./distributions.js";
export type { Curve, ExchangeGap, ExchangeRate } from "./exchange-rate.js";
export { areaBetween, exchangeRates, trapezoidWeights } from "./exchange-rate.js";
export { widenBand, widenForFewUnits } from "./few-units.js";
export type { FixedBenchmarkEstimate, FixedBenchmarkOptions, TaskCounts } from "./fixed-benchmark.js";
export { fixedBenchmarkInterval } from "./fixed-benchmark.js";
export { holmAdjust } from "./holm.js";
export type { EpisodeEnd, EpisodeExit, IncidenceOptions, QuitOrder } from "./incidence.js";
export { cumulativeIncidence, successIfQuitsCensored } from "./incidence.js";
export { interquartileMean } from "./iqm.js";
export type { Contour, ContourPoint, TriesTurnsSurface } from "./iso-contours.js";
export { findContours } from "./iso-contours.js";
export type { McNemarResult } from "./mcnemar.js";
export { mcnemarTest } from "./mcnemar.js";
export type { MultiplierOptions } from "./multiplier-band.js";
export { multiplierBand } from "./multiplier-band.js";
export { gPassAtK, meanGPassAtK, passAtK, passHatK } from "./pass-at-k.js";
export { clopperPearsonInterval, jeffreysInterval, wilsonInterval } from "./proportion-intervals.js";
export { quantile, quantileOfSorted } from "./quantile.js";
export type { SignFlipOptions, SignFlipResult } from "./sign-flip.js";
export { signFlipTest } from "./sign-flip.js";
export type { StudentTEstimate } from "./student-t-interval.js";
export { studentTInterval } from "./student-t-interval.js";
export type { TaskValues } from "./task-values.js";
export type { TostOptions, TostResult } from "./tost.js";
export { tostPaired } from "./tost.js";
export { uniformGroupShare } from "./uniform-groups.js";
export type { Bounds, VerdictEvidence } from "./verdict.js";
export { armsInterval, decideVerdict } from "./verdict.js";
