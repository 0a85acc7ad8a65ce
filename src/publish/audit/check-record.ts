import { canonicalJson, sha256 } from "../../core/index.js";
import type { ContentReview } from "../review/content-review.js";
import type { PassResult, ReviewRound } from "../review/round-record.js";
import { getWorstVerdict } from "../verdict.js";
import type { AuditFile } from "./audit-file.js";
import { readContentReview } from "./build-audit.js";
import { findLifeFault, listLostFindings } from "./check-findings.js";
import { parseReviewTrace, readTracedResponse, type ReviewTrace, type TraceFile } from "./review-trace.js";

/** One thing the record of a review says that its traces do not bear out. */
export interface RecordFault {
  /** `trace-gone` is mended by bringing the file back; the others are changes of what was written. */
  readonly rule: "trace-gone" | "trace-changed" | "round-changed" | "finding-changed";
  readonly message: string;
  /** The trace it is about, as the audit lists it. */
  readonly path?: string;
}

/** A trace that is as it was written, with what it keeps. */
interface SoundTrace {
  readonly path: string;
  readonly trace: ReviewTrace;
}

const changed = (rule: "round-changed" | "finding-changed", message: string): RecordFault => ({ rule, message });
const describe = (run: number, pass: string): string => `Round ${run}, pass ${pass}`;
/** Verdicts that only an answer leads to. */
const answeredVerdicts = ["PASS", "WARN", "FAIL"];

/** Returns the traces of rounds, apart from those of probes, and what is wrong with their files. */
function readRoundTraces(files: readonly TraceFile[]): { traces: SoundTrace[]; faults: RecordFault[] } {
  const traces: SoundTrace[] = [];
  const faults: RecordFault[] = [];
  for (const { path, sha256: expected, text } of files) {
    if (!/(?:^|\/)round-\d+-[a-z]+\.json$/.test(path)) continue;
    if (text === undefined) {
      faults.push({ rule: "trace-gone", message: `The trace "${path}" is gone`, path });
    } else if (`sha256:${sha256(text)}` === expected) {
      try {
        traces.push({ path, trace: parseReviewTrace(text, path) });
      } catch {
        faults.push({ rule: "trace-changed", message: `"${path}" is no trace of a review`, path });
      }
    } else {
      faults.push({ rule: "trace-changed", message: `The trace "${path}" was changed`, path });
    }
  }
  return { traces, faults };
}

/** Returns what a pass result says otherwise than the trace of its call. */
function comparePass({ request, meta, responses }: ReviewTrace, round: ReviewRound, result: PassResult): string[] {
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ["verdict", result.verdict, meta.verdict],
    ["reason", result.reason_code, meta.reason_code],
    ["session", result.session_id, meta.session_id],
    ["packet", result.packet_sha256, request.packet_sha256],
    ["response", result.response_sha256, responses.at(-1)?.sha256],
    ["backend", round.backend, request.backend],
    ["text", round.source_sha256, request.files.at(0)?.sha256],
  ];
  return pairs.filter(([, said, kept]) => said !== kept).map(([what]) => `the ${what} is not that of the trace`);
}

/** Returns what a pass result says of coverage otherwise than the response; nothing where the text was not kept. */
function compareCoverage(trace: ReviewTrace, result: PassResult): string[] {
  const response = readTracedResponse(trace);
  const itemCount = trace.request.packet?.items.length ?? 0;
  if (response === undefined || itemCount === 0) return [];
  const pick = (entries: PassResult["coverage"]) => entries.map(({ item, status, method }) => [item, status, method]);
  const checked = response.coverage.filter(({ status }) => status === "checked").length;
  const isSame =
    canonicalJson(pick(response.coverage)) === canonicalJson(pick(result.coverage)) &&
    result.item_count === itemCount &&
    result.coverage_ratio === checked / itemCount;
  return isSame ? [] : ["the coverage is not that of the trace"];
}

function checkTrace({ trace }: SoundTrace, { rounds, findings }: ContentReview): RecordFault[] {
  const where = describe(trace.round, trace.pass);
  const round = rounds.find(({ run }) => run === trace.round);
  const result = round?.pass_results.find(({ pass }) => pass === trace.pass);
  if (round === undefined || result === undefined)
    return [changed("round-changed", `${where}: it has a trace and is not on record`)];
  const response = readTracedResponse(trace);
  const lost = response === undefined ? [] : listLostFindings(response, round.run, trace.pass, findings);
  return [
    ...[...comparePass(trace, round, result), ...compareCoverage(trace, result)].map((what) =>
      changed("round-changed", `${where}: ${what}`),
    ),
    ...lost.map((what) => changed("finding-changed", `${where}: its finding "${what}" is not on record as raised`)),
  ];
}

function hasTrace(traces: readonly SoundTrace[], path: string): boolean {
  return traces.some((each) => each.path === path);
}

