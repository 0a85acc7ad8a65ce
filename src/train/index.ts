export type { BudgetShare, WeighedSequence } from "./aggregation/budget-shares.js";
export { measureBudgetShares, weighSequence } from "./aggregation/budget-shares.js";
export type { Aggregation, WeighRowsOptions } from "./aggregation/weigh-rows.js";
export { weighRows } from "./aggregation/weigh-rows.js";
export type {
  ChoiceValue,
  ParameterGrammar,
  ParameterKind,
  ParameterRule,
  ToolGrammar,
  ToolParameter,
} from "./codec/action-grammar.js";
export { countMaxActionTokens, getChoiceText, readToolParameters } from "./codec/action-grammar.js";
export type { TextRewrite } from "./codec/text-rewrites.js";
export {
  createTextRewriter,
  getTextRewrites,
  lookupRewrites,
  toRewriteJson,
  vaultRewrites,
} from "./codec/text-rewrites.js";
export type {
  DemonstrationFilter,
  DemonstrationOptions,
  DemonstrationSetting,
  Demonstrations,
} from "./demonstrations.js";
export { encodeDemonstration, playDemonstrations } from "./demonstrations.js";
export type { RecordedSequence } from "./episode-stream.js";
export { EpisodeStream, getTurnSeed } from "./episode-stream.js";
export type { KlEstimator, KlGradient, KlTerm } from "./kl/kl-estimators.js";
export { estimateKl, klEstimators, nameKlGradient } from "./kl/kl-estimators.js";
export { assertLossSpec, checkLossSpec } from "./losses/check-loss-spec.js";
export type { CispoBounds } from "./losses/cispo-loss.js";
export { cispoLoss } from "./losses/cispo-loss.js";
export type { ClipBounds, Surrogate } from "./losses/clipped-surrogate.js";
export { clipSurrogate } from "./losses/clipped-surrogate.js";
export type { LossDiagnostics, LossResult, RowGradients, RowOutputs } from "./losses/compute-loss.js";
export { computeLoss } from "./losses/compute-loss.js";
export type { StaleFilter, StaleFilterResult } from "./losses/decoupled-loss.js";
export { decoupledLoss, filterStaleTokens } from "./losses/decoupled-loss.js";
export { gspoLoss } from "./losses/gspo-loss.js";
export { ppoClipLoss } from "./losses/ppo-clip-loss.js";
export type { RowLoss } from "./losses/row-loss.js";
export { checkRowLengths, listTrained } from "./losses/row-loss.js";
export { sftLoss } from "./losses/sft-loss.js";
export type { ValueClip, ValueLoss } from "./losses/value-loss.js";
export { valueLoss } from "./losses/value-loss.js";
export type { GroupSetting, PlayedEpisode, PlayedGroup, SamplingPolicy } from "./play-groups.js";
export { playGroups } from "./play-groups.js";
