// internal
import type { SignalAlarm } from "../../core/index.js";
import type { AssessContext, FittedModel } from "./assess-target.js";
import type { TargetRows } from "./signal-rows.js";
import { estimateRatio } from "./task-draws.js";

interface EpisodeRisk {
  readonly task: number;
  readonly success: boolean;
  readonly turnCount: number;
  /** [row] turn and fitted chance, in order of turns. */
  readonly chances: { readonly turn: number; readonly chance: number }[];
}

function gather(
  context: AssessContext,
  rows: TargetRows,
  members: ArrayLike<number>,
  chances: Float64Array,
): EpisodeRisk[] {
  const byEpisode = new Map<number, EpisodeRisk>();
  for (let i = 0; i < members.length; i += 1) {
    const row = members[i];
    const { task, success, turnCount } = context.data.episodes[rows.episode[row]];
    const found = byEpisode.get(rows.episode[row]) ?? { task, success, turnCount, chances: [] };
    found.chances.push({ turn: rows.turn[row], chance: chances[i] });
    byEpisode.set(rows.episode[row], found);
  }
  return [...byEpisode.values()];
}

/** Returns the largest threshold at which no more than `rate` of the episodes that succeed are alarmed. */
function chooseThreshold(episodes: readonly EpisodeRisk[], rate: number): number | undefined {
  const lowest = episodes
    .filter(({ success }) => success)
    .map(({ chances }) => Math.min(...chances.map(({ chance }) => chance)))
    .sort((a, b) => a - b);
  if (lowest.length === 0) return undefined;
  const allowed = Math.floor(rate * lowest.length);
  // The threshold itself rings, so it must lie below the next episode's lowest chance.
  const next = lowest[allowed];
  const below = episodes
    .flatMap(({ chances }) => chances.map(({ chance }) => chance))
    .filter((chance) => chance < next);
  return below.length === 0 ? undefined : Math.max(...below);
}

/**
 * Returns how early a model warns of failing episodes: the threshold is set on the fit tasks so that at most
 * `falseAlarmRate` of the episodes that succeed there are alarmed at any turn, and everything else is measured on other
 * tasks. `undefined` where no threshold keeps the rate.
 */
export function measureAlarm(
  context: AssessContext,
  rows: TargetRows,
  model: FittedModel,
  falseAlarmRate: number,
): SignalAlarm | undefined {
  const { fitRows } = model;
  const threshold = chooseThreshold(gather(context, rows, fitRows, model.predict(fitRows)), falseAlarmRate);
  if (threshold === undefined) return undefined;
  const { unitOfTask, unitCount } = context.data.tasks;
  const zeros = (): Float64Array => new Float64Array(unitCount);
  const [succeeded, falseAlarms, failed, caught, lead, leadShare] = [
    zeros(),
    zeros(),
    zeros(),
    zeros(),
    zeros(),
    zeros(),
  ];
  for (const { task, success, turnCount, chances } of gather(context, rows, model.rows, model.probabilities)) {
    const unit = unitOfTask[task];
    const first = chances.find(({ chance }) => chance <= threshold);
    (success ? succeeded : failed)[unit] += 1;
    if (first === undefined) continue;
    (success ? falseAlarms : caught)[unit] += 1;
    if (success) continue;
    lead[unit] += turnCount - first.turn;
    leadShare[unit] += (turnCount - first.turn) / turnCount;
  }
  const falseShare = estimateRatio(falseAlarms, succeeded, context.draws);
  const caughtShare = estimateRatio(caught, failed, context.draws);
  if (falseShare === undefined || caughtShare === undefined) return undefined;
  return {
    signal: model.signal,
    threshold,
    falseAlarms: falseShare,
    caught: caughtShare,
    leadTurns: estimateRatio(lead, caught, context.draws),
    leadShare: estimateRatio(leadShare, caught, context.draws),
  };
}
