export type { ActionTally } from "./action-space.js";
export { checkActionSpaces, createActionTally, tallyActions } from "./action-space.js";
export type { Action, Observation, ToolCall, ToolResult, ToolSpec } from "./action.js";
export { isQuit } from "./action.js";
export type { BudgetNotice } from "./budget-notice.js";
export { findBudgetNotices } from "./budget-notice.js";
export type { BudgetPlan, BudgetPlanRow } from "./budget-plan.js";
export type { BudgetRollout, RolloutEnd, ToldBudget } from "./budget-rollout.js";
export type { Budget, BudgetStop, Disclosure, TerminalRule, Usage } from "./budget.js";
export { disclosures, emptyUsage, findBudgetStop, mostBudgetTurns, renderDisclosure, terminalRules } from "./budget.js";
export type { Claim, ClaimDisplay, ClaimInput, ClaimKind } from "./claim.js";
export type { ContractCheck } from "./contracts/contract.js";
export type { EnvContractOptions } from "./contracts/env-contract.js";
export { envContractChecks } from "./contracts/env-contract.js";
export type { PolicyContractOptions } from "./contracts/policy-contract.js";
export { policyContractChecks } from "./contracts/policy-contract.js";
export type { CsvRecord } from "./csv.js";
export { parseCsv } from "./csv.js";
export type { ClosingRule, Env, EnvSession, Oracle, StepOutcome, StepResult, TextSurface } from "./env.js";
export type { EpisodeStore } from "./episode-store.js";
export type { FaultKind } from "./errors.js";
export { TurnwiseError, errorMessage, inputError, usageError } from "./errors.js";
export { leastVerdictUnits, warnFewTasks, warnFewVerdictTasks } from "./few-tasks.js";
export type { Finding, Severity } from "./finding.js";
export { freezeDeep } from "./freeze-deep.js";
export { isDeeperThan, maxArgumentDepth, maxRecordDepth } from "./json-depth.js";
export type { JsonObject, JsonValue, NumberTag, RecordedNumber } from "./json.js";
export { canonicalJson, isJsonObject, tagNumber, untagNumber } from "./json.js";
export type { CommonMetric, MetricColumn, MetricLog, MetricLogProblem, MetricRow } from "./metric-log.js";
export { commonMetrics, createMetricLog } from "./metric-log.js";
export type { Outcome } from "./outcomes.js";
export { enumerateOutcomes } from "./outcomes.js";
export type { BatchAnswers, BoundOracle, Policy, PolicyRequest, PolicyResult } from "./policy.js";
export { PolicyError } from "./policy.js";
export type { PureEnvConfig, PureStep } from "./pure-env.js";
export { pureEnv, readPureState } from "./pure-env.js";
export type { Random } from "./random.js";
export { createLazyRandom, createRandom } from "./random.js";
export type {
  AdaptationEffect,
  BudgetDenominator,
  CellMark,
  ComparisonResult,
  Denominator,
  DifferenceCell,
  DiscordanceRow,
  Estimate,
  ExchangeRow,
  IncidenceRow,
  Interval,
  IntervalMethod,
  IsoContour,
  PolicySurface,
  StopShares,
  SurfaceCell,
  TaskDifference,
  Verdict,
} from "./result.js";
export type {
  AttributedShare,
  AttributionEstimator,
  AttributionResult,
  AttributionRow,
  BudgetResponse,
  ForcedArmRow,
  GapShares,
  HybridCost,
  HybridSelfCheck,
  MarkovCheck,
  RestartRow,
} from "./results/attribution.js";
export type {
  AuditResult,
  AuditedFile,
  AuditedRule,
  ExcerptToken,
  RefusedFile,
  TokenExcerpt,
} from "./results/audit.js";
export type {
  DynamicsCell,
  DynamicsCheckpoint,
  DynamicsFlag,
  DynamicsFlagName,
  DynamicsMeasure,
  DynamicsResult,
  DynamicsSelection,
  DynamicsValue,
} from "./results/dynamics.js";
export { dynamicsMeasures } from "./results/dynamics.js";
export type {
  ErrorEvidence,
  ErrorLabel,
  ErrorPool,
  ErrorPrefix,
  PoolCard,
  PoolCardContent,
  PoolContinuation,
  PoolEntryBase,
  PoolExclusions,
  PoolJudge,
  PoolOrigin,
  PoolProducer,
  PoolRules,
  PoolState,
  VisitedState,
} from "./results/error-pool.js";
export {
  errorLabels,
  getSlackStratum,
  hashPool,
  hashPoolCard,
  hashPoolEntries,
  poolSchema,
  renderPoolEntries,
  sealPoolCard,
  slackStrata,
} from "./results/error-pool.js";
export type {
  LikelihoodGroup,
  LikelihoodResult,
  LikelihoodRow,
  LikelihoodSegment,
  LogRatioAgreement,
  LogRatioRow,
  UnscoredTurns,
} from "./results/likelihood.js";
export { likelihoodSegments } from "./results/likelihood.js";
export type {
  ContextEffect,
  ErrorDebtRow,
  ProducerMatrix,
  RecoveryBehaviour,
  RecoveryCell,
  RecoveryDifference,
  RecoveryResult,
  RecoveryStratum,
} from "./results/recovery.js";
export type {
  FittedSignal,
  ShapingCheck,
  SignalAlarm,
  SignalAssessment,
  SignalDivergence,
  SignalTarget,
  SignalWord,
  SignalsResult,
  TimedAuroc,
} from "./results/signals.js";
export { signalTargets } from "./results/signals.js";
export type {
  ErrorRateSplit,
  StepDifference,
  StepEvaluation,
  StepMeasure,
  StepRow,
} from "./results/step-evaluation.js";
export { stepMeasures } from "./results/step-evaluation.js";
export type { Rule, RuleExample, RuleFinding, RuleThreshold, RuleThresholds, ThresholdValues } from "./rule.js";
export type { SarifRule, SarifTool } from "./sarif.js";
export { toSarif } from "./sarif.js";
export type { Score, Scorer } from "./scorer.js";
export { hashJson, sha256 } from "./sha256.js";
export type { EnvEndKind, ErrorBoundary, StopLabel, StopReason } from "./stop-reason.js";
export { envEndKinds, getStopLabel, stopLabels } from "./stop-reason.js";
export { describeSystemError, getSystemCode } from "./system-error.js";
export type { Split, SuiteRequest, Task } from "./task.js";
export { createTask, getSplit } from "./task.js";
export type { ParsedText, TextGrammar } from "./text-action.js";
export { defaultTextGrammar, findTextAction, parseTextAction } from "./text-action.js";
export type { ScoredText, TextScore, TextScoreRequest, TextScorer } from "./text-scorer.js";
export type { CodecSession, DisclosedBudget, TokenCodec } from "./token-codec.js";
export type { SampledTurn, TokenRole, TokenSample, UnusableField } from "./token-sample.js";
export { createTokenSample } from "./token-sample.js";
export type {
  GenerationRequest,
  GenerationResult,
  KlPlacement,
  LossSpec,
  SequenceScore,
  Trainer,
  TrainingRow,
  TrainingSequence,
  UpdateMetrics,
} from "./trainer.js";
export type {
  ClosingAnswer,
  ContextMode,
  EpisodeKey,
  PrefixStart,
  Provenance,
  Trajectory,
  Turn,
  TurnFlags,
  TurnTiming,
  TurnTokens,
  TurnUsage,
} from "./trajectory.js";
export {
  contextModes,
  getEpisodeId,
  getEpisodeKey,
  isFlaggedError,
  isFlaggedInvalid,
  sumUsage,
  trajectorySchema,
} from "./trajectory.js";
export { writeCount } from "./write-count.js";
