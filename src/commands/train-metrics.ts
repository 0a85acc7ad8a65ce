// internal
import type { UpdateMetrics } from "../core/index.js";
import type { TrainingEvent, TrainingState, TrainRecipe, UpdateReport } from "../train/index.js";

/** Returns the number of updates made so far, those of the warm start included: the step that metrics are logged at. */
export function countSteps(
  { phase, update }: Pick<TrainingState, "phase" | "update">,
  { warmStart }: Pick<TrainRecipe, "warmStart">,
): number {
  return phase === "warm_start" ? update : (warmStart?.updates ?? 0) + update;
}

function mean(steps: readonly UpdateMetrics[], read: (step: UpdateMetrics) => number): number {
  return steps.reduce((sum, step) => sum + read(step), 0) / steps.length;
}

/** Metrics by name. */
export interface Metrics {
  readonly [name: string]: number;
}

/** Metrics of which an update may not know all. */
interface MaybeMetrics {
  readonly [name: string]: number | undefined;
}

/** What the optimiser steps of an update did; empty when there was none. */
function getStepMetrics(steps: readonly UpdateMetrics[]): MaybeMetrics {
  if (steps.length === 0) return {};
  return {
    "actor/pg_loss": mean(steps, ({ loss }) => loss),
    "actor/grad_norm": mean(steps, ({ gradNorm }) => gradNorm),
    "actor/entropy": mean(steps, ({ entropy }) => entropy),
    "actor/ppo_kl": mean(steps, ({ updateKl }) => updateKl),
    "actor/clipped_share": mean(steps, ({ clippedShare }) => clippedShare),
    "actor/max_ratio_error_first_step": steps[0].maxRatioError,
  };
}

function getReportMetrics(report: UpdateReport): MaybeMetrics {
  const { measures, comparedGroups, flatGroups, referenceKl, budgetShares } = report;
  const byBudget = measures.successByBudget.map(({ maxTurns, rate }) => [`budget/T${maxTurns}/success`, rate] as const);
  const shares = budgetShares.flatMap(({ maxTurns, tokenShare, weightShare, pullShare }) => [
    [`budget/T${maxTurns}/token_share`, tokenShare] as const,
    [`budget/T${maxTurns}/weight_share`, weightShare] as const,
    [`budget/T${maxTurns}/gradient_share`, pullShare] as const,
  ]);
  return {
    reward: report.meanReturn,
    "train/success_rate": measures.successRate,
    "group/reward_std": report.groupStd,
    "group/flat_share": comparedGroups === 0 ? undefined : flatGroups / comparedGroups,
    "group/filtered": report.filteredGroups,
    "group/dropped": report.droppedGroups,
    "group/duplicate_share": measures.duplicateShare,
    "num_turns/mean": measures.meanTurns,
    "response_length/mean": measures.meanTokens,
    "episode/invalid_share": measures.invalidShare,
    "episode/quit_share": measures.quitShare,
    "episode/out_of_turns_share": measures.cutShare,
    "episode/unjudged": measures.unjudged,
    kl: referenceKl,
    ...Object.fromEntries([...byBudget, ...shares]),
  };
}

/** What the process signal did beside the outcome; alerts are 1 where they were raised. */
function getSignalMetrics(event: TrainingEvent): MaybeMetrics {
  if (event.phase === "warm_start" || event.signal === undefined) return {};
  const { outcome, alerts } = event.signal;
  const isRaised = (kind: string): number => (alerts.some((alert) => alert.kind === kind) ? 1 : 0);
  return {
    "signal/mean": outcome.signal,
    "signal/outcome_correlation": outcome.correlation,
    "signal/farming": isRaised("farming"),
    "signal/inverted": isRaised("inverted"),
  };
}

/** Leaves out what an update cannot say. */
function dropUnknown(metrics: MaybeMetrics): Metrics {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Returns the metrics of an update by the names that `metrics.jsonl` and TensorBoard show. */
export function getMetrics(event: TrainingEvent): Metrics {
  if (event.phase === "warm_start") {
    const { loss, gradNorm, entropy, learningRate, tokens, seconds } = event.metrics;
    return {
      "sft/loss": loss,
      "sft/grad_norm": gradNorm,
      "sft/entropy": entropy,
      "sft/learning_rate": learningRate,
      "sft/trained_tokens": tokens,
      "perf/update_seconds": seconds,
    };
  }
  const { report, learningRate, sampledTokens, seconds } = event;
  const total = seconds.sampling + seconds.learning;
  return dropUnknown({
    ...getReportMetrics(report),
    ...getStepMetrics(report.steps),
    ...getSignalMetrics(event),
    "actor/lr": learningRate,
    "perf/sampled_tokens": sampledTokens,
    "perf/sampling_seconds": seconds.sampling,
    "perf/update_seconds": seconds.learning,
    ...(total > 0 ? { "perf/tokens_per_second": report.measures.sampledTokens / total } : {}),
  });
}
