import { resolve } from "node:path";
import {
  addRound,
  runFixer,
  runReviewLoop,
  runReviewRound,
  scanResidue,
  verifyFixes,
  type AuditFile,
  type ContentReview,
  type Correction,
  type LoopStop,
  type PublishDocument,
  type ReviewRound,
} from "../publish/index.js";
import { readDocuments } from "./publish-files.js";
import { saveWorkspace, type SavedWorkspace } from "./publish-save.js";
import { splitCommandLine } from "./review-backend.js";
import type { PublishReviewOptions } from "./review-options.js";
import {
  countLintErrors,
  getNextRun,
  getRoundOptions,
  listResidueFiles,
  prepareReview,
  saveRound,
  type ReviewSetup,
} from "./review-setup.js";

/** What a review came to. */
export interface ReviewedDocument {
  readonly id: string;
  readonly file: string;
  readonly audit: AuditFile;
  readonly verdict: string;
  readonly reason_code: string;
  readonly summary: string;
  readonly stop?: LoopStop;
  readonly rounds: readonly ReviewRound[];
  readonly written: readonly string[];
}

function describeOutcome(
  { workspace, audit, survey, written }: SavedWorkspace,
  rounds: readonly ReviewRound[],
  stop?: LoopStop,
): ReviewedDocument {
  const { document } = workspace;
  const { verdict = "NOT_APPLICABLE", reason_code = "no-review", summary = "" } = survey.content ?? {};
  return {
    id: document.id,
    file: document.file,
    audit,
    verdict,
    reason_code,
    summary,
    ...(stop === undefined ? {} : { stop }),
    rounds,
    written,
  };
}

async function reviewOnce(setup: ReviewSetup): Promise<ReviewedDocument> {
  const { workspace, backend, passes, set } = setup;
  const { document, now, paths } = workspace;
  const run = getNextRun(workspace.review);
  const outcome = await runReviewRound(document, passes, backend, await getRoundOptions(setup, workspace.review, run));
  const at = now().toISOString();
  let review = addRound(workspace.review, outcome, document, at);
  review = {
    ...review,
    corrections: scanResidue(review.corrections, await listResidueFiles([document, ...set], paths.out), at),
  };
  const hasFixes = review.findings.some(({ state }) => state === "fixed");
  review = verifyFixes(review, document, hasFixes ? await countLintErrors(setup, workspace) : undefined, at);
  const saved = await saveRound(setup, workspace, review, outcome.calls, outcome.round);
  return describeOutcome(saved, [outcome.round]);
}

async function rereadDocument(document: PublishDocument, options: PublishReviewOptions): Promise<PublishDocument> {
  const [again] = await readDocuments([document.file], { kind: options.kind, lang: options.lang });
  return again;
}

async function reviewInLoop(setup: ReviewSetup, options: PublishReviewOptions): Promise<ReviewedDocument> {
  const { backend, passes, set } = setup;
  const { now, paths, parties } = setup.workspace;
  const { fixerCommand, environment = {}, timeoutSeconds, signal, onMessage, maxRounds = 10 } = options;
  let saved: SavedWorkspace | undefined;
  let workspace = setup.workspace;
  const rounds: ReviewRound[] = [];
  const scan = async (corrections: readonly Correction[], document: PublishDocument): Promise<readonly Correction[]> =>
    scanResidue(corrections, await listResidueFiles([document, ...set], paths.out), now().toISOString());
  const outcome = await runReviewLoop(
    { review: workspace.review, document: workspace.document },
    {
      runRound: async ({ review, document }, run) =>
        runReviewRound(
          document,
          passes,
          backend,
          await getRoundOptions({ ...setup, workspace: { ...workspace, document } }, review, run),
        ),
      onRound: async ({ review, document }, round, calls) => {
        saved = await saveRound(setup, { ...workspace, document }, review, calls, round);
        workspace = saved.workspace;
        rounds.push(round);
        onMessage?.(`round ${round.run}: ${round.verdict} (${round.reason_code})`);
      },
      fix:
        fixerCommand === undefined
          ? undefined
          : async ({ document }, findings) => {
              const limits = { command: splitCommandLine(fixerCommand), environment, timeoutSeconds, signal };
              const report = await runFixer(resolve(document.file), document.source, findings, limits);
              return { report, document: await rereadDocument(document, options) };
            },
      scanResidue: scan,
      countLintErrors: (document) => countLintErrors(setup, { ...workspace, document }),
      fixer: { id: parties.fixer?.id ?? parties.author?.id ?? "fixer", role: "fixer" },
      hasArbiter: parties.arbiter !== undefined,
      now: () => now().toISOString(),
    },
    { hardLimit: maxRounds, softLimit: Math.min(6, maxRounds) },
  );
  const last = await saveWorkspace(
    { ...workspace, document: outcome.document },
    {
      review: withKnownTraces(outcome.review, workspace.review),
      stopReason: outcome.stop,
      contentInputs:
        saved === undefined ? undefined : Object.fromEntries(setup.evidence.map(({ path, sha256 }) => [path, sha256])),
    },
  );
  return describeOutcome(
    { ...last, written: [...new Set([...(saved?.written ?? []), ...last.written])] },
    rounds,
    outcome.stop,
  );
}

/** The loop's own state does not know where traces were put; the saved one does. */
function withKnownTraces(review: ContentReview, known: ContentReview): ContentReview {
  return {
    ...review,
    rounds: review.rounds.map((round) => ({
      ...round,
      pass_results: known.rounds.find(({ run }) => run === round.run)?.pass_results ?? round.pass_results,
    })),
  };
}

/**
 * Reviews a document: one round, or rounds until there is a reason to stop. Writes traces, the artefact of the content
 * stage and the audit. A reviewer that is missing or fails is a verdict, not an error.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function reviewFile(file: string, options: PublishReviewOptions = {}): Promise<ReviewedDocument> {
  const setup = await prepareReview(file, options);
  return options.isLoop === true ? reviewInLoop(setup, options) : reviewOnce(setup);
}
