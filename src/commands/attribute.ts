import { basename, join } from "node:path";
import {
  inputError,
  usageError,
  type AttributionResult,
  type DifferenceCell,
  type Disclosure,
  type PolicySurface,
  type Trajectory,
} from "../core/index.js";
import {
  attributeLogs,
  collectChainSide,
  type ChainSide,
  type JudgeErrors,
  type TurnJudge,
} from "../diagnose/index.js";
import { analyze, readSource, type Analysis, type AnalysisOptions, type EpisodeSource } from "./analyze.js";
import { openSource } from "./compare.js";
import type { FileSourceOptions } from "./file-source.js";
import { splitSelector } from "./run-source.js";
import { describeRule, loadTurnRule, type TurnLabeller } from "./turn-rule.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** How the shares are estimated beside the analysis options. */
export interface AttributionSettings extends AnalysisOptions {
  /** Most classes of tasks tried; default 8. */
  readonly maxClasses?: number;
  /** Data sets simulated for the check of the chain; default 99. */
  readonly simulations?: number;
}

/** What `turnwise attribute` does with runs and files. */
export interface AttributeRunsOptions extends AttributionSettings, FileSourceOptions {
  /** Only episodes under this disclosure, where a run holds several. */
  readonly disclosure?: Disclosure;
  /** Name of a field of each turn's `extra` that says whether the episode is in error after it: true, false, `error` or `clean`. */
  readonly labelField?: string;
  /**
   * Module that exports a `rule`: `{ id, sensitivity, specificity, checkedCount, isInError(episode, turnIndex) }`, which
   * says whether the episode is in error after that turn. Labels episodes whose source tells of no errors.
   */
  readonly rule?: string;
  /** Error rates of the judge behind `labelField`, or of the rule in place of the ones it states. */
  readonly judgeErrors?: JudgeErrors;
  /** Folder of the report; default `turnwise-runs/attribute-A-B`. */
  readonly output?: string;
  readonly title?: string;
}

/** Returns the rule that reads labels from a field of `extra`. */
function createJudge(field: string): TurnJudge {
  return ({ extra }) => {
    const value = extra?.[field];
    if (value === true || value === "error") return "error";
    return value === false || value === "clean" ? "clean" : undefined;
  };
}

/** What labels the turns of both sides, and how often it is wrong. */
interface Labels {
  readonly judge?: TurnJudge;
  readonly errors?: JudgeErrors;
  readonly labeller?: TurnLabeller;
}

async function openLabels({ labelField, rule, judgeErrors }: AttributeRunsOptions): Promise<Labels> {
  if (labelField !== undefined && rule !== undefined) {
    throw usageError(
      `Cannot take labels both from field "${labelField}" and from the rule "${rule}"`,
      "Leave out --label-field or --rule",
    );
  }
  if (judgeErrors !== undefined && labelField === undefined && rule === undefined) {
    throw usageError(
      "Cannot give error rates of a judge without its labels",
      "Name the field of a turn's extra that holds them: --label-field NAME, or a rule that makes them: --rule FILE",
    );
  }
  const errors = judgeErrors === undefined ? {} : { errors: judgeErrors };
  if (labelField !== undefined) return { judge: createJudge(labelField), ...errors };
  if (rule === undefined) return {};
  const labeller = await loadTurnRule(rule);
  const { sensitivity, specificity } = labeller.rule;
  // A rule that is never wrong leaves no range to show.
  const stated: Labels =
    sensitivity === 1 && specificity === 1
      ? {}
      : { errors: { sensitivity: [sensitivity, sensitivity], specificity: [specificity, specificity] } };
  return { ...stated, ...errors, judge: labeller.judge, labeller };
}

function restrict(source: EpisodeSource, disclosure: Disclosure | undefined): EpisodeSource {
  if (disclosure === undefined) return source;
  async function* read(): AsyncGenerator<Trajectory> {
    for await (const trajectory of source.read()) if (trajectory.disclosure === disclosure) yield trajectory;
  }
  return { ...source, read };
}

