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
export type { CitationSettings, FoundBibliography } from "./bibliography.js";
export { findBibliography, openRegistry, readBibliography, readCitationSettings } from "./bibliography.js";
export type {
  AuditedRollouts,
  BudgetCheckDescription,
  BudgetmixAuditOptions,
  BudgetmixAuditResult,
} from "./budgetmix-audit.js";
export { budgetmixAudit, listBudgetChecks } from "./budgetmix-audit.js";
export type { BudgetPlanExport, BudgetmixPlanOptions, BudgetmixPlanResult } from "./budgetmix-plan.js";
export { budgetPlanExports, budgetmixPlan } from "./budgetmix-plan.js";
export { renderBudgetAuditText, renderBudgetPlanText } from "./budgetmix-text.js";
export type { ChatPolicyFile, ChatSettings } from "./chat-settings.js";
export { chatPolicyFileSchema, parseSettings, priceTableSchema, readChatSettings } from "./chat-settings.js";
export { checkAnswered } from "./check-answered.js";
export { renderCitesText, renderContextText, renderImportedText, renderResolvedText } from "./cites-text.js";
export type { FoundLedger } from "./claims-evidence.js";
export { checkReportRuns, findLedger, gatherEvidence, openEvidence } from "./claims-evidence.js";
export { renderBindText, renderClaimList, renderClaimsText, renderFindingLines } from "./claims-text.js";
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
export type { CheckpointEvaluation, CheckpointToEvaluate } from "./evaluate-checkpoint.js";
export { evaluateCheckpoint, readEvaluation } from "./evaluate-checkpoint.js";
export { exampleRecipe } from "./example-recipe.js";
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
export { parseBudgetMix } from "./parse-budget-mix.js";
export type { PlayedPoolRun, PoolPlayOptions } from "./play-pool.js";
export { playPool, toFigureOptions } from "./play-pool.js";
export type { PoolErrorsOptions, PoolErrorsResult } from "./pool-errors.js";
export { poolErrors } from "./pool-errors.js";
export type { FinishedStage, PublishAllOptions, PublishAllResult, PublishedDocument } from "./publish-all.js";
export { publishAll, renderPublishText } from "./publish-all.js";
export type {
  AuditedDocument,
  GateResult,
  GatedDocument,
  ImportedAudit,
  PublishAuditOptions,
  PublishGateOptions,
  PublishImportOptions,
} from "./publish-audit.js";
export { auditDocument, gateFiles, importAudits, listAuditedSources, verifyAudits } from "./publish-audit.js";
export type { CheckHtmlOptions, CheckedHtml, PageChecker } from "./publish-check-html.js";
export { checkDocumentPage, checkHtmlFiles, openPageChecker, renderCheckText } from "./publish-check-html.js";
export type {
  CheckedCitations,
  ImportedBibliography,
  PublishCitesOptions,
  ResolveCitesOptions,
  ResolvedBibliography,
} from "./publish-cites.js";
export { checkCitationFiles, importBibliographies, listContexts, resolveBibliography } from "./publish-cites.js";
export type { BoundClaims, CheckedClaims, PublishClaimsOptions } from "./publish-claims.js";
export { bindClaimFile, checkClaimFiles } from "./publish-claims.js";
export type { CheckedCode, PublishCodeOptions } from "./publish-code.js";
export { checkCodeFiles } from "./publish-code.js";
export type { PublishDraftOptions, WrittenDraft } from "./publish-draft.js";
export { draftDocument } from "./publish-draft.js";
export type { ExperimentStages } from "./publish-experiment.js";
export { writeExperimentStages } from "./publish-experiment.js";
export type { DocumentFlags } from "./publish-files.js";
export { publishFolder, readDocuments, readInput, readPublishConfig, writeStage } from "./publish-files.js";
export type { LintedDocument, PublishLintOptions } from "./publish-lint.js";
export {
  checkParityFiles,
  hashBanList,
  lintFiles,
  listUserNames,
  readBanList,
  readWaivers,
  renderLintSarif,
} from "./publish-lint.js";
export type { DocumentInventory, NewDocumentOptions } from "./publish-new.js";
export { createDocument, listInventories, renderInventoryText, renderSkeleton } from "./publish-new.js";
export type { WrittenPage } from "./publish-pages.js";
export { writePage, writeRecordPages } from "./publish-pages.js";
export type { ProbedDocument, PublishProbeOptions } from "./publish-probe.js";
export { probeFile } from "./publish-probe.js";
export type { BuildPageOptions, RenderedDocument } from "./publish-render.js";
export {
  buildDocumentPage,
  describePageVerdicts,
  listPageIds,
  renderFiles,
  writeDocumentPage,
} from "./publish-render.js";
export type { PublishResidueOptions, ResidueScan } from "./publish-residue.js";
export { scanResidueFiles } from "./publish-residue.js";
export type { ReviewedDocument } from "./publish-review.js";
export { reviewFile } from "./publish-review.js";
export type { SavedWorkspace, WorkspaceChange } from "./publish-save.js";
export { readContentInputs, saveWorkspace } from "./publish-save.js";
export type { PublishSiteOptions, WrittenSite } from "./publish-site.js";
export { writeSite } from "./publish-site.js";
export type { StageSurvey } from "./publish-survey.js";
export { surveyStages } from "./publish-survey.js";
export type { PublishTextOptions } from "./publish-text.js";
export { listLintRules, renderCodeText, renderLintText } from "./publish-text.js";
export type { TriageOptions, TriagedDocument } from "./publish-triage.js";
export { triageDocument } from "./publish-triage.js";
export type { AuditCommandOptions, PublishWorkspace } from "./publish-workspace.js";
export { listMissingInputs, openWorkspace } from "./publish-workspace.js";
export { readTaskFile } from "./read-task-file.js";
export type { SummaryOptions } from "./report-summary.js";
export { renderReportSummary } from "./report-summary.js";
export { builtInEnvNames, resolveEnv } from "./resolve-env.js";
export { resolveGrader } from "./resolve-grader.js";
export type { PolicyContext } from "./resolve-policy.js";
export { resolvePolicies, resolvePolicy, splitLabel } from "./resolve-policy.js";
export type { ResolvedScorer } from "./resolve-scorer.js";
export { loadRendering, resolveScorer } from "./resolve-scorer.js";
export type { ReviewBackendOptions } from "./review-backend.js";
export {
  archiveForms,
  createReviewChatClient,
  describeReviewer,
  locateProgram,
  openReviewBackend,
  splitCommandLine,
} from "./review-backend.js";
export type { PublishReviewOptions } from "./review-options.js";
export {
  renderAuditSarif,
  renderGateBlock,
  renderGateText,
  renderImportText,
  renderProbeText,
  renderResidueText,
  renderReviewText,
  renderTriageText,
  renderVerifyText,
} from "./review-text.js";
export type { RunEvents, RunProgress, RunStop } from "./run-events.js";
export { createRunSource, isFolder, splitSelector } from "./run-source.js";
export type { OpenedRun } from "./run-tasks.js";
export { openRun } from "./run-tasks.js";
export type { MetricLine, TrainingFolder } from "./train-folder.js";
export { openTrainingFolder, trainingSchema } from "./train-folder.js";
export type { ResolvedTraining } from "./train-setting.js";
export { describeTraining, planTraining, resolveTraining } from "./train-setting.js";
export type { TrainEvents, TrainOptions, TrainResult, TrainingProgress } from "./train.js";
export { nameCheckpoint, train } from "./train.js";
export { loadTrainedPolicy, shippedPolicyNames } from "./trained-policy.js";
export type { ReportText, WrittenReport } from "./write-report.js";
export { createReport, writeReport, writeWhole } from "./write-report.js";
