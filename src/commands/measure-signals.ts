import { join } from "node:path";
import { inputError, usageError, type SignalsResult, type Trajectory } from "../core/index.js";
import {
  createBuiltInSignals,
  createLogRatioSignal,
  defineSignal,
  measureSignals,
  type ProcessSignal,
} from "../diagnose/index.js";
import { getSeriesKey } from "../evaluate/index.js";
import { analyze, readSource, type Analysis, type AnalysisOptions, type EpisodeSource } from "./analyze.js";
import type { ChatSettings } from "./chat-settings.js";
import { openSource } from "./compare.js";
import type { FileSourceOptions } from "./file-source.js";
import { loadExport } from "./load-module.js";
import { nameReportFolder } from "./report-folder.js";
import { resolveScorer, type ResolvedScorer } from "./resolve-scorer.js";
import { describeRule, loadTurnRule } from "./turn-rule.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** What `turnwise signals` does. */
export interface SignalRunsOptions extends AnalysisOptions, FileSourceOptions {
  /** Modules that export `signals`: an object of functions `(turn, { trajectory, turnIndex }) => number | undefined`, or a list of `ProcessSignal`. */
  readonly signalFiles?: readonly string[];
  /** Two scorers whose log-ratio is a signal, base first; see {@linkcode resolveScorer}. */
  readonly logRatio?: readonly [string, string];
  /** How the agent states its chances: a regular expression whose first group is the number. */
  readonly selfReport?: string;
  /** Module with a rule that says after which turns an episode is in error, as `attributeRuns` takes it. */
  readonly rule?: string;
  /** m of "recovers within m turns"; default 3. */
  readonly recoveryTurns?: number;
  /** Discount of the shaping check; default 1. */
  readonly gamma?: number;
  readonly chat?: ChatSettings;
  readonly environment?: { readonly [name: string]: string | undefined };
  /** Folder of the report; default `turnwise-runs/signals-NAMES`. */
  readonly output?: string;
  readonly title?: string;
}

function isSignal(value: unknown): value is ProcessSignal {
  if (typeof value !== "object" || value === null) return false;
  const { id, read } = value as Partial<ProcessSignal>; // read as a signal to see whether it is one
  return typeof id === "string" && typeof read === "function";
}

/**
 * Returns the signals that a module of the user's exports.
 *
 * @throws {TurnwiseError} (input) when it exports none.
 */
export async function loadSignals(path: string): Promise<ProcessSignal[]> {
  const value = await loadExport(path, ["signals", "default"], "signals");
  if (Array.isArray(value) && value.length > 0 && value.every(isSignal))
    return value.map((signal) => ({
      id: signal.id,
      description: String(signal.description ?? `${signal.id} of ${path}`),
      needs: String(signal.needs ?? "what the signal reads"),
      source: path,
      ...(signal.definesErrors === true ? { definesErrors: true } : {}),
      read: (trajectory) => signal.read(trajectory),
      ...(typeof signal.potential === "function"
        ? { potential: (trajectory: Trajectory) => signal.potential?.(trajectory) ?? [] }
        : {}),
    }));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.length > 0 && entries.every(([, read]) => typeof read === "function")) {
      const functions = entries as [string, Parameters<typeof defineSignal>[1]][]; // checked to be functions
      return functions.map(([id, read]) => defineSignal(id, read, { description: `${id} of ${path}`, source: path }));
    }
  }
  throw inputError(
    `Cannot load signals from "${path}": "signals" must be an object of functions or a list of signals`,
    "For example: export const signals = { length: (turn) => turn.action.text.length };",
  );
}

function compilePattern(text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    return new RegExp(text, "i");
  } catch (cause) {
    throw usageError(`Cannot use "${text}" to find self-reports: it is no regular expression (${String(cause)})`);
  }
}

/** Measures each series of each source on its own. */
async function measureSeries(
  sources: readonly EpisodeSource[],
  analysis: Analysis,
  signals: readonly ProcessSignal[],
  { rule, recoveryTurns, gamma, level, replicates, bootstrapSeed: seed }: SignalRunsOptions,
): Promise<SignalsResult[]> {
  const results: SignalsResult[] = [];
  const labeller = rule === undefined ? undefined : await loadTurnRule(rule);
  for (const [index, source] of sources.entries()) {
    for (const [key, label] of analysis.labels[index]) {
      async function* read() {
        for await (const trajectory of readSource(source)) if (getSeriesKey(trajectory) === key) yield trajectory;
      }
      const options = { label, recoveryTurns, gamma, level, replicates, seed };
      if (labeller === undefined) results.push(await measureSignals(read(), signals, options));
      else {
        const result = await measureSignals(labeller.label(read()), signals, { ...options, judge: labeller.judge });
        results.push({ ...result, notes: [...result.notes, describeRule(labeller.rule)] });
      }
    }
  }
  return results;
}

/**
 * Measures which process signals of recorded episodes can be trusted and writes a report with them.
 *
 * @throws {TurnwiseError} (usage) for settings that cannot be used; (input) for runs, files and modules that cannot be read.
 */
export async function signalRuns(inputs: readonly string[], options: SignalRunsOptions = {}): Promise<WrittenReport> {
  if (inputs.length === 0) throw usageError("Cannot measure signals of nothing", "Name run folders or files");
  const { signalFiles = [], logRatio = [], environment = process.env, chat } = options;
  const selfReport = compilePattern(options.selfReport);
  const signals = createBuiltInSignals(selfReport === undefined ? {} : { selfReport });
  const sources = await Promise.all(inputs.map((input) => openSource(input, options)));
  for (const path of signalFiles) signals.push(...(await loadSignals(path)));
  const twice = signals.find(({ id }, i) => signals.findIndex((other) => other.id === id) !== i);
  if (twice !== undefined)
    throw usageError(`Cannot measure two signals called "${twice.id}"`, "Give the user's signal another name");
  const scorers: ResolvedScorer[] = [];
  try {
    for (const text of logRatio)
      scorers.push(await resolveScorer(text, { environment, ...(chat === undefined ? {} : { chat }) }));
    const [from, to] = scorers;
    if (from !== undefined && to !== undefined) signals.push(createLogRatioSignal(from.scorer, to.scorer));
    const analysis = await analyze(sources, options);
    const results = await measureSeries(sources, analysis, signals, options);
    const report = await createReport(sources, analysis, {
      title: options.title ?? `Process signals of ${results.map(({ label }) => label).join(", ")}`,
      question: "Which signals of a turn foretell how the episode will end?",
      signals: results,
    });
    return await writeReport(options.output ?? join("turnwise-runs", nameReportFolder("signals", sources)), report);
  } finally {
    for (const { close } of scorers) await close();
  }
}
