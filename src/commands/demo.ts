import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../report/index.js";
import { analyze, type EpisodeSource } from "./analyze.js";
import { demoReports, type DemoReport } from "./demo-plan.js";
import { attributeByPlaying } from "./attribute-by-playing.js";
import { evalBudget } from "./eval-budget.js";
import { evalRecovery } from "./eval-recovery.js";
import { evalStep } from "./eval-step.js";
import { createFileSource } from "./file-source.js";
import { dynamicsRuns } from "./measure-dynamics.js";
import { signalRuns } from "./measure-signals.js";
import { poolErrors } from "./pool-errors.js";
import type { RunEvents, RunStop } from "./run-events.js";
import { createReport, writeReport, writeWhole, type WrittenReport } from "./write-report.js";

/** What `turnwise demo` does. */
export interface DemoOptions {
  /** Folder to write; default `turnwise-demo`. */
  readonly output?: string;
  readonly events?: RunEvents;
  readonly stop?: RunStop;
}

/** What the demo wrote. */
export interface DemoResult {
  readonly indexPath: string;
  readonly reports: readonly {
    readonly name: string;
    readonly title: string;
    /** The report's headline. */
    readonly finding: string;
    /** What the report says of causes and of training, beyond its headline. */
    readonly causes: readonly string[];
    readonly page: string;
  }[];
}

/** Returns the folder with the outcome tables that come with the package. */
function getOutcomeFolder(): string {
  return fileURLToPath(new URL("../../data/outcomes/", import.meta.url));
}

async function compareOutcomes(plan: DemoReport & { kind: "outcomes" }, folder: string): Promise<WrittenReport> {
  const path = join(getOutcomeFolder(), plan.file);
  const sources: EpisodeSource[] = [];
  for (const { id, label } of plan.policies) {
    sources.push(await createFileSource(path, { format: "outcomes" }, { policyId: id, label }));
  }
  const analysis = await analyze(sources, { budgets: plan.budgets });
  const report = await createReport(sources, analysis, { title: plan.title, question: plan.question });
  return writeReport(join(folder, "report"), report);
}

async function play(
  plan: DemoReport & { kind: "play" },
  folder: string,
  options: DemoOptions,
): Promise<WrittenReport | undefined> {
  const { env, policies, difficulty, budgets, taskCount, samples, disclosures, title, question, isAttributed } = plan;
  const playPlan = isAttributed === true ? attributeByPlaying : evalBudget;
  const { written } = await playPlan({
    env,
    policies,
    difficulty,
    budgets,
    taskCount,
    samples,
    title,
    question,
    output: folder,
    ...(disclosures === undefined ? {} : { disclosures }),
    ...(options.events === undefined ? {} : { events: options.events }),
    ...(options.stop === undefined ? {} : { stop: options.stop }),
  });
  return written;
}

/** Collects errors in a pool, unless another report has done so, and evaluates the policies on them. */
async function playErrors(
  plan: DemoReport & { kind: "pool" },
  output: string,
  { events, stop }: DemoOptions,
): Promise<WrittenReport | undefined> {
  const { env, policies, difficulty, maxTurns, taskCount, samples, evaluation, budgets, title, poolName } = plan;
  const [run, pool] = [join(output, poolName, "run"), join(output, poolName, "pool")];
  const shared = { ...(events === undefined ? {} : { events }), ...(stop === undefined ? {} : { stop }) };
  const { remaining } = await evalBudget({
    env,
    policies,
    difficulty,
    budgets: [maxTurns],
    taskCount,
    samples: 4,
    output: run,
    ...shared,
  });
  if (remaining > 0) return undefined;
  await poolErrors([run], { output: pool });
  const setting = { policies, samples, title, output: join(output, plan.name), ...shared };
  const { written } =
    evaluation === "steps" ? await evalStep(pool, setting) : await evalRecovery(pool, { ...setting, budgets });
  return written;
}

/** Plays the checkpoints of a training run and follows them. */
async function followTraining(
  { env, policies, difficulty, budgets, taskCount, samples, title }: DemoReport & { kind: "dynamics" },
  folder: string,
  { events, stop }: DemoOptions,
): Promise<WrittenReport | undefined> {
  const run = join(folder, "run");
  const shared = { ...(events === undefined ? {} : { events }), ...(stop === undefined ? {} : { stop }) };
  const played = await evalBudget({ env, policies, difficulty, budgets, taskCount, samples, output: run, ...shared });
  return played.remaining > 0 ? undefined : dynamicsRuns([run], { budgets, title, output: join(folder, "report") });
}

/** Measures the signals of one policy in the episodes of another report. */
function readSignals(
  { source, policy, replicates, title }: DemoReport & { kind: "signals" },
  folder: string,
  output: string,
): Promise<WrittenReport> {
  return signalRuns([`${join(output, source)}#${policy}`], { replicates, title, output: join(folder, "report") });
}

/** Makes one report of the demo. */
function makeReport(plan: DemoReport, output: string, options: DemoOptions): Promise<WrittenReport | undefined> {
  const folder = join(output, plan.name);
  switch (plan.kind) {
    case "outcomes":
      return compareOutcomes(plan, folder);
    case "pool":
      return playErrors(plan, output, options);
    case "play":
      return play(plan, folder, options);
    case "dynamics":
      return followTraining(plan, folder, options);
    case "signals":
      return readSignals(plan, folder, output);
    default:
      return plan satisfies never;
  }
}

/**
 * Plays scripted policies whose behaviour is known in the built-in envs, compares a real model before and after RL
 * from a shipped table of outcomes, and writes a report for each and an index page. Needs no network and no key; the
 * same bytes every time.
 *
 * @throws {TurnwiseError} (input) when the folder cannot be written or holds another run.
 */
export async function runDemo(options: DemoOptions = {}): Promise<DemoResult> {
  const { output = "turnwise-demo", events, stop } = options;
  const { getReportHeadline, listReportCauses, renderIndexPage } = await import("../report/index.js");
  const entries: { plan: DemoReport; report: Report; page: string }[] = [];
  for (const plan of demoReports) {
    if (stop?.drain?.aborted === true) break;
    events?.onMessage?.(plan.title);
    const written = await makeReport(plan, output, options);
    if (written !== undefined) entries.push({ plan, report: written.report, page: written.pagePath });
  }
  const indexPath = join(output, "index.html");
  const page = renderIndexPage(
    entries.map(({ plan, report, page: path }) => ({
      title: plan.title,
      question: plan.question,
      about: plan.about,
      command: plan.command,
      href: relative(output, path).replaceAll("\\", "/"),
      report,
    })),
  );
  await writeWhole(output, indexPath, page);
  const reports = entries.map(({ plan, report, page: path }) => ({
    name: plan.name,
    title: plan.title,
    finding: getReportHeadline(report),
    causes: listReportCauses(report),
    page: path,
  }));
  return { indexPath, reports };
}
