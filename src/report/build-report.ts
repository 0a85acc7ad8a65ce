import type { ComparisonResult, PolicySurface } from "../core/index.js";
import { answerAdaptation } from "./adaptation-answer.js";
import { answerAttribution } from "./attribution-answer.js";
import { answerDynamics, answerLikelihood, answerSignals } from "./diagnosis-answer.js";
import { answerComparison, answerSurface, createHasClaim, type HasClaim } from "./answer.js";
import { answerRecovery, answerSteps } from "./recovery-answer.js";
import { listClaims } from "./report-claims.js";
import {
  reportSchema,
  type EpisodeSelection,
  type Report,
  type ReportInput,
  type Sentence,
  type TaskListing,
} from "./report.js";

const noEpisodes: EpisodeSelection = { availableCount: 0, rule: "No transcripts were given.", episodes: [] };

function findSurface(surfaces: readonly PolicySurface[], label: string): number {
  const index = surfaces.findIndex((surface) => surface.label === label);
  if (index < 0) {
    throw new RangeError(`Cannot build a report as a comparison names no surface of it: current label is "${label}"`);
  }
  return index;
}

function checkLabels({ surfaces, recovery, steps }: ReportInput): void {
  const hasOther = recovery !== undefined || steps !== undefined;
  if (surfaces.length === 0 && !hasOther)
    throw new RangeError("Cannot build a report without a surface: none was given");
  const labels = new Set<string>();
  for (const { label } of surfaces) {
    if (labels.has(label))
      throw new RangeError(`Cannot build a report as labels must be unique: "${label}" stands twice`);
    labels.add(label);
  }
}

/** Orders tasks by how much the two policies differ on them, then by id, and keeps the first `maxRows` that differ. */
function listTasks(comparison: ComparisonResult, maxRows: number): TaskListing {
  const { taskDifferences } = comparison;
  const discordant = taskDifferences
    .map((task, row) => ({ row, taskId: task.taskId, size: Math.abs(task.b - task.a) }))
    .filter(({ size }) => size > 0)
    .sort((left, right) => right.size - left.size || (left.taskId < right.taskId ? -1 : 1));
  const rows = discordant.slice(0, maxRows).map(({ row }) => row);
  const profile = taskDifferences.map((task) => task.b - task.a).filter(Number.isFinite);
  profile.sort((left, right) => left - right);
  return { rows, discordantCount: discordant.length, omittedCount: discordant.length - rows.length, profile };
}

function writeQuestion(input: ReportInput): string {
  const [comparison] = input.comparisons ?? [];
  if (comparison === undefined) return "How often does the agent succeed, at which turn budget?";
  if (input.comparisons?.length === 1) {
    return `Does ${comparison.b} succeed more often than ${comparison.a}, and at which turn budgets?`;
  }
  return "Which agent succeeds more often, and at which turn budgets?";
}

/** Makes one paragraph of sentences. */
function joinSentences(sentences: readonly Sentence[]): Sentence {
  return sentences.flatMap((sentence, index) => (index === 0 ? sentence : [" ", ...sentence]));
}

/**
 * Answers by comparison, then says of each policy that no comparison covers how often it succeeds. With several
 * comparisons what belongs to one stands in one paragraph, so that no sentence can be read as about another.
 */
function writeAnswer(input: ReportInput, hasClaim: HasClaim): Sentence[] {
  const { surfaces, comparisons = [] } = input;
  const compared = new Set(comparisons.flatMap(({ a, b }) => [a, b]));
  const answers = comparisons.map((comparison, index) => {
    const surfaceA = findSurface(surfaces, comparison.a);
    const surfaceB = findSurface(surfaces, comparison.b);
    return answerComparison({ comparison, index, surfaceA, surfaceB, hasClaim });
  });
  const single = surfaces.flatMap((surface, index) =>
    compared.has(surface.label) ? [] : answerSurface(surface, index, hasClaim),
  );
  const why = input.attribution === undefined ? [] : answerAttribution(input.attribution, hasClaim);
  const played = [
    ...(input.recovery === undefined ? [] : answerRecovery(input.recovery, hasClaim)),
    ...(input.steps === undefined ? [] : answerSteps(input.steps, hasClaim)),
  ];
  const diagnosed = [
    ...answerSignals(input.signals ?? []),
    ...(input.likelihood === undefined ? [] : answerLikelihood(input.likelihood)),
    ...(input.dynamics === undefined ? [] : answerDynamics(input.dynamics)),
  ];
  const told = [...diagnosed, ...why, ...played, ...answerAdaptation(input.adaptation ?? [], surfaces, hasClaim)];
  // What is decided comes first; the order is otherwise that of the comparisons.
  const isDecided = ({ cells }: ComparisonResult) =>
    cells.some(({ verdict }) => verdict === "gain" || verdict === "loss");
  const order = [true, false].flatMap((decided) =>
    answers.filter((_answer, i) => isDecided(comparisons[i]) === decided),
  );
  const [first = [], ...others] = order;
  if (others.length === 0) return [...first, ...told, ...single];
  const [headline = [], ...details] = first;
  return [headline, ...[details, ...others].map(joinSentences), ...told, ...single];
}

