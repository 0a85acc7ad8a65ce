import { z } from "zod";
import { sha256, usageError } from "../../core/index.js";
import { runProgram, type ProgramLimits } from "./backends/run-program.js";
import type { Correction } from "./correction.js";
import type { AuditFinding } from "./finding.js";

/** What a fixer did about findings. The text itself it has changed in the file. */
export interface FixReport {
  readonly fixes: readonly {
    readonly finding: string;
    readonly summary: string;
    readonly before: Correction["before"];
    readonly after: string;
    readonly scope?: Correction["scope"];
  }[];
  /** Findings a person must decide. */
  readonly declined: readonly { readonly finding: string; readonly reason: string }[];
}

const patternSchema = z.union([
  z.string().transform((literal) => ({ literal })),
  z.strictObject({ literal: z.string() }),
  z.strictObject({ regex: z.string() }),
]);

const reportSchema = z.strictObject({
  schema: z.literal("review-fix/1"),
  fixes: z.array(
    z.strictObject({
      finding: z.string(),
      summary: z.string().min(1),
      before: z.array(patternSchema).min(1),
      after: z.string(),
      scope: z.enum(["document", "pair", "set"]).optional(),
    }),
  ),
  declined: z.array(z.strictObject({ finding: z.string(), reason: z.string().min(1) })).default([]),
});

/** Returns the request a fixer gets: the findings to fix, without their history. */
export function renderFixRequest(file: string, source: string, findings: readonly AuditFinding[]): string {
  return JSON.stringify({
    schema: "review-fix-request/1",
    file,
    source_sha256: `sha256:${sha256(source)}`,
    findings: findings.map(
      ({ id, category, severity, location, says, problem, evidence, proposed, other_occurrences }) => ({
        id,
        category,
        severity,
        location,
        says,
        problem,
        evidence,
        proposed,
        other_occurrences,
      }),
    ),
  });
}

/**
 * Runs a program that fixes findings: it gets the request on standard input, edits the file, and prints
 * `{ schema: "review-fix/1", fixes: [{ finding, summary, before, after }], declined: [{ finding, reason }] }`.
 *
 * @throws {ReviewerFault} when the program fails; {TurnwiseError} (usage) when it prints something else.
 */
export async function runFixer(
  file: string,
  source: string,
  findings: readonly AuditFinding[],
  limits: ProgramLimits,
): Promise<FixReport> {
  const text = await runProgram(renderFixRequest(file, source, findings), process.cwd(), "fix", limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  return parseFixReport(value, findings, `what the fixer "${limits.command[0]}" printed`);
}

/**
 * Returns the report that a value holds, about findings that are known.
 *
 * @param what Names the value in messages.
 * @throws {TurnwiseError} (usage) for a value of another shape, or about a finding that is not among `findings`.
 */
export function parseFixReport(value: unknown, findings: readonly AuditFinding[], what: string): FixReport {
  const parsed = reportSchema.safeParse(value);
  if (!parsed.success)
    throw usageError(
      `Cannot use ${what}:\n${z.prettifyError(parsed.error)}`,
      "It must be one JSON object of schema review-fix/1",
    );
  const known = new Set(findings.map(({ id }) => id));
  const stranger = [...parsed.data.fixes, ...parsed.data.declined].find(({ finding }) => !known.has(finding));
  if (stranger !== undefined)
    throw usageError(`Cannot use ${what}: it speaks of finding "${stranger.finding}", which is not among those to fix`);
  return parsed.data;
}
