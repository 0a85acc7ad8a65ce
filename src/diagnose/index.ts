export { attributeHybrids } from "./attribution/attribute-hybrids.js";
export type { AttributeLogsOptions } from "./attribution/attribute-logs.js";
export { attributeLogs } from "./attribution/attribute-logs.js";
export type { CellsAtBudget, RowOptions } from "./attribution/attribution-rows.js";
export { getGapShares, makeAttributionRows } from "./attribution/attribution-rows.js";
export { measureBudgetResponse } from "./attribution/budget-response.js";
export type { ChainData, ChainTask } from "./attribution/chain-data.js";
export { countChainData, pooledStride, readWrongAsQuit } from "./attribution/chain-data.js";
export type { ChainDesign, ChainSide, ChainSideOptions, SideTask } from "./attribution/chain-side.js";
export { collectChainSide, designChains } from "./attribution/chain-side.js";
export { measureForcedArms } from "./attribution/forced-arms.js";
export type { HybridEstimate, HybridOutcomes } from "./attribution/hybrid-cells.js";
export { estimateHybridCells } from "./attribution/hybrid-cells.js";
export type { HybridPolicyOptions } from "./attribution/hybrid-policy.js";
export { createForcedContinuePolicy, createForcedStopPolicy, createHybridPolicy } from "./attribution/hybrid-policy.js";
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
export { advanceMode, firstModeState, getLabelSource, readChainEpisode, tellsMode } from "./attribution/mode-labels.js";
export type { ForcedArms, PlayedCells, TaskFamilies, TaskMeanOptions } from "./attribution/played-cells.js";
export {
  estimateTaskMean,
  estimateTaskMeans,
  findLimit,
  listSharedTasks,
  numberFamilies,
  solvedShare,
  tabulate,
} from "./attribution/played-cells.js";
export type { PlugInEstimate, PlugInOptions } from "./attribution/plug-in-bootstrap.js";
export { drawTaskWeights, estimatePlugIn } from "./attribution/plug-in-bootstrap.js";
export type { PlugInCells } from "./attribution/plug-in.js";
export { computeCells, countSupport, thinCell, toModeChain, weighCounts } from "./attribution/plug-in.js";
export type { RestartDepth } from "./attribution/restart-depth.js";
export { findRestartDepth, findRestartRows } from "./attribution/restart-depth.js";
export type { AttributionCell, AttributionPart, ShapleySplit } from "./attribution/shapley.js";
export { attributionCells, attributionParts, splitGap } from "./attribution/shapley.js";
export type { RuleEntry } from "./audit/render-rules.js";
export { renderRuleReference } from "./audit/render-rules.js";
export type { AuditOptions, RuleRun } from "./audit/run-rules.js";
export { startRuleRun } from "./audit/run-rules.js";
export { auditLogs } from "./audit-log/audit-logs.js";
export { clippedResponsesRule } from "./audit-log/clipped-responses.js";
export { entropyCollapseRule } from "./audit-log/entropy-collapse.js";
export { flatGroupsRule } from "./audit-log/flat-groups.js";
export { gradientSpikeRule } from "./audit-log/gradient-spike.js";
export { groupSizeRule } from "./audit-log/group-size.js";
export { identicalRolloutsRule } from "./audit-log/identical-rollouts.js";
export { klBlowUpRule } from "./audit-log/kl-blow-up.js";
export { learningRateEndRule } from "./audit-log/learning-rate-end.js";
export { lengthDriftRule } from "./audit-log/length-drift.js";
export { logRules } from "./audit-log/log-rules.js";
export { loopsRule } from "./audit-log/loops.js";
export { noLearningSignalRule } from "./audit-log/no-learning-signal.js";
export { nonFiniteValueRule } from "./audit-log/non-finite-value.js";
export { repeatedUpdatesRule } from "./audit-log/repeated-updates.js";
export { rewardCollapseRule } from "./audit-log/reward-collapse.js";
export { rewardWithoutSuccessRule } from "./audit-log/reward-without-success.js";
export { addedEndTrainedRule } from "./audit-mask/added-end-trained.js";
export type { MaskFile } from "./audit-mask/audit-masks.js";
export { auditMasks } from "./audit-mask/audit-masks.js";
export { endTokenMaskedRule } from "./audit-mask/end-token-masked.js";
export { foreignTurnTrainedRule } from "./audit-mask/foreign-turn-trained.js";
export { impossibleLogProbRule } from "./audit-mask/impossible-log-prob.js";
export { lossDenominatorRule } from "./audit-mask/loss-denominator.js";
export { formRules, maskRules } from "./audit-mask/mask-rules.js";
export { maskShiftRule } from "./audit-mask/mask-shift.js";
export { nothingTrainedRule } from "./audit-mask/nothing-trained.js";
export { observationTrainedRule } from "./audit-mask/observation-trained.js";
export { paddingTrainedRule } from "./audit-mask/padding-trained.js";
export { prefixBrokenRule } from "./audit-mask/prefix-broken.js";
export { promptTrainedRule } from "./audit-mask/prompt-trained.js";
export type { ExcerptOptions } from "./audit-mask/render-excerpt.js";
export { renderExcerpt } from "./audit-mask/render-excerpt.js";
export { retokenisedRule } from "./audit-mask/retokenised.js";
export { spansLeftOutRule } from "./audit-mask/spans-left-out.js";
export { targetShiftRule } from "./audit-mask/target-shift.js";
export { templateTrainedRule } from "./audit-mask/template-trained.js";
export { unequalLengthsRule } from "./audit-mask/unequal-lengths.js";
export { unusableFieldRule } from "./audit-mask/unusable-field.js";
export type { CheckpointEpisode, CheckpointEpisodes, EpisodeSums } from "./dynamics/checkpoint-episodes.js";
export { chainEvent, collectCheckpoint, succeedsWithin } from "./dynamics/checkpoint-episodes.js";
export type { FlagThresholds } from "./dynamics/health-flags.js";
export { findDynamicsFlags, listDynamicsRules } from "./dynamics/health-flags.js";
export type { MeasureDynamicsOptions } from "./dynamics/measure-dynamics.js";
export { measureDynamics } from "./dynamics/measure-dynamics.js";
export type { SelectionData, SelectionOptions } from "./dynamics/select-checkpoint.js";
export { selectCheckpoints } from "./dynamics/select-checkpoint.js";
export type { MeasureLikelihoodOptions } from "./likelihood/measure-likelihood.js";
export { measureLikelihood } from "./likelihood/measure-likelihood.js";
export type { TokenPart } from "./likelihood/segments.js";
export { labelTurns, splitTurn } from "./likelihood/segments.js";
export type { RenderTurn, RenderedTurn, TurnScore, TurnScorer } from "./likelihood/turn-scorer.js";
export { createLogRatioSignal, createStoredScorer, createTurnScorer } from "./likelihood/turn-scorer.js";
export { brierScore, equalMassEce } from "./signals/calibration.js";
export type { LogisticModel, LogisticOptions } from "./signals/logistic.js";
export { fitLogistic, predictLogistic } from "./signals/logistic.js";
export type { MeasureSignalsOptions } from "./signals/measure-signals.js";
export { measureSignals } from "./signals/measure-signals.js";
export type { ProcessSignal, SignalContext, SignalFunction } from "./signals/process-signals.js";
export {
  createBuiltInSignals,
  createSelfReportSignal,
  defineSignal,
  entropySignal,
  getActionKey,
  invalidSignal,
  isInvalidTurn,
  oracleDistanceSignal,
  oracleProgressSignal,
  regretSignal,
  repeatedActionSignal,
  toolErrorSignal,
} from "./signals/process-signals.js";
export { auprc, auroc } from "./signals/ranking-metrics.js";
export type { DivergenceOptions, SignalReturn } from "./signals/reward-divergence.js";
export { expectBestOf, measureDivergence } from "./signals/reward-divergence.js";
export type { ShapingEpisode, ShapingOptions } from "./signals/shaping.js";
export { checkShaping } from "./signals/shaping.js";
