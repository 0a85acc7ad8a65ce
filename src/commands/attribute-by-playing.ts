import { join } from "node:path";
import { usageError, type Policy } from "../core/index.js";
import {
  attributeHybrids,
  attributionCells,
  collectChainSide,
  createForcedContinuePolicy,
  createForcedStopPolicy,
  createHybridPolicy,
  type AttributionCell,
  type ChainSide,
  type PlayedCells,
} from "../diagnose/index.js";
import { analyze, readSource } from "./analyze.js";
import { toAttributionOptions, type AttributionSettings } from "./attribute.js";
import { checkAnswered } from "./check-answered.js";
import { playRun, warnMissing, type EvalBudgetOptions, type EvalBudgetResult } from "./eval-budget.js";
import { createRunSource } from "./run-source.js";
import { createReport, writeReport } from "./write-report.js";

/** What `turnwise attribute --estimator interventional` does. */
export interface AttributeByPlayingOptions
  extends Omit<EvalBudgetOptions, "disclosures" | "shard">, AttributionSettings {
  readonly disclosure?: "hidden" | "static" | "countdown";
  /** Plays copies of both policies made from hybrids too, to check the machinery; default true. */
  readonly hasSelfCheck?: boolean;
  /** Plays both policies with quits disabled and with quits at random too; default false. */
  readonly hasForcedArms?: boolean;
  /** Most times a policy is asked for an action that is no quit; default 8. */
  readonly maxTries?: number;
}

/** Returns the two policies, the hybrids of both, and their forced arms. */
function expandPolicies(
  named: readonly Policy[],
  { hasSelfCheck = true, hasForcedArms = false, maxTries = 8 }: AttributeByPlayingOptions,
): Policy[] {
  if (named.length !== 2) {
    throw usageError(
      `Cannot attribute between ${named.length} policies: a gap is between two`,
      "Name two: --policy A --policy B",
    );
  }
  const [a, b] = named;
  const cells = hasSelfCheck ? attributionCells : attributionCells.slice(1, 7);
  return [
    a,
    b,
    ...cells.map((cell) => createHybridPolicy(cell, a, b, { maxTries })),
    ...(hasForcedArms
      ? [a, b].flatMap((policy) => [
          createForcedContinuePolicy(policy, { maxTries }),
          createForcedStopPolicy(policy, { maxTries }),
        ])
      : []),
  ];
}

/** Reads the episodes of the two policies, the hybrids and the arms from the run. */
async function collectPlayed(
  folder: string,
  [idA, idB]: readonly string[],
  options: AttributeByPlayingOptions,
): Promise<PlayedCells> {
  const source = await createRunSource(folder);
  const collect = (policyId: string, label: string): Promise<ChainSide> =>
    collectChainSide(readSource({ ...source, policyId }), { label });
  const hybrids: { [cell in AttributionCell]?: ChainSide } = {};
  for (const cell of options.hasSelfCheck === false ? attributionCells.slice(1, 7) : attributionCells)
    hybrids[cell] = await collect(`hybrid-${cell}`, `hybrid ${cell}`);
  const arms = async (id: string) => ({
    forcedContinue: await collect(`${id}-forced-continue`, `${id} never quitting`),
    forcedStop: await collect(`${id}-forced-stop`, `${id} quitting at random`),
  });
  return {
    a: await collect(idA, idA),
    b: await collect(idB, idB),
    hybrids,
    ...(options.hasForcedArms === true ? { arms: { a: await arms(idA), b: await arms(idB) } } : {}),
  };
}

/**
 * Splits the success gap of two policies by playing their hybrids in an env, and writes the run and a report. The same
 * command continues a run that was stopped. With six mixed cells, both policies and the two copies of the self-check
 * it takes five times the episodes of a comparison, and somewhat more calls than turns.
 *
 * @throws {TurnwiseError} as `evalBudget` does, and (usage) unless two policies are named.
 */
export async function attributeByPlaying(options: AttributeByPlayingOptions): Promise<EvalBudgetResult> {
  const disclosure = options.disclosure ?? "hidden";
  const played = await playRun({ ...options, disclosures: [disclosure] }, (named) => expandPolicies(named, options));
  const { folder, progress, remaining } = played;
  if (remaining > 0 && progress.kept + progress.played < played.plannedEpisodes) return { folder, progress, remaining };
  const [idA, idB] = played.policyIds;
  const source = await createRunSource(folder);
  await checkAnswered("attribute with", source.read(), [idA, idB]);
  const sources = [idA, idB].map((policyId) => ({ ...source, policyId }));
  const analysis = await analyze(sources, options);
  const cells = await collectPlayed(folder, played.policyIds, options);
  const compared = analysis.comparisons[0]?.cells;
  const settings =
    compared === undefined
      ? toAttributionOptions(options, [], options.budgets)
      : toAttributionOptions(options, compared);
  const attribution = attributeHybrids(cells, settings);
  const report = await createReport(sources, analysis, {
    title: options.title ?? `${played.envId}: why ${idB} differs from ${idA}`,
    question:
      options.question ?? `Why does ${idB} succeed more or less often than ${idA}: decisions, recovery or persistence?`,
    attribution,
    ...warnMissing(played),
  });
  return { folder, progress, remaining, written: await writeReport(join(folder, "report"), report) };
}
