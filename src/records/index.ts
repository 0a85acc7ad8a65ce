export { exportOpenaiMessages, renderOpenaiRecord } from "./exporters/openai-messages.js";
export type { ScalarEvent } from "./exporters/tensorboard-events.js";
export { encodeEventFileHeader, encodeScalarEvent } from "./exporters/tensorboard-events.js";
export { harborImporter } from "./importers/harbor.js";
export { importFile } from "./importers/import-file.js";
export type { ImportRunOptions, ImportSummary } from "./importers/import-run.js";
export { importRun, listImportFiles } from "./importers/import-run.js";
export type { ImportItem, ImportOptions, ImportSource, ImportedFile, Importer } from "./importers/importer.js";
export { inspectImporter } from "./importers/inspect.js";
export { intercodeImporter } from "./importers/intercode.js";
export { mapImporter } from "./importers/map.js";
export { getContentText } from "./importers/message-content.js";
export type { MessageRole, TranslateMessagesOptions, TranslatedMessages } from "./importers/messages.js";
export { translateMessages } from "./importers/messages.js";
export { miniSweAgentImporter } from "./importers/mini-swe-agent.js";
export { openaiMessagesImporter } from "./importers/openai-messages.js";
export { otelImporter } from "./importers/otel.js";
export type { OutcomePolicy, OutcomeRow, OutcomeSource, OutcomeTable } from "./importers/outcomes.js";
export { createOutcomeTable, outcomeTableSchema, outcomesImporter } from "./importers/outcomes.js";
export { getImporter, importers, recognizeImporter } from "./importers/registry.js";
export { sweAgentImporter } from "./importers/swe-agent.js";
export { tauBenchImporter } from "./importers/tau-bench.js";
export { tau2Importer } from "./importers/tau2.js";
export { turnwiseImporter } from "./importers/turnwise.js";
export { verifiersImporter } from "./importers/verifiers.js";
export { assignMetrics } from "./logs/assign-metrics.js";
export type { LogFolder } from "./logs/log-folder.js";
export { readLogFolder } from "./logs/log-folder.js";
export type { LogReader } from "./logs/log-reader.js";
export { findCommonMetric, getNameRank } from "./logs/metric-names.js";
export { progressCsvReader } from "./logs/progress-csv.js";
export { checkLogFormat, joinDumps, logReaders, rateLog, readMetricLogs } from "./logs/read-metric-logs.js";
export type { RepetitionOptions } from "./logs/repetition.js";
export { isLoop, repeatedShare } from "./logs/repetition.js";
export { rolloutDumpReader } from "./logs/rollout-dump.js";
export { tensorboardReader } from "./logs/tensorboard.js";
export { trainerStateReader } from "./logs/trainer-state.js";
export { trlConsoleReader } from "./logs/trl-console.js";
export { verlConsoleReader } from "./logs/verl-console.js";
export { verlFileReader } from "./logs/verl-file.js";
export { wandbChartReader } from "./logs/wandb-csv.js";
export { historyReader } from "./logs/wandb-history.js";
export { readPool, writePool } from "./pool/pool-folder.js";
export type { ImportProblem, JsonDocument, JsonItem, JsonLine, JsonRecordLine } from "./reading/jsonl.js";
export { readJsonDocument, readJsonItems, readJsonLines, readJsonRecords } from "./reading/jsonl.js";
export { isCutShort, openImportSource, refuseUnusable } from "./reading/source.js";
export type { TolerantJson } from "./reading/tolerant-json.js";
export { parseTolerantJson, parseTornArray } from "./reading/tolerant-json.js";
export type { BudgetRolloutFile } from "./rollouts/read-budget-rollouts.js";
export { readBudgetRollouts, rolloutFormats } from "./rollouts/read-budget-rollouts.js";
export type { TokenSampleFile, TokenSampleOptions } from "./samples/read-token-samples.js";
export { readTokenSamples, tokenSampleReaders } from "./samples/read-token-samples.js";
export type { TokenSampleReader } from "./samples/sample-reader.js";
export { tinkerSampleReader } from "./samples/tinker-samples.js";
export type { TokenTexts } from "./samples/tokenizer.js";
export { readTokenizer } from "./samples/tokenizer.js";
export { trlSampleReader } from "./samples/trl-samples.js";
export { turnwiseSampleReader } from "./samples/turnwise-samples.js";
export { verifiersSampleReader } from "./samples/verifiers-samples.js";
export { verlSampleReader } from "./samples/verl-samples.js";
export { createTrajectoryJsonSchema, explainRecord, isTrajectory } from "./schema/validate.js";
export type { EpisodeRow, EpisodeSetting } from "./store/episode-row.js";
export type { FolderLock } from "./store/lock.js";
export { lockFolder } from "./store/lock.js";
export { makeFolder } from "./store/make-folder.js";
export type {
  ConfigDifference,
  RunManifest,
  RunManifestFields,
  RunPolicy,
  RunShard,
  RunSource,
  RunSuite,
} from "./store/manifest.js";
export {
  createRunManifest,
  diffConfigs,
  findRunManifest,
  getRunIdentity,
  renderConfigDifferences,
  runSchema,
  writeRunManifest,
} from "./store/manifest.js";
export type { MergeConflict, MergeSummary } from "./store/merge.js";
export { mergeRuns } from "./store/merge.js";
export type { RunProblem } from "./store/run-problem.js";
export type { RunReader } from "./store/run-reader.js";
export { readRun } from "./store/run-reader.js";
export type { RunStore, RunStoreOptions } from "./store/run-store.js";
export { createRunStore, openRunStore } from "./store/run-store.js";
export { isInShard } from "./store/shard.js";
