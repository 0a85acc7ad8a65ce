// internal
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorMessage, inputError } from "../core/index.js";
import {
  checkTraceMode,
  lintDocument,
  listAnsweredSessions,
  lintRules,
  loadPythonParser,
  parseReviewTrace,
  writeTraces,
  type AuditFile,
  type ContentReview,
  type PacketHistory,
  type PublishDocument,
  type ResidueFile,
  type ReviewBackend,
  type ReviewPass,
  type ReviewRound,
  type RunRoundOptions,
  type TraceMode,
} from "../publish/index.js";
import { readDocuments } from "./publish-files.js";
import { saveWorkspace, type SavedWorkspace } from "./publish-save.js";
import { surveyStages } from "./publish-survey.js";
import { openWorkspace, type PublishWorkspace } from "./publish-workspace.js";
import type { PublishReviewOptions } from "./review-options.js";
import { readEvidence } from "./review-evidence.js";
import { archiveForms, openReviewBackend } from "./review-backend.js";

/** What a packet must not carry: everything that was said before about this document. */
async function readHistory({ review, paths, previous }: PublishWorkspace): Promise<PacketHistory> {
  const responses: string[] = [];
  const evidenceHashes: string[] = [];
  const toldTexts: string[] = [];
  for (const { path } of previous?.audit.traces ?? []) {
    const text = await readFile(resolve(paths.out, path), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const { request, responses: given } = parseReviewTrace(text, path);
    evidenceHashes.push(...request.files.map(({ sha256 }) => sha256));
    responses.push(...given.flatMap(({ text: words }) => words ?? []));
    const { style_rules: rules = [], items = [] } = request.packet ?? {};
    toldTexts.push(...rules.map(({ text: rule }) => rule), ...items.flatMap(({ label }) => label ?? []));
  }
  const said = review.findings.flatMap(({ says, problem, proposed }) => [says, problem, proposed ?? ""]);
  const reasons = review.findings.flatMap(({ state_history }) => state_history.flatMap(({ reason }) => reason ?? []));
  return {
    findingIds: review.findings.flatMap(({ id, fingerprint }) => [id, fingerprint]),
    responses: [...responses, ...said],
    evidenceHashes,
    toldTexts,
    authorTexts: [...review.corrections.flatMap(({ summary }) => summary ?? []), ...reasons],
  };
}

/** Style rules a reviewer may name: those of wording, which take judgement beyond what lint sees. */
function listStyleRules() {
  return lintRules
    .filter(({ id }) => id.startsWith("style.") || id.startsWith("privacy."))
    .map(({ id, description }) => ({ id, text: description }));
}

async function readTopics(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  try {
    const lines = (await readFile(file, "utf8")).split(/\r?\n/);
    return lines
      .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").trim())
      .filter((line) => line !== "" && !line.startsWith("#"));
  } catch (error) {
    throw inputError(`Cannot read topics "${file}": ${errorMessage(error)}`, undefined, error);
  }
}

/**
 * Returns the files in which old wordings are looked for: the documents and their pages in the output folder.
 */
export async function listResidueFiles(documents: readonly PublishDocument[], out: string): Promise<ResidueFile[]> {
  const files = await Promise.all(
    documents.map(async ({ id, file, source, frontMatter }): Promise<ResidueFile[]> => {
      const base = { document: id, pair: frontMatter.translation_of ?? id };
      const page = join(out, `${id}.html`);
      const pages = existsSync(page)
        ? [{ ...base, path: page, kind: "page" as const, text: await readFile(page, "utf8") }]
        : [];
      return [{ ...base, path: file, kind: "source", text: source }, ...pages];
    }),
  );
  return files.flat();
}

/** Everything a round is made with. */
export interface ReviewSetup {
  readonly workspace: PublishWorkspace;
  readonly backend: ReviewBackend;
  readonly passes: readonly ReviewPass[];
  readonly set: readonly PublishDocument[];
  readonly evidence: Awaited<ReturnType<typeof readEvidence>>;
  readonly topics: readonly string[];
  readonly traceMode: TraceMode;
}

/** Returns what the options describe, read and checked. */
export async function prepareReview(file: string, options: PublishReviewOptions): Promise<ReviewSetup> {
  const workspace = await openWorkspace(file, options);
  const { traces = "full", topics: topicFile, set = [], passes } = options;
  checkTraceMode(traces, workspace.level);
  const topics = await readTopics(topicFile);
  const others = set.length === 0 ? [] : await readDocuments(set, { kind: options.kind });
  return {
    workspace,
    backend: await openReviewBackend(options, workspace.paths),
    // A pass is one call of a round, with one trace.
    passes: [
      ...new Set(passes ?? [...workspace.requiredPasses, ...(topics.length > 0 ? (["coverage"] as const) : [])]),
    ],
    set: others.filter(({ id }) => id !== workspace.document.id),
    evidence: await readEvidence(workspace.document, options.evidence, workspace.paths.out),
    topics,
    traceMode: traces,
  };
}

/** Returns what a round is told, with everything its packets must not repeat. */
export async function getRoundOptions(
  { workspace, set, evidence, topics }: ReviewSetup,
  review: ContentReview,
  round: number,
): Promise<RunRoundOptions> {
  const { otherSessions, parties, now } = workspace;
  const used = review.rounds.flatMap(({ pass_results }) => listAnsweredSessions(pass_results));
  return {
    round,
    parties,
    set,
    evidence,
    topics,
    styleRules: listStyleRules(),
    history: await readHistory({ ...workspace, review }),
    usedSessions: new Set([...otherSessions, ...used]),
    now: () => now().getTime(),
  };
}

/** Returns the number of the next round. */
export function getNextRun(review: ContentReview): number {
  return Math.max(0, ...review.rounds.map(({ run }) => run)) + 1;
}

/** Returns the number of lint errors of a text: what lint left where it saw this text, else found anew without waiver files. */
export async function countLintErrors(setup: Pick<ReviewSetup, "set">, workspace: PublishWorkspace): Promise<number> {
  const { lintErrorCount } = await surveyStages(workspace);
  if (lintErrorCount !== undefined) return lintErrorCount;
  const { document, level, now } = workspace;
  const subject = {
    document,
    level,
    set: [document, ...setup.set],
    python: await loadPythonParser(),
    userNames: [],
    hasFile: (path: string) => existsSync(resolve(dirname(document.file), path)),
  };
  return lintDocument(subject, { generatedAt: now().toISOString() }).details.counts.error;
}

/** Puts a round on record: traces, the artefact of the content stage, the audit. */
export async function saveRound(
  setup: ReviewSetup,
  workspace: PublishWorkspace,
  review: ContentReview,
  calls: Parameters<typeof writeTraces>[1],
  round: ReviewRound,
  stopReason?: string,
): Promise<SavedWorkspace> {
  const { paths } = workspace;
  const traces = await writeTraces(paths, calls, round.pass_results, setup.backend, {
    round: round.run,
    mode: setup.traceMode,
  });
  const traced = withTracePaths(review, round.run, traces);
  const contentInputs = Object.fromEntries(setup.evidence.map(({ path, sha256 }) => [path, sha256]));
  const saved = await saveWorkspace(workspace, { review: traced, traces, contentInputs, stopReason });
  await archiveForms(paths, setup.backend.kind === "human" ? round.pass_results : []);
  return saved;
}

function withTracePaths(review: ContentReview, run: number, traces: AuditFile["traces"]): ContentReview {
  const find = (pass: string) => traces.find(({ path }) => path.endsWith(`-${pass}.json`))?.path;
  return {
    ...review,
    rounds: review.rounds.map((round) =>
      round.run !== run
        ? round
        : {
            ...round,
            pass_results: round.pass_results.map((result) => ({
              ...result,
              ...(find(result.pass) === undefined ? {} : { trace_path: find(result.pass) }),
            })),
          },
    ),
  };
}