/** Returns the two sides: two inputs, or the two policies of one. */
async function openSides(inputs: readonly string[], options: AttributeRunsOptions): Promise<readonly EpisodeSource[]> {
  if (inputs.length === 2)
    return Promise.all(inputs.map(async (input) => restrict(await openSource(input, options), options.disclosure)));
  if (inputs.length !== 1) {
    throw usageError(
      `Cannot attribute with ${inputs.length} inputs: a gap is between two policies`,
      "Name two runs, or one that holds two policies: turnwise attribute A B",
    );
  }
  const source = restrict(await openSource(inputs[0], options), options.disclosure);
  const ids = new Set<string>();
  for await (const { policy } of readSource(source)) ids.add(policy.id);
  // Episodes stand in the order they were finished; A is the policy that was named first.
  const order = source.policyOrder ?? [];
  const found = [...ids].sort((a, b) => (order.indexOf(a) >>> 0) - (order.indexOf(b) >>> 0)); // unlisted ones last
  if (found.length === 2) return found.map((policyId) => ({ ...source, policyId }));
  const { path, policyId } = splitSelector(inputs[0]);
  const [policies, remedy] =
    found.length > 1
      ? [`${found.length} policies, ${quote(found)}`, `Name both sides: turnwise attribute ${nameSides(path, found)}`]
      : found.length === 1
        ? [`1 policy, ${quote(found)}`, `Name what to set against it: turnwise attribute ${inputs[0]} OTHER-RUN`]
        : policyId === undefined
          ? ["no episodes", "Name two runs: turnwise attribute A B"]
          : [`no episodes of policy "${policyId}"`, `See which policies it holds: turnwise report ${path}`];
  throw usageError(`Cannot attribute within "${inputs[0]}": it holds ${policies}`, remedy);
}

function quote(ids: readonly string[]): string {
  return ids.map((id) => `"${id}"`).join(", ");
}

