import { wilsonInterval } from "../../stats/index.js";
import type { PublishDocument } from "../document.js";
import type { ReviewBackend } from "./backend.js";
import type { AuditFinding } from "./finding.js";
import { applyMutations, drawMutations, type Mutation, type MutationClass } from "./mutations.js";
import { reviewPasses } from "./passes.js";
import type { PassResult } from "./round-record.js";
import { runReviewPass, type ReviewCall, type RunPassOptions } from "./run-pass.js";

/** How many of the known defects of a class a reviewer found. */
export interface ProbeRecall {
  readonly class: MutationClass;
  readonly n: number;
  readonly found: number;
  /** `found / n` with its 95 % interval (Wilson). */
  readonly recall: number;
  readonly low: number;
  readonly high: number;
}

/** What a probe with known defects came to. */
export interface SeededProbe {
  readonly seed: number;
  readonly recall: readonly ProbeRecall[];
  readonly mutations: readonly (Mutation & { readonly found: boolean })[];
  readonly passes: readonly PassResult[];
  /** Findings that point at no known defect: new ones, or false alarms. */
  readonly otherFindings: number;
}

/** Settings of {@linkcode probeReviewer}. */
export interface ProbeOptions extends RunPassOptions {
  readonly classes?: readonly MutationClass[];
  /** Most defects of each class. Default 3. */
  readonly perClass?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Reads the copy as a document. */
  readonly parse: (source: string) => PublishDocument | Promise<PublishDocument>;
}

/** Lines by which a finding may miss the place of a defect. */
const tolerance = 1;

function pointsAt({ location }: AuditFinding, { line, block }: Mutation, document: PublishDocument): boolean {
  const { line_start: from, line_end: to = from } = location;
  const mutated = document.blocks.find(({ id }) => id === block);
  // A short block is one place; in a long one the finding must come near the line.
  if (location.block === block && mutated !== undefined && mutated.lineEnd - mutated.lineStart <= 3) return true;
  return from !== undefined && to !== undefined && from - tolerance <= line && line <= to + tolerance;
}

/**
 * Measures a reviewer by putting known defects into copies of a document and running the passes that should find them.
 * Passes that could not be run leave their classes out. Nothing of it goes into the audit's findings.
 */
export async function probeReviewer(
  document: PublishDocument,
  backend: ReviewBackend,
  options: ProbeOptions,
): Promise<{ readonly probe: SeededProbe; readonly calls: readonly ReviewCall[] }> {
  const { classes, perClass, seed = 1, parse } = options;
  const drawn = drawMutations(document, { classes, perClass, seed });
  const mutations: (Mutation & { readonly found: boolean })[] = [];
  const passes: PassResult[] = [];
  const calls: ReviewCall[] = [];
  let otherFindings = 0;
  for (const pass of reviewPasses) {
    const planted = drawn.filter((mutation) => mutation.pass === pass);
    if (planted.length === 0) continue;
    const copy = await parse(applyMutations(document.source, planted));
    const { result, findings, call } = await runReviewPass(copy, pass, backend, options);
    passes.push(result);
    if (call !== undefined) calls.push(call);
    if (result.verdict === "ERROR" || result.verdict === "REVIEW_UNAVAILABLE" || result.verdict === "NOT_APPLICABLE")
      continue;
    mutations.push(
      ...planted.map((mutation) => ({ ...mutation, found: findings.some((each) => pointsAt(each, mutation, copy)) })),
    );
    otherFindings += findings.filter((each) => !planted.some((mutation) => pointsAt(each, mutation, copy))).length;
  }
  return { probe: { seed, recall: summarizeRecall(mutations), mutations, passes, otherFindings }, calls };
}

function summarizeRecall(mutations: readonly (Mutation & { readonly found: boolean })[]): ProbeRecall[] {
  return [...new Set(mutations.map((mutation) => mutation.class))].map((name) => {
    const planted = mutations.filter((mutation) => mutation.class === name);
    const found = planted.filter((mutation) => mutation.found).length;
    const { lower, upper } = wilsonInterval(found, planted.length);
    return { class: name, n: planted.length, found, recall: found / planted.length, low: lower, high: upper };
  });
}
