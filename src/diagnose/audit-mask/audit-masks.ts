import type { AuditedFile, AuditResult, TokenSample } from "../../core/index.js";
import { startRuleRun, type AuditOptions } from "../audit/run-rules.js";
import { maskRules } from "./mask-rules.js";

/** A file of training samples to judge. */
export interface MaskFile {
  readonly file: string;
  readonly format: string;
  readonly samples: AsyncIterable<TokenSample> | Iterable<TokenSample>;
  /** What could not be read; may grow while samples are read. */
  readonly problems?: readonly string[];
}

/**
 * Judges training samples by every rule of `maskRules`, each sample on its own; samples are not kept. A rule that lacks
 * what it needs is listed with the reason; it did not pass.
 *
 * @throws {TurnwiseError} (usage) for a rule or threshold that does not exist; whatever reading the samples throws.
 */
export async function auditMasks(
  files: AsyncIterable<MaskFile> | Iterable<MaskFile>,
  options: AuditOptions = {},
): Promise<AuditResult> {
  const run = startRuleRun(maskRules, options);
  const audited: AuditedFile[] = [];
  for await (const { file, format, samples, problems = [] } of files) {
    let rowCount = 0;
    let tokenCount = 0;
    let trainedCount = 0;
    for await (const sample of samples) {
      rowCount += 1;
      tokenCount += sample.ids.length;
      trainedCount += sample.lossMask.reduce((sum, value) => sum + (value ? 1 : 0), 0);
      run.add(sample);
    }
    audited.push({ file, format, rowCount, facts: { tokenCount, trainedCount }, problems });
  }
  return { kind: "mask", files: audited, ...run.finish() };
}
