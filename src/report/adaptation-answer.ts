// internal
import type { AdaptationEffect, PolicySurface } from "../core/index.js";
import { describeBudgets, type HasClaim } from "./answer.js";
import type { Sentence } from "./report.js";

/** Returns a surface's label without the disclosure that tells it from its siblings. */
function namePolicy(label: string, surfaces: readonly PolicySurface[]): string {
  const suffix = ` · ${surfaces.find((surface) => surface.label === label)?.disclosure ?? ""}`;
  return label.endsWith(suffix) ? label.slice(0, -suffix.length) : label;
}

interface Effect {
  readonly index: number;
  readonly maxTurns: number;
  /** 1 and -1 where the band leaves zero out, else 0. */
  readonly direction: number;
}

function getDirection({ estimate }: AdaptationEffect): number {
  const around = estimate.band ?? estimate.interval;
  if (around === undefined) return 0;
  if (around.lower > 0) return 1;
  return around.upper < 0 ? -1 : 0;
}

function writeDirection(policy: string, effects: readonly Effect[], direction: number, hasClaim: HasClaim): Sentence {
  const grid = effects.map((effect) => effect.maxTurns);
  const found = effects.filter((effect) => effect.direction === direction);
  const [first] = found;
  if (first === undefined || !hasClaim(`adaptation.${first.index}`)) return [];
  const budgets = describeBudgets(
    found.map((effect) => effect.maxTurns),
    grid,
  );
  const band = `adaptation.${first.index}.band`;
  const around: Sentence = hasClaim(band) ? [" (simultaneous band ", { claim: band }, ")"] : [];
  const words = `${policy} succeeds ${direction > 0 ? "more" : "less"} often when it is told its budget ${budgets}: by `;
  const where = found.length === 1 ? "" : ` at T\u00a0=\u00a0${first.maxTurns}`;
  return [words, { claim: `adaptation.${first.index}` }, where, ...around, "."];
}

/** Says of each policy and disclosure where being told the budget changes its success, and where that is open. */
export function answerAdaptation(
  effects: readonly AdaptationEffect[],
  surfaces: readonly PolicySurface[],
  hasClaim: HasClaim,
): Sentence[] {
  const groups = new Map<string, { readonly policy: string; readonly effects: Effect[] }>();
  for (const [index, effect] of effects.entries()) {
    const key = JSON.stringify([effect.label, effect.disclosure]);
    const policy = `${namePolicy(effect.label, surfaces)} (${effect.disclosure})`;
    const group = groups.get(key) ?? { policy, effects: [] };
    groups.set(key, group);
    group.effects.push({ index, maxTurns: effect.maxTurns, direction: getDirection(effect) });
  }
  return [...groups.values()].flatMap(({ policy, effects: unsorted }) => {
    const sorted = unsorted.sort((left, right) => left.maxTurns - right.maxTurns);
    const said = [1, -1].map((direction) => writeDirection(policy, sorted, direction, hasClaim));
    const shown = said.filter((sentence) => sentence.length > 0);
    return shown.length > 0
      ? shown
      : [[`Whether ${policy} succeeds more often when it is told its budget is undecided.`]];
  });
}
