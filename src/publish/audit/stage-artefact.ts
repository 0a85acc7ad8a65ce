import { z } from "zod";
import { inputError } from "../../core/index.js";
import type { Assurance } from "../document.js";
import type { PublishStage, StageArtefact } from "../verdict.js";
import { hash, open, relativePath, verdict } from "./audit-parts.js";

/** All stages, in the order they run and are shown. */
export const publishStages: readonly PublishStage[] = [
  "lint",
  "code",
  "parity",
  "claims",
  "citations",
  "experiment",
  "result_to_claim",
  "proof",
  "content",
  "render",
];

const stageArtefactSchema = open({
  stage: z.enum(publishStages as [PublishStage, ...PublishStage[]]), // the list is not empty
  verdict,
  reason_code: z.string().min(1),
  summary: z.string(),
  audited_input_hashes: z.record(relativePath, hash),
  generated_at: z.string(),
  mode: z.enum(["deterministic", "reviewer"]),
  level: z.enum(["draft", "release"]).optional(),
  details: z.unknown(),
});

/** What a stage wrote, as it was read back. */
export type StoredStageArtefact = StageArtefact & { readonly level?: Assurance };

/**
 * Returns the artefact that a text holds.
 *
 * @throws {TurnwiseError} (input) for text that is none.
 */
export function parseStageArtefact(text: string, path: string): StoredStageArtefact {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw inputError(`Cannot read stage artefact "${path}": it is no JSON`, "Run the stage again", error);
  }
  const parsed = stageArtefactSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw inputError(
    `Cannot read stage artefact "${path}":\n${z.prettifyError(parsed.error)}`,
    "Run the stage again",
    parsed.error,
  );
}

/** Stages that a document of a kind must have at release. */
export function listMandatoryStages(kind: string): PublishStage[] {
  switch (kind) {
    case "report":
      return ["lint", "claims", "experiment", "result_to_claim", "content", "render"];
    case "paper":
      return [...publishStages];
    case "page":
      return ["lint", "render"];
    default:
      return ["lint", "content", "citations", "render"];
  }
}
