export type {
  BatchAdvantageOptions,
  BatchAdvantages,
  GroupSummary,
  GroupedEpisode,
} from "./advantages/batch-advantages.js";
export { batchAdvantages, budgetGroupKey } from "./advantages/batch-advantages.js";
export type { GroupAdvantage, GroupAdvantages } from "./advantages/group-advantages.js";
export { groupAdvantages } from "./advantages/group-advantages.js";
export type { BudgetShare, WeighedSequence } from "./aggregation/budget-shares.js";
export { measureBudgetShares, weighSequence } from "./aggregation/budget-shares.js";
export type { Aggregation, WeighRowsOptions } from "./aggregation/weigh-rows.js";
export { weighRows } from "./aggregation/weigh-rows.js";
export type { BudgetAudit, BudgetAuditOptions, BudgetCheck } from "./budgetmix/audit/audit-budget-mix.js";
export { auditBudgetMix } from "./budgetmix/audit/audit-budget-mix.js";
export type { AuditedBudget } from "./budgetmix/audit/audit-shares.js";
export { measureAuditShares, weighsTokens } from "./budgetmix/audit/audit-shares.js";
export { budgetResponseRule } from "./budgetmix/audit/budget-response.js";
export type { BudgetEvidence, BudgetRule } from "./budgetmix/audit/budget-rule.js";
export { budgetRules } from "./budgetmix/audit/budget-rules.js";
export type { AuditedAggregation, BudgetAuditSettings, BudgetSubject } from "./budgetmix/audit/budget-subject.js";
export { createBudgetSubject } from "./budgetmix/audit/budget-subject.js";
export { evaluationTaskRule } from "./budgetmix/audit/evaluation-task.js";
export { expectedFlatShare, flatGroupsRule } from "./budgetmix/audit/flat-groups.js";
export { oneBudgetPerGroupRule } from "./budgetmix/audit/one-budget-per-group.js";
export { planConformityRule } from "./budgetmix/audit/plan-conformity.js";
export { seedReuseRule } from "./budgetmix/audit/seed-reuse.js";
export { taskBudgetIndependenceRule } from "./budgetmix/audit/task-budget-independence.js";
export { tokenShareRule } from "./budgetmix/audit/token-share.js";
export { toldBudgetRule } from "./budgetmix/audit/told-budget.js";
export { truncatedRewardRule } from "./budgetmix/audit/truncated-reward.js";
export { turnsWithinBudgetRule } from "./budgetmix/audit/turns-within-budget.js";
export type { BudgetMix, BudgetWeight, MixPart } from "./budgetmix/budget-mix.js";
export {
  describeBudgetMix,
  getBudgetShares,
  listMixBudgets,
  publishedCurricula,
  toMixJson,
} from "./budgetmix/budget-mix.js";
export type { BudgetPlanOptions } from "./budgetmix/plan-budget-mix.js";
export { budgetPlanSchema, hashBudgetPlan, planBudgetMix } from "./budgetmix/plan-budget-mix.js";
export { checkMixCap, readBudgetMix } from "./budgetmix/read-budget-mix.js";
export { readBudgetPlan } from "./budgetmix/read-budget-plan.js";
export type { BudgetPlanSummary, PlannedBudget } from "./budgetmix/summarize-plan.js";
export { summarizeBudgetPlan } from "./budgetmix/summarize-plan.js";
export { toBudgetRollout } from "./budgetmix/to-budget-rollout.js";
export type { ChoiceValue, ParameterGrammar, ParameterRule, ToolGrammar } from "./codec/action-grammar.js";
export type { CodecEpisode, TextParameterStyle } from "./codec/codec-episode.js";
export type { GatherOptions } from "./codec/gather-episodes.js";
export { gatherCodecEpisodes } from "./codec/gather-episodes.js";
export { checkCodecHash, readWordCodec } from "./codec/read-word-codec.js";
export type { TextRewrite } from "./codec/text-rewrites.js";
export { createTextRewriter, getTextRewrites, lookupRewrites, vaultRewrites } from "./codec/text-rewrites.js";
export type { WordCodec, WordCodecData, WordCodecOptions } from "./codec/word-codec.js";
export { createWordCodec, openWordCodec, wordCodecSchema } from "./codec/word-codec.js";
export type {
  DemonstrationFilter,
  DemonstrationOptions,
  DemonstrationSetting,
  Demonstrations,
} from "./demonstrations.js";
export { encodeDemonstration, playDemonstrations } from "./demonstrations.js";
export type { RecordedSequence } from "./episode-stream.js";
export { EpisodeStream, getTurnSeed } from "./episode-stream.js";
export type { LeakedCanary } from "./filters/duplicates.js";
export { distinctRolloutShare, findLeakedCanaries, findRepeats } from "./filters/duplicates.js";
export type { MixedGroupCounts, MixedGroupOptions, MixedGroupResult, OutcomeGroup } from "./filters/mixed-groups.js";
export { sampleMixedGroups } from "./filters/mixed-groups.js";
export type { VarianceFilterResult } from "./filters/variance-filter.js";
export { filterByVariance } from "./filters/variance-filter.js";
export type { ReplayCandidate, ReplayFilterOptions, ReplayedTurn } from "./filters/webrl-filters.js";
export { curriculumFilter, replayFilter } from "./filters/webrl-filters.js";
export type { AdaptiveKlSettings } from "./kl/adaptive-kl.js";
export { AdaptiveKl, decayPriorWeight } from "./kl/adaptive-kl.js";
export type { KlEstimator, KlGradient, KlTerm } from "./kl/kl-estimators.js";
export { estimateKl, klEstimators, nameKlGradient } from "./kl/kl-estimators.js";
export type { KlPenalised, RewardKl } from "./kl/reward-kl.js";
export { penaliseRewards } from "./kl/reward-kl.js";
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
export type { StaleToken } from "./losses/stale-log-probs.js";
export { findStaleLogProbs } from "./losses/stale-log-probs.js";
export type { ValueClip, ValueLoss } from "./losses/value-loss.js";
export { valueLoss } from "./losses/value-loss.js";
export type { WebrlLoss, WebrlTurn } from "./losses/webrl-loss.js";
export { estimateWebrlAdvantage, webrlLoss } from "./losses/webrl-loss.js";
export { assertObjective, checkObjective } from "./objective/check-objective.js";
export type { GaeAdvantage, GroupedAdvantage, Objective } from "./objective/objective-spec.js";
export { describeLoss, findRewardKl } from "./objective/objective-spec.js";
export { pickDemonstrations, toSftRows } from "./pick-demonstrations.js";
export type { GroupSetting, PlayedEpisode, PlayedGroup, SamplingPolicy } from "./play-groups.js";
export { checkPlannedEnv, playGroups } from "./play-groups.js";
export type { DpoLoss, PreferencePair, PreferredTokens } from "./preferences/dpo-loss.js";
export { dpoLoss } from "./preferences/dpo-loss.js";
export type { SelfRewardPair } from "./preferences/self-reward.js";
export { parseRubric, selfRewardPairs } from "./preferences/self-reward.js";
export type { ActionPair, SearchWorld, SearchedAction, TreeSearchSettings } from "./preferences/tree-search.js";
export { searchPairs, upperConfidence } from "./preferences/tree-search.js";
export type { AlgorithmName } from "./recipe/algorithms.js";
export { algorithmNames, createAlgorithm, getObjective } from "./recipe/algorithms.js";
export type { TrainRecipeInput } from "./recipe/read-recipe.js";
export { checkRecipe, defineRecipe, readRecipe } from "./recipe/read-recipe.js";
export type {
  AdvantageRecipe,
  AlgorithmRecipe,
  BudgetRecipe,
  EnvRecipe,
  EvaluationRecipe,
  LengthRecipe,
  NetworkRecipe,
  PlainShaping,
  PotentialShaping,
  RewardRecipe,
  ScheduleRecipe,
  ShapingRecipe,
  StopRecipe,
  TrainRecipe,
  WarmStartRecipe,
} from "./recipe/recipe.js";
export { recipeSchema } from "./recipe/recipe.js";
export { checkUnitRange, discountRewards } from "./returns/discounted-returns.js";
export type { BilevelGaeSettings, GaeSettings, TokenAdvantages } from "./returns/gae.js";
export { bilevelGae, estimateAdvantages, tokenGae, turnGae } from "./returns/gae.js";
export type { TokenTurns } from "./returns/token-rewards.js";
export { findMisplacedRewards, findTurnEnds, placeRewards } from "./returns/token-rewards.js";
export type { Whitening } from "./returns/whiten.js";
export { whitenAdvantages } from "./returns/whiten.js";
export type { DataFlowEdge, SyntaxNode } from "./rewards/code-match.js";
export { astMatch, dataflowMatch, ppocoderReward } from "./rewards/code-match.js";
export type { UnitTestOutcome } from "./rewards/coderl-reward.js";
export { criticWeightedReturn, unitTestOutcomes, unitTestReward } from "./rewards/coderl-reward.js";
export type { OverlongSettings } from "./rewards/overlong-penalty.js";
export { overlongPenalty } from "./rewards/overlong-penalty.js";
export type { ResearchReward } from "./rewards/research-reward.js";
export { answerF1, findBoxed, researchReward } from "./rewards/research-reward.js";
export type { EditStep, MatcherOptions, MatchingBlock } from "./rewards/sequence-matcher.js";
export { listEditSteps, matchSequences, similarityRatio } from "./rewards/sequence-matcher.js";
export type { FileContents, SweRlReward } from "./rewards/swe-rl-reward.js";
export { compareChanges, sweRlReward } from "./rewards/swe-rl-reward.js";
export type { ReferenceCall, ToolReference, ToolReward } from "./rewards/toolrl-reward.js";
export { toolrlReward } from "./rewards/toolrl-reward.js";
export { unifiedDiff } from "./rewards/unified-diff.js";
export type { PotentialShapingOptions } from "./shaping/potential-shaping.js";
export { addProcessSignal, shapeByPotential } from "./shaping/potential-shaping.js";
export type { SignalDivergenceAlert, SignalOutcome, SignalOutcomeLogOptions } from "./shaping/signal-outcome-log.js";
export { SignalOutcomeLog } from "./shaping/signal-outcome-log.js";
export type { AgentStep, CapabilityProgress, DialogueMessage, NegativeExample } from "./supervised/agent-flan.js";
export {
  balanceByCapability,
  hallucinationRate,
  makeNegatives,
  parseReact,
  toDialogue,
} from "./supervised/agent-flan.js";
export type { InverseDynamics, LabelledStep, PseudoLabels } from "./supervised/inverse-dynamics.js";
export { cloneBehaviour, fitInverseDynamics, pseudoLabel } from "./supervised/inverse-dynamics.js";
export type { LossMaskOptions } from "./supervised/loss-mask.js";
export { makeLossMask, readLogProbs, toPredictorMask } from "./supervised/loss-mask.js";
export type { AgentMixSettings, DataCard, DataCardRow, MixedExample } from "./supervised/mix-agent-sft.js";
export { mixAgentSft, summariseData } from "./supervised/mix-agent-sft.js";
export type { ReftOutcome, ReftSchedule } from "./supervised/reft.js";
export { getReftPhase, reftReward } from "./supervised/reft.js";
export type { WebAction, WebMoment, WebRecord } from "./supervised/web-record.js";
export { buildWebRecords, countPatches, parseWebAction, renderWebAction } from "./supervised/web-record.js";
export type { ActionRange } from "./systems/action-tokens.js";
export { decodeActionToken, normaliseAction, tokeniseAction } from "./systems/action-tokens.js";
export type { CameraBins } from "./systems/camera-bins.js";
export { getCameraBinCentre, quantiseCamera, roundHalfEven, vptCamera } from "./systems/camera-bins.js";
export type { HindsightSettings, HindsightStrategy, RelabelledStep } from "./systems/hindsight.js";
export { hindsightRelabel } from "./systems/hindsight.js";
export type { RolloutLoad, StalenessResult, StalenessSimulation } from "./systems/staleness.js";
export { getRolloutCapacity, simulateStaleness } from "./systems/staleness.js";
export type { TokenSampleSource, TokenTruth } from "./token-truth.js";
export { findTokenFault, joinTurnTokens, toTokenSample } from "./token-truth.js";
export type {
  TrainingEvent,
  TrainingHooks,
  TrainingOutcome,
  TrainingPhase,
  TrainingSetting,
  TrainingState,
} from "./train-policy.js";
export { initialTrainingState, trainPolicy } from "./train-policy.js";
export type { LearnableBatch, LearnableEpisode, UnweighedRow } from "./update/build-rows.js";
export { buildRows, selectLearnable } from "./update/build-rows.js";
export type { CollapseCounts, CollapseSign } from "./update/collapse.js";
export { countCollapse, findCollapse, noCollapse } from "./update/collapse.js";
export type { GroupComparison } from "./update/compare-groups.js";
export { compareGroups } from "./update/compare-groups.js";
export type { GroupMeasures } from "./update/measure-groups.js";
export { measureGroups } from "./update/measure-groups.js";
export { recordReturns, rewardGroup } from "./update/reward-group.js";
export type { UpdateOptions, UpdateReport } from "./update/run-update.js";
export { runUpdate } from "./update/run-update.js";
export { getLearningRate } from "./update/schedule.js";
export type { RewardContext, TurnRewards } from "./update/turn-rewards.js";
export { getTurnRewards } from "./update/turn-rewards.js";
