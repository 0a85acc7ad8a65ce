import type { AuditedBudget, BudgetCheck } from "../train/index.js";
import type { BudgetmixAuditResult } from "./budgetmix-audit.js";
import type { BudgetmixPlanResult } from "./budgetmix-plan.js";

const indent = "         ";

function percent(value: number | undefined): string {
  return value === undefined ? "-" : `${(100 * value).toFixed(1)} %`;
}

function decimal(value: number | undefined): string {
  return value === undefined ? "-" : String(Number(value.toFixed(2)));
}

/** Returns rows as columns of equal width, the first to the left, the others to the right. */
function renderColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join("  ")
      .trimEnd(),
  );
}

/** Updates shown one by one; the rest is in the plan. */
const maxUpdates = 12;

/** Runs of updates with the same counts are shown as one row. */
function listUpdateRows({ groupsByUpdate }: BudgetmixPlanResult["summary"]): string[][] {
  const rows: { from: number; to: number; readonly counts: readonly number[] }[] = [];
  for (const [update, counts] of groupsByUpdate.entries()) {
    const last = rows.at(-1);
    if (last !== undefined && last.counts.every((count, column) => count === counts[column])) last.to = update;
    else rows.push({ from: update, to: update, counts });
  }
  const shown = rows
    .slice(0, maxUpdates)
    .map(({ from, to, counts }) => [from === to ? `${from}` : `${from}-${to}`, ...counts.map(String)]);
  return rows.length > maxUpdates ? [...shown, ["…", ...rows[0].counts.map(() => "…")]] : shown;
}

/** Returns a plan as text for a terminal: counts by budget and update, files, and what to do next. */
export function renderBudgetPlanText(result: BudgetmixPlanResult): string {
  const { folder, files, plan, summary, heldOut } = result;
  const { budgets, updates, groups, episodes, tasks } = summary;
  const table = renderColumns([
    ["budget", "groups", "episodes", "share", "groups of a task"],
    ...budgets.map(({ maxTurns, groups: own, episodes: count, share, groupsPerTask: { least, most } }) => [
      `T=${maxTurns}`,
      String(own),
      String(count),
      percent(share),
      least === most ? String(most) : `${least}-${most}`,
    ]),
  ]);
  const byUpdate = renderColumns([
    ["update", ...budgets.map(({ maxTurns }) => `T=${maxTurns}`)],
    ...listUpdateRows(summary),
  ]);
  return [
    `Plan       ${episodes} episodes: ${groups} groups of ${plan.groupSize} in ${updates} updates, ${tasks} tasks of ${plan.env.id}`,
    `Budgets    ${plan.disclosure === "hidden" ? "hidden" : `told (${plan.disclosure})`}, after the last turn: ${plan.terminalRule}`,
    ...(heldOut > 0 ? [`Left out   ${heldOut} tasks of the eval split`] : []),
    "",
    ...table,
    "",
    "Groups in each update:",
    ...byUpdate,
    "",
    `Wrote      ${folder}  (${files.join(", ")})  ${plan.hash.slice(0, 12)}`,
    `Next       turnwise budgetmix audit ${folder} ROLLOUTS, once training has played some of it`,
  ].join("\n");
}

const marks = { pass: "pass", fail: "FAIL", not_judged: "  - " } as const;

function renderCheck({ number, ruleId, verdict, gap, evidence, findings, findingCount }: BudgetCheck): string[] {
  const what = gap === undefined ? (evidence?.text ?? "") : `not judged: ${gap}`;
  const details = findings.flatMap(({ severity, message, place, remedy }, index) => {
    const at =
      place?.file === undefined ? place?.detail : `${place.file}${place.line === undefined ? "" : `:${place.line}`}`;
    const last = index === findings.length - 1 && remedy !== undefined ? [`${indent}${remedy}`] : [];
    return [`${indent}${severity}: ${message}${at === undefined ? "" : ` (${at})`}`, ...last];
  });
  const more = findingCount > findings.length ? [`${indent}and ${findingCount - findings.length} more`] : [];
  return [`${marks[verdict]} ${number.padEnd(3)} ${ruleId}: ${what}`, ...details, ...more];
}

function renderBudgets(budgets: readonly AuditedBudget[]): string[] {
  return renderColumns([
    ["budget", "rollouts", "planned", "episodes", "tokens", "pull/token", "pull/seq.", "turns", "reward"],
    ...budgets.map(({ maxTurns, rollouts, plannedShare, sequenceShare, tokenShare, pull, meanTurns, meanReward }) => [
      `T=${maxTurns}`,
      String(rollouts),
      percent(plannedShare),
      percent(sequenceShare),
      percent(tokenShare),
      percent(pull?.tokenMean),
      percent(pull?.sequenceMean),
      decimal(meanTurns),
      decimal(meanReward),
    ]),
  ]);
}

/** Problems of reading shown for each file. */
const maxProblems = 3;

/** Returns an audit as text for a terminal: what was read, each check with its evidence, and what budgets weigh. */
export function renderBudgetAuditText(result: BudgetmixAuditResult): string {
  const { plan, sources, checks, budgets, rolloutCount } = result;
  const count = (verdict: BudgetCheck["verdict"]): number => checks.filter((check) => check.verdict === verdict).length;
  return [
    `${plan.file}: ${plan.groups} groups in env ${plan.env}, budgets ${plan.disclosure}`,
    ...sources.flatMap(({ file, format, rolloutCount: own, problems }) => [
      `${file} (${format}): ${own} rollouts`,
      ...problems.slice(0, maxProblems).map((problem) => `  ${problem}`),
      ...(problems.length > maxProblems ? [`  and ${problems.length - maxProblems} more problems`] : []),
    ]),
    "",
    ...checks.flatMap(renderCheck),
    "",
    "What each budget weighs: its share of the plan, of episodes (a mean over sequences gives it that weight) and of",
    "tokens (a mean over tokens does), and its share of |weight x advantage| under each:",
    ...renderBudgets(budgets),
    "",
    `${rolloutCount} rollouts: ${count("pass")} checks passed, ${count("fail")} failed, ${count("not_judged")} could not be judged`,
  ].join("\n");
}
