export type { AttributeLogsOptions } from "./attribution/attribute-logs.js";
export { attributeLogs } from "./attribution/attribute-logs.js";
export type { ChainData, ChainTask } from "./attribution/chain-data.js";
export { countChainData, pooledStride, readWrongAsQuit } from "./attribution/chain-data.js";
export type { ChainDesign, ChainSide, ChainSideOptions } from "./attribution/chain-side.js";
export { collectChainSide, designChains } from "./attribution/chain-side.js";
export type { JudgeErrors } from "./attribution/judge-range.js";
export { rangeOverJudge, trueErrorChance } from "./attribution/judge-range.js";
export type { ClassChoice, FitOptions, LatentClasses } from "./attribution/latent-classes.js";
export {
  assignMemberships,
  chooseClasses,
  countClassParameters,
  fitLatentClasses,
  getBic,
} from "./attribution/latent-classes.js";
export { checkMarkov } from "./attribution/markov-check.js";
export type { ChainBlocks, ChainCourse, ChainRates, ModeChain, ModeRates } from "./attribution/mode-chain.js";
export {
  chainGradient,
  chainModes,
  chainOutcomes,
  closedFormValue,
  createModeChain,
  modeStride,
  outcomeIndex,
  runChain,
  turnStride,
} from "./attribution/mode-chain.js";
export type {
  ChainEpisode,
  EpisodeMode,
  LabelSource,
  LabelledTurn,
  ModeState,
  TurnJudge,
} from "./attribution/mode-labels.js";
export { advanceMode, firstModeState, getLabelSource, readChainEpisode } from "./attribution/mode-labels.js";
export type { PlugInEstimate, PlugInOptions } from "./attribution/plug-in-bootstrap.js";
export { drawTaskWeights, estimatePlugIn } from "./attribution/plug-in-bootstrap.js";
export type { PlugInCells } from "./attribution/plug-in.js";
export { computeCells, thinCell, toModeChain, weighCounts } from "./attribution/plug-in.js";
export type { RestartDepth } from "./attribution/restart-depth.js";
export { findRestartDepth, findRestartRows } from "./attribution/restart-depth.js";
export type { AttributionCell, AttributionPart, ShapleySplit } from "./attribution/shapley.js";
export { attributionCells, attributionParts, splitGap } from "./attribution/shapley.js";
