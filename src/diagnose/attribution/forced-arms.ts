import type { Estimate, ForcedArmRow } from "../../core/index.js";
import { cumulativeIncidence, decideVerdict, successIfQuitsCensored, type EpisodeExit } from "../../stats/index.js";
import {
  estimateTaskMeans,
  findLimit,
  listSharedTasks,
  numberFamilies,
  tabulate,
  type PlayedCells,
  type TaskMeanOptions,
} from "./played-cells.js";
import type { ChainSide } from "./chain-side.js";
import { modeStride, outcomeIndex } from "./mode-chain.js";

/** Settings of the rows. */
interface ForcedArmOptions extends TaskMeanOptions {
  readonly margin: number;
}

/** Returns what one minus Kaplan-Meier with quits censored predicts at a budget; each task weighs the same. */
function predictKaplanMeier(side: ChainSide, budget: number): number {
  const exits: EpisodeExit[] = [];
  for (const { episodes } of side.byLimit.get(findLimit(side, budget))?.values() ?? []) {
    for (const events of episodes) {
      const outcome = events[events.length - 1] % modeStride;
      const end =
        outcome === outcomeIndex.solved
          ? "success"
          : outcome === outcomeIndex.quit
            ? "quit"
            : outcome === outcomeIndex.wrong
              ? "fail"
              : "censored";
      exits.push({ turn: events.length, end, weight: 1 / episodes.length });
    }
  }
  const rows = cumulativeIncidence(exits, { maxTurns: budget });
  return successIfQuitsCensored(rows)[budget - 1] ?? 0;
}

/**
 * Returns, for each policy that was played with quits disabled and forced, its success as it is and in both arms.
 * Forced-continue minus native is the share of failure that is only giving up; the Kaplan-Meier prediction beside it
 * asks the same of the logs, and differs where those who quit were worse off than those who went on.
 */
export function measureForcedArms(
  played: PlayedCells,
  budgets: readonly number[],
  options: ForcedArmOptions,
): ForcedArmRow[] {
  return (["a", "b"] as const).flatMap((policy) => {
    const arms = played.arms?.[policy];
    if (arms === undefined) return [];
    const native = played[policy];
    const sides = [native, arms.forcedContinue, arms.forcedStop];
    const tasks = listSharedTasks(sides, budgets);
    const shares = tabulate(sides, tasks, budgets);
    const read = (side: number, budget: number, task: number): number =>
      shares[(task * 3 + side) * budgets.length + budget];
    const families = numberFamilies(native, tasks, budgets[0]);
    const estimate = (get: (task: number, budget: number) => number): Estimate[] => {
      const values = tasks.flatMap((_hash, task) => budgets.map((_turns, budget) => get(task, budget)));
      return estimateTaskMeans(Float64Array.from(values), budgets.length, families, options);
    };
    const arm = (side: number): Estimate[] =>
      estimate((task, budget) => read(side, budget, task)).map(({ band: _ofDifferences, ...share }) => share);
    const [natives, continued, stopped] = [arm(0), arm(1), arm(2)];
    const gains = estimate((task, budget) => read(1, budget, task) - read(0, budget, task));
    return budgets.map((maxTurns, budget): ForcedArmRow => {
      const gain = gains[budget];
      const evidence = { standardError: gain.standardError ?? 0, unitCount: families.familyCount };
      const verdict = gain.band === undefined ? "undecided" : decideVerdict(gain.band, options.margin, evidence);
      return {
        policy,
        maxTurns,
        native: natives[budget],
        forcedContinue: continued[budget],
        persistenceLimited: { estimate: gain, verdict },
        forcedStop: stopped[budget],
        kaplanMeier: predictKaplanMeier(native, maxTurns),
      };
    });
  });
}