function writeWarnings(input: ReportInput): Sentence[] {
  const warnings: Sentence[] = [
    ...(input.warnings ?? []),
    ...(input.attribution?.warnings ?? []).map((text) => `Why: ${text}.`),
    ...(input.signals ?? []).flatMap(({ label, warnings: own }) => own.map((text) => `Signals of ${label}: ${text}.`)),
    ...(input.likelihood?.warnings ?? []).map((text) => `Likelihood: ${text}.`),
    ...(input.dynamics?.warnings ?? []).map((text) => `Training: ${text}.`),
    ...(input.recovery?.warnings ?? []).map((text) => `Recovery: ${text}.`),
    ...(input.steps?.warnings ?? []).map((text) => `Next actions: ${text}.`),
  ].map((text) => [text]);
  for (const [index, { label, denominator }] of input.surfaces.entries()) {
    if (denominator.countedEpisodes === denominator.recordedEpisodes) continue;
    const excluded: Sentence = [{ claim: `count.${index}.excluded` }, " of ", { claim: `count.${index}.recorded` }];
    warnings.push([
      `${label}: `,
      ...excluded,
      " episodes ended in an error or have no known outcome and are left out at every T.",
    ]);
  }
  for (const [index, { a, b, labels, warnings: own, onlyInA, onlyInB }] of (input.comparisons ?? []).entries()) {
    warnings.push(...own.map((text) => [`Comparison of ${a} and ${b}: ${text}.`]));
    if (labels.length > 0) warnings.push([`${a} and ${b} differ in more than the policy: ${labels.join("; ")}.`]);
    if (onlyInA.length + onlyInB.length === 0) continue;
    const unshared: Sentence = [
      { claim: `onlyInA.${index}` },
      ` tasks only in ${a}, `,
      { claim: `onlyInB.${index}` },
      ` only in ${b}`,
    ];
    warnings.push([`${a} and ${b} are compared on their shared tasks: left out are `, ...unshared, "."]);
  }
  return warnings;
}

function writeNotes(input: ReportInput): Sentence[] {
  const notes = [
    ...(input.notes ?? []),
    ...(input.attribution?.notes ?? []).map((note) => `Why: ${note}.`),
    ...(input.likelihood?.notes ?? []).map((note) => `Likelihood: ${note}.`),
    ...(input.dynamics?.notes ?? []).map((note) => `Training: ${note}.`),
  ];
  for (const { label, isMonotone, mark, notes: own } of input.surfaces) {
    notes.push(...own.map((note) => `${label}: ${note}`));
    if (!isMonotone)
      notes.push(
        `${label}: ${mark === "run" ? "each budget was run on its own" : "success can be lost again"}, so the curve may fall as T grows.`,
      );
  }
  for (const comparison of input.comparisons ?? []) {
    notes.push(...comparison.notes.map((note) => `${comparison.b} minus ${comparison.a}: ${note}`));
  }
  return [...new Set(notes)].map((note) => [note]);
}

/** Returns the optional results that a report shows. */
function readParts(
  input: ReportInput,
): Pick<ReportInput, "attribution" | "recovery" | "steps" | "signals" | "likelihood" | "dynamics"> {
  const { attribution, recovery, steps, signals, likelihood, dynamics } = input;
  return {
    ...(attribution === undefined ? {} : { attribution }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(steps === undefined ? {} : { steps }),
    ...(signals === undefined ? {} : { signals }),
    ...(likelihood === undefined ? {} : { likelihood }),
    ...(dynamics === undefined ? {} : { dynamics }),
  };
}

/**
 * Returns the report as data: the answer in sentences, every figure as a claim, tasks listed by name. Pure; the
 * same input gives the same report. Sentences follow the verdict words alone, so they never say more than the
 * simultaneous bands do.
 *
 * @throws {RangeError} when there is nothing to show, labels repeat, or a comparison names a label that is not there.
 */
export function buildReport(input: ReportInput): Report {
  const { surfaces, runs, comparisons = [], adaptation = [], episodes = noEpisodes, maxTaskRows = 200 } = input;
  checkLabels(input);
  const taskListings = comparisons.map((comparison) => listTasks(comparison, maxTaskRows));
  const claims = listClaims({
    runs,
    surfaces,
    comparisons,
    taskListings,
    adaptation,
    ...readParts(input),
    availableEpisodes: episodes.availableCount,
    shownEpisodes: episodes.episodes.length,
  });
  return {
    schema: reportSchema,
    title: input.title,
    generator: { name: "turnwise", version: input.version },
    question: input.question ?? writeQuestion(input),
    answer: writeAnswer(input, createHasClaim(claims)),
    runs,
    surfaces,
    comparisons,
    taskListings,
    adaptation,
    ...readParts(input),
    episodes,
    warnings: writeWarnings(input),
    notes: writeNotes(input),
    claims,
  };
}