/** Returns the first two policies of a run as arguments, in quotes where a shell would take them apart. */
function nameSides(path: string, ids: readonly string[]): string {
  const name = (id: string): string => (/^[\w./@:#-]+$/.test(`${path}#${id}`) ? `${path}#${id}` : `"${path}#${id}"`);
  return ids.slice(0, 2).map(name).join(" ");
}

/**
 * Refuses a field of labels that no turn of a side holds: the shares would silently rest on other labels.
 *
 * @throws {TurnwiseError} (input) with the fields that turns do hold.
 */
async function checkLabels(field: string, source: EpisodeSource, { label, labelSources }: ChainSide): Promise<void> {
  if (labelSources.judge > 0) return;
  const names = new Set<string>();
  let hasField = false;
  for await (const { turns } of readSource(source)) {
    for (const { extra = {} } of turns) {
      hasField ||= field in extra;
      for (const name of Object.keys(extra)) if (names.size < 12) names.add(name);
    }
  }
  const found = names.size === 0 ? "turns hold no extra fields at all" : `turns hold ${quote([...names])}`;
  throw inputError(
    hasField
      ? `Cannot read labels from field "${field}" of "${label}": no turn holds true, false, "error" or "clean" in it`
      : `Cannot read labels from field "${field}" of "${label}": no turn has it; ${found}`,
    "Name the field of a turn's extra that says whether the episode is in error after it, or leave out --label-field",
  );
}

/** Refuses a rule that says nothing of any turn of a side: the shares would silently rest on other labels. */
function checkRule({ rule }: TurnLabeller, { label, labelSources }: ChainSide): void {
  if (labelSources.judge > 0) return;
  throw inputError(
    `Cannot take labels from the rule "${rule.id}": isInError() returned undefined for every turn of "${label}" after which an episode goes on`,
    "Return true or false where the rule can say whether the episode is in error after the turn",
  );
}

/** Returns the surface of a side, refusing sides that hold several settings. */
function findSideSurface(analysis: Analysis, index: number, source: EpisodeSource): PolicySurface {
  const labels = [...analysis.labels[index].values()];
  const [surface] = analysis.surfaces.filter(({ label }) => labels.includes(label));
  if (labels.length === 1) return surface;
  throw usageError(
    `Cannot attribute with "${source.path}": it holds episodes of ${labels.length} policies or settings, ${labels.map((label) => `"${label}"`).join(", ")}`,
    "Take one policy with PATH#POLICY, and one disclosure with --disclosure",
  );
}

/** Returns the settings of an attribution that the analysis options and the cells of a comparison give. */
export function toAttributionOptions(
  { level, margin, replicates, bootstrapSeed, maxClasses, simulations }: AttributionSettings,
  cells: readonly DifferenceCell[],
  budgets: readonly number[] = cells.map((cell) => cell.maxTurns),
) {
  return {
    budgets: [...new Set(budgets)].filter((budget) => budget > 0),
    comparedGaps: cells.filter(({ k }) => k === 1),
    ...(level === undefined ? {} : { level }),
    ...(margin === undefined ? {} : { margin }),
    ...(replicates === undefined ? {} : { replicates }),
    ...(bootstrapSeed === undefined ? {} : { seed: bootstrapSeed }),
    ...(maxClasses === undefined ? {} : { maxClasses }),
    ...(simulations === undefined ? {} : { simulations }),
  };
}

/**
 * Splits the success gap of two policies into decision, recovery and persistence from their episodes and writes a
 * comparison report with it. Two inputs, or one run with two policies; the first is A. The cells AAA and BBB are the
 * success rates that the comparison shows.
 *
 * @throws {TurnwiseError} (usage) for sides that differ in more than the policy, or hold several; (input) for runs and
 * files that cannot be read, that share no task, or whose episodes have no turns.
 */
export async function attributeRuns(
  inputs: readonly string[],
  options: AttributeRunsOptions = {},
): Promise<WrittenReport> {
  const sources = await openSides(inputs, options);
  const { judge, errors, labeller } = await openLabels(options);
  const analysis = await analyze(sources, { ...options, allow: [], mustCompare: true });
  const [comparison] = analysis.comparisons;
  if (comparison === undefined)
    throw usageError(`Cannot attribute between "${inputs.join('" and "')}": they are not comparable`);
  const sides: ChainSide[] = [];
  for (const [index, source] of sources.entries()) {
    const { label, terminalRule } = findSideSurface(analysis, index, source);
    sides.push(
      await collectChainSide(labeller === undefined ? readSource(source) : labeller.label(readSource(source)), {
        label,
        rule: terminalRule,
        ...(judge === undefined ? {} : { judge }),
      }),
    );
    if (options.labelField !== undefined) await checkLabels(options.labelField, source, sides[index]);
    if (labeller !== undefined) checkRule(labeller, sides[index]);
  }
  const result = attributeLogs(sides[0], sides[1], {
    ...toAttributionOptions(options, comparison.cells),
    ...(errors === undefined ? {} : { judgeErrors: errors }),
  });
  const attribution: AttributionResult =
    labeller === undefined ? result : { ...result, notes: [...result.notes, describeRule(labeller.rule)] };
  const report = await createReport(sources, analysis, {
    title: options.title ?? `Why ${attribution.b} differs from ${attribution.a}`,
    question: `Why does ${attribution.b} succeed more or less often than ${attribution.a}: decisions, recovery or persistence?`,
    attribution,
  });
  return writeReport(options.output ?? chooseFolder(sources), report);
}

function chooseFolder(sources: readonly EpisodeSource[]): string {
  const names = sources.map(({ label, path, policyId }) => label ?? policyId ?? basename(path));
  return join(
    "turnwise-runs",
    `attribute-${names
      .join("-")
      .replace(/[^\w.-]+/g, "_")
      .slice(0, 80)}`,
  );
}
