import type { AuditedFile, AuditResult, TokenSample } from "../../core/index.js";
import { startRuleRun, type AuditOptions } from "../audit/run-rules.js";
import { formRules, maskRules } from "./mask-rules.js";

/** A file of training samples to judge. */
export interface MaskFile {
  readonly file: string;
  readonly format: string;
  readonly samples: AsyncIterable<TokenSample> | Iterable<TokenSample>;
  /** Records that could not be read, with place and reason; may grow while samples are read. */
  readonly unread?: readonly string[];
  /** What was repaired in reading; may grow while samples are read. */
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
  const isForm = (ruleId: string): boolean => formRules.some(({ id }) => id === ruleId);
  const asksFormOnly = run.ruleIds.every(isForm);
  for await (const { file, format, samples, unread = [], problems = [] } of files) {
    let rowCount = 0;
    let judgedCount = 0;
    let tokenCount = 0;
    let trainedCount = 0;
    for await (const sample of samples) {
      rowCount += 1;
      tokenCount += sample.ids.length;
      trainedCount += sample.lossMask.reduce((sum, value) => sum + (value ? 1 : 0), 0);
      const judges = run.add(sample);
      if (judges.some((ruleId) => asksFormOnly || !isForm(ruleId))) judgedCount += 1;
    }
    audited.push({
      file,
      format,
      rowCount,
      unreadCount: unread.length,
      judgedCount,
      facts: { tokenCount, trainedCount },
      problems: [...unread, ...problems],
    });
  }
  return { kind: "mask", files: audited, ...run.finish() };
}
