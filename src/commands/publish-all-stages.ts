// internal
import { basename } from "node:path";
import { writeStageArtefact, type PublishStage } from "../publish/index.js";
import { openWorkspace, type AuditCommandOptions } from "./publish-workspace.js";

/** Writes the artefact of a stage that could not be run, so that its absence is on record. */
export async function blockStage(
  file: string,
  stage: PublishStage,
  reason_code: string,
  summary: string,
  options: AuditCommandOptions,
): Promise<void> {
  const { document, paths, now, level } = await openWorkspace(file, options);
  await writeStageArtefact(paths, {
    stage,
    verdict: "BLOCKED",
    reason_code,
    summary,
    audited_input_hashes: { [basename(document.file)]: `sha256:${document.sha256}` },
    generated_at: now().toISOString(),
    mode: "deterministic",
    level,
    details: {},
  });
}
