import { basename } from "node:path";
import type { PublishDocument } from "../../document.js";
import type { PublishVerdict, StageArtefact } from "../../verdict.js";
import type { CodeOutcome, CodeRun } from "./run-code.js";

/** The body of the artefact of the stage `code`. */
export interface CodeDetails {
  readonly document: string;
  readonly runs: readonly CodeRun[];
  readonly counts: { readonly [outcome in CodeOutcome]: number };
}

/**
 * Returns the artefact of running a document's code: FAIL with a block that failed, BLOCKED with one that could not be
 * run, WARN with skipped ones, NOT_APPLICABLE without code, PASS otherwise. Blocks that are only parsed pass by parsing.
 */
export function judgeCodeRuns(
  document: PublishDocument,
  runs: readonly CodeRun[],
  generatedAt: string,
): StageArtefact<CodeDetails> {
  const count = (outcome: CodeOutcome): number => runs.filter((run) => run.outcome === outcome).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    blocked: count("blocked"),
    skipped: count("skipped"),
    parsed: count("parsed"),
  };
  const [verdict, reason]: readonly [PublishVerdict, string] =
    runs.length === 0
      ? ["NOT_APPLICABLE", "no-code"]
      : counts.failed > 0
        ? ["FAIL", "code-failed"]
        : counts.blocked > 0
          ? ["BLOCKED", "code-blocked"]
          : counts.skipped > 0
            ? ["WARN", "code-skipped"]
            : ["PASS", "code-sound"];
  return {
    stage: "code",
    verdict,
    reason_code: reason,
    summary: `${runs.length} code blocks: ${counts.passed} ran as said, ${counts.failed} failed, ${counts.blocked} blocked, ${counts.skipped} skipped, ${counts.parsed} parsed only`,
    audited_input_hashes: { [basename(document.file)]: `sha256:${document.sha256}` },
    generated_at: generatedAt,
    mode: "deterministic",
    details: { document: document.id, runs, counts },
  };
}