/** Returns where a round contradicts itself or the traces of its passes. */
function checkRound(
  round: ReviewRound,
  traces: readonly SoundTrace[],
  listed: ReadonlySet<string>,
  { findings }: ContentReview,
): RecordFault[] {
  const { run, verdict, voided, pass_results: results, started_at } = round;
  const faults: string[] = [];
  if (verdict !== getWorstVerdict(results.map((result) => result.verdict)))
    faults.push(`Round ${run}: the verdict is not that of its passes`);
  if (voided !== results.some(({ independence_findings }) => independence_findings.length > 0))
    faults.push(`Round ${run}: whether it counts is not what its passes say`);
  const identities = traces.flatMap(({ trace }) => trace.meta.identity ?? []);
  // Passes may have been answered by several people, and the round names one; a trace that is gone may be that one's.
  const isWhole = results.every(({ trace_path }) => trace_path === undefined || hasTrace(traces, trace_path));
  const isReviewer = identities.some(
    ({ id, family, model }) =>
      id === round.reviewer_id && family === round.reviewer_family && model === round.reviewer_model,
  );
  if (isWhole && identities.length > 0 && !isReviewer)
    faults.push(`Round ${run}: the reviewer is not that of the traces`);
  const starts = traces.flatMap(({ trace }) => trace.meta.started_at ?? []);
  if (starts.length > 0 && starts.every((start) => Date.parse(start) < Date.parse(started_at)))
    faults.push(`Round ${run}: it began after its passes`);
  for (const { pass, verdict: each, response_sha256, trace_path } of results) {
    if (answeredVerdicts.includes(each) && response_sha256 === undefined)
      faults.push(`${describe(run, pass)}: it has a verdict and no response`);
    if (trace_path !== undefined && !listed.has(trace_path))
      faults.push(`${describe(run, pass)}: its trace is not listed any more`);
  }
  const lost = results
    .flatMap((result) => result.findings)
    .filter((id) => !findings.some((finding) => finding.id === id && (finding.rounds ?? []).includes(run)));
  return [
    ...faults.map((message) => changed("round-changed", message)),
    ...lost.map((id) => changed("finding-changed", `Round ${run}: its finding "${id}" is not on record`)),
  ];
}

/** Returns the passes whose latest answer about the text as it is counts and has no trace. */
function listUntraced({ source_sha256 }: AuditFile, rounds: readonly ReviewRound[], traces: readonly TraceFile[]) {
  const latest = new Map(
    rounds
      .filter((round) => !round.voided && round.source_sha256 === source_sha256)
      .flatMap(({ run, pass_results }) => pass_results.map((result) => ({ run, ...result })))
      .filter(({ response_sha256 }) => response_sha256 !== undefined)
      .map((result) => [result.pass, result]),
  );
  const traced = new Set(
    traces.map(({ path }) =>
      path.replace(/^(?:.*\/)?round-0*(\d+)-([a-z]+)\.json$/, (_, run, pass) => `${run} ${pass}`),
    ),
  );
  return [...latest.values()]
    .filter(({ run, pass }) => !traced.has(`${run} ${pass}`))
    .map(({ run, pass }): RecordFault => ({ rule: "trace-gone", message: `${describe(run, pass)} has no trace` }));
}

/** Findings an import made of old records had no life that could be followed. */
function isImported({ legacy }: AuditFile, category: string): boolean {
  return legacy !== undefined && (category.startsWith("legacy.") || category === "audit.no-defer");
}

/**
 * Returns where the record of a review differs from the traces of its calls and from what a finding's life allows, so
 * that a verdict computed from it can be trusted: who answered, in which session, about which text, what was covered and
 * found, and by whom findings were settled. Traces that keep no texts are compared as far as they go. It finds a record
 * that was edited, not one that was invented whole together with its traces: nothing here is signed.
 *
 * @param files The traces that the audit lists, with the texts the files have now.
 */
export function checkReviewRecord(audit: AuditFile, files: readonly TraceFile[]): RecordFault[] {
  const review = readContentReview(audit);
  const { traces, faults } = readRoundTraces(files);
  const listed = new Set(files.map(({ path }) => path));
  return [
    ...faults,
    ...traces.flatMap((each) => checkTrace(each, review)),
    ...review.rounds.flatMap((round) =>
      checkRound(
        round,
        traces.filter(({ trace }) => trace.round === round.run),
        listed,
        review,
      ),
    ),
    ...listUntraced(audit, review.rounds, files),
    ...review.findings
      .filter(({ category }) => !isImported(audit, category))
      .flatMap((finding) => {
        const fault = findLifeFault(finding, review);
        return fault === undefined ? [] : [changed("finding-changed", `Finding "${finding.id}": ${fault}`)];
      }),
  ];
}
