import { join } from "node:path";
import { inputError, usageError } from "../core/index.js";
import { measureLikelihood } from "../diagnose/index.js";
import { analyze, readSource, type AnalysisOptions } from "./analyze.js";
import type { ChatSettings } from "./chat-settings.js";
import { openSource } from "./compare.js";
import type { FileSourceOptions } from "./file-source.js";
import { loadRendering, resolveScorer, type ResolvedScorer } from "./resolve-scorer.js";
import type { RunEvents, RunStop } from "./run-events.js";
import { nameReportFolder } from "./report-folder.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** What `turnwise likelihood` does. */
export interface LikelihoodRunsOptions extends AnalysisOptions, FileSourceOptions {
  /** Scorer specifications; see {@linkcode resolveScorer}. Log-ratios are against the first one. */
  readonly scorers: readonly string[];
  /** Module with the rendering of turns that have no token ids; see {@linkcode loadRendering}. */
  readonly rendering?: string;
  readonly chat?: ChatSettings;
  readonly environment?: { readonly [name: string]: string | undefined };
  readonly events?: RunEvents;
  readonly stop?: RunStop;
  /** Folder of the report; default `turnwise-runs/likelihood-NAMES`. */
  readonly output?: string;
  readonly title?: string;
}

/**
 * Scores the turns of recorded episodes under models and writes a report with their likelihood by segment.
 *
 * @throws {TurnwiseError} (usage) for scorers that cannot be had; (input) for runs and files that cannot be read or hold no
 * graded episode, scorers of the user's that fail, and a server that fails for good.
 */
export async function likelihoodRuns(
  inputs: readonly string[],
  options: LikelihoodRunsOptions,
): Promise<WrittenReport> {
  if (inputs.length === 0) throw usageError("Cannot score nothing", "Name run folders or files");
  const { environment = process.env, chat, events, stop, level, replicates, bootstrapSeed: seed } = options;
  const sources = await Promise.all(inputs.map((input) => openSource(input, options)));
  const analysis = await analyze(sources, { ...options, mustCompare: true });
  const render = options.rendering === undefined ? undefined : await loadRendering(options.rendering);
  const resolved: ResolvedScorer[] = [];
  // Scores are not kept, so there is nothing to wait for once a stop is asked for.
  const signal = stop?.drain ?? stop?.abort;
  try {
    for (const text of options.scorers) {
      resolved.push(
        await resolveScorer(
          text,
          { environment, ...(chat === undefined ? {} : { chat }), ...(events === undefined ? {} : { events }) },
          render,
        ),
      );
    }
    async function* readAll() {
      for (const source of sources) yield* readSource(source);
    }
    let told = 0;
    const likelihood = await measureLikelihood(
      readAll(),
      resolved.map(({ scorer }) => scorer),
      {
        ...(level === undefined ? {} : { level }),
        ...(replicates === undefined ? {} : { replicates }),
        ...(seed === undefined ? {} : { seed }),
        ...(signal === undefined ? {} : { signal }),
        onProgress(episodes) {
          // Each line when twice as many are done: a few lines, however long the run.
          if (episodes < 2 * told) return;
          told = episodes;
          events?.onMessage?.(`${episodes} episodes scored`);
        },
      },
    );
    const report = await createReport(sources, analysis, {
      title: options.title ?? `Likelihood under ${resolved.map(({ scorer }) => scorer.id).join(", ")}`,
      question: "Where did training move probability?",
      likelihood,
    });
    return await writeReport(options.output ?? join("turnwise-runs", nameReportFolder("likelihood", sources)), report);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw inputError(
      "Stopped before every turn was scored: no report was written",
      "Run the same command again",
      error,
    );
  } finally {
    for (const { close } of resolved) await close();
  }
}
