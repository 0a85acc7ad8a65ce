export type { Analysis, AnalysisOptions, EpisodeSource } from "./analyze.js";
export { analyze, readSource } from "./analyze.js";
export type { AttributeByPlayingOptions } from "./attribute-by-playing.js";
export { attributeByPlaying } from "./attribute-by-playing.js";
export type { AttributeRunsOptions, AttributionSettings } from "./attribute.js";
export { attributeRuns, toAttributionOptions } from "./attribute.js";
export type { AuditTextOptions } from "./audit-text.js";
export { renderAuditText } from "./audit-text.js";
export type { AuditFormat, AuditLogOptions, AuditMaskOptions, RuleDescription } from "./audit.js";
export {
  auditLogFiles,
  auditMaskFiles,
  listAuditFormats,
  listAuditRules,
  listCommonMetrics,
  renderSarif,
} from "./audit.js";
export type { ChatPolicyFile, ChatSettings } from "./chat-settings.js";
export { chatPolicyFileSchema, parseSettings, priceTableSchema, readChatSettings } from "./chat-settings.js";
export type { CompareRunsOptions } from "./compare.js";
export { compareRuns, openSource, reportRuns } from "./compare.js";
export type { DemoOptions, DemoResult } from "./demo.js";
export { runDemo } from "./demo.js";
export type { DoctorCheck, DoctorOptions, DoctorReport } from "./doctor.js";
export { runDoctor } from "./doctor.js";
export type {
  EvalBudgetOptions,
  EvalBudgetResult,
  PlanToPlay,
  PlayOptions,
  PlayedRun,
  PolicyExpansion,
} from "./eval-budget.js";
export { evalBudget, playPlan, playRun, resolvePlayers, warnMissing } from "./eval-budget.js";
export type { EvalRecoveryOptions, EvalRecoveryResult } from "./eval-recovery.js";
export { evalRecovery } from "./eval-recovery.js";
export type { EvalStepOptions, EvalStepResult } from "./eval-step.js";
export { evalStep } from "./eval-step.js";
export type { ExportResult } from "./export-run.js";
export { exportRun } from "./export-run.js";
export type { FileSourceOptions } from "./file-source.js";
export { createFileSource } from "./file-source.js";
export type { FormatDescription, ImportProblem, ImportRunsOptions, ImportRunsResult } from "./import-runs.js";
export { importRuns, listFormats } from "./import-runs.js";
export { isModulePath, loadExport } from "./load-module.js";
export type { DynamicsRunsOptions } from "./measure-dynamics.js";
export { dynamicsRuns, findUpdateIndex } from "./measure-dynamics.js";
export type { LikelihoodRunsOptions } from "./measure-likelihood.js";
export { likelihoodRuns } from "./measure-likelihood.js";
export type { SignalRunsOptions } from "./measure-signals.js";
export { loadSignals, signalRuns } from "./measure-signals.js";
export type { MergeResult } from "./merge-shards.js";
export { mergeShards } from "./merge-shards.js";
export { getPackageVersion } from "./package-version.js";
export type { PlayedPoolRun, PoolPlayOptions } from "./play-pool.js";
export { playPool, toFigureOptions } from "./play-pool.js";
export type { PoolErrorsOptions, PoolErrorsResult } from "./pool-errors.js";
export { poolErrors } from "./pool-errors.js";
export { readTaskFile } from "./read-task-file.js";
export type { SummaryOptions } from "./report-summary.js";
export { renderReportSummary } from "./report-summary.js";
export { builtInEnvNames, resolveEnv } from "./resolve-env.js";
export { resolveGrader } from "./resolve-grader.js";
export type { PolicyContext } from "./resolve-policy.js";
export { resolvePolicies, resolvePolicy, splitLabel } from "./resolve-policy.js";
export type { ResolvedScorer } from "./resolve-scorer.js";
export { loadRendering, resolveScorer } from "./resolve-scorer.js";
export type { RunEvents, RunProgress, RunStop } from "./run-events.js";
export { createRunSource, isFolder, splitSelector } from "./run-source.js";
export type { OpenedRun } from "./run-tasks.js";
export { openRun } from "./run-tasks.js";
export type { ReportText, WrittenReport } from "./write-report.js";
export { createReport, writeReport, writeWhole } from "./write-report.js";
