// internal
import type { AuditFile, FoundArtefact, PublishStage } from "../publish/index.js";

type FoundArtefacts = ReadonlyMap<PublishStage, FoundArtefact>;

/** Sections of the audit that hold the details of a stage's artefact. */
const sectionNames: Partial<Record<PublishStage, string>> = {
  lint: "lint",
  claims: "claims",
  citations: "citations",
  proof: "proof",
};

/** Returns the sections of the audit that hold the details of stage artefacts. */
export function collectSections(found: FoundArtefacts): Record<string, unknown> {
  return Object.fromEntries(
    [...found].flatMap(([stage, { artefact }]) => {
      const name = sectionNames[stage];
      if (name === undefined || typeof artefact.details !== "object" || artefact.details === null) return [];
      return [[name, { findings: [], ...artefact.details, verdict: artefact.verdict }]];
    }),
  );
}

/** What the render stage writes, as far as the audit holds it. */
interface RenderStageDetails {
  readonly checks?: { readonly [id: string]: string };
  readonly check_details?: { readonly [id: string]: unknown };
  readonly viewport?: readonly string[];
  readonly output_sha256?: string;
}

/** Returns the sections of the audit on the page's checks: a round for each page that was looked at. */
export function collectRenderReview(found: FoundArtefacts, previous: AuditFile | undefined): Record<string, unknown> {
  const artefact = found.get("render")?.artefact;
  if (artefact === undefined || typeof artefact.details !== "object" || artefact.details === null) return {};
  const { checks = {}, check_details = {}, viewport = [], output_sha256 } = artefact.details as RenderStageDetails; // as its stage writes them
  const rounds = previous?.render_review?.rounds ?? [];
  const isKnown = rounds.some(
    (round) => round.output_sha256 === output_sha256 && round["checked_at"] === artefact.generated_at,
  );
  const run = 1 + Math.max(0, ...rounds.map((round) => (typeof round.run === "number" ? round.run : 0)));
  const round = {
    run,
    verdict: artefact.verdict,
    mode: "browser",
    checks,
    check_details,
    viewport: [...viewport],
    ...(output_sha256 === undefined ? {} : { output_sha256 }),
    checked_at: artefact.generated_at,
  };
  // The details of earlier pages are in earlier versions of the audit.
  const earlier = rounds.map(({ check_details: _details, ...rest }) => rest);
  return {
    checks,
    render_review: {
      ...previous?.render_review,
      verdict: artefact.verdict,
      rounds: isKnown ? rounds : [...earlier, round],
      reviewer: "turnwise",
    },
  };
}
