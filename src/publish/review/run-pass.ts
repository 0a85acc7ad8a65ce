import { sha256 } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import type { PublishVerdict } from "../verdict.js";
import { ReviewerFault, type ReviewBackend, type ReviewerAnswer, type ReviewSession } from "./backend.js";
import { checkPacket, type IndependenceFinding, type PacketHistory } from "./check-packet.js";
import { createAuditFinding, isBlocking, type AuditFinding } from "./finding.js";
import type { ReviewIdentity } from "./identity.js";
import { buildReviewPacket, hashPacket, renderPacket, type PacketOptions, type ReviewPacket } from "./packet.js";
import type { ReviewPass } from "./passes.js";
import { parseReviewResponse, type ReviewResponse } from "./response.js";
import type { PassResult } from "./round-record.js";

/** What one call of a reviewer left behind, for the trace. */
export interface ReviewCall {
  readonly pass: ReviewPass;
  readonly packet: ReviewPacket;
  readonly packet_sha256: string;
  /** Answers as they came, the repaired one last. */
  readonly responses: readonly string[];
  readonly validator_messages?: readonly string[];
  readonly session_id?: string;
  readonly identity?: ReviewIdentity;
  readonly error?: string;
}

/** What a pass came to. */
export interface PassOutcome {
  readonly result: PassResult;
  readonly findings: readonly AuditFinding[];
  readonly identity?: ReviewIdentity;
  /** Absent when nothing was asked. */
  readonly call?: ReviewCall;
}

/** What a pass needs beside the document and the backend. */
export interface RunPassOptions extends PacketOptions {
  readonly round: number;
  readonly history?: PacketHistory;
  /** Session ids that were used before, in the whole project. */
  readonly usedSessions?: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

function sumUsage(answers: readonly ReviewerAnswer[]): PassResult["usage"] {
  const told = answers.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  if (told.length === 0) return undefined;
  const sum = (values: readonly (number | undefined)[]): number | undefined =>
    values.every((value) => value === undefined)
      ? undefined
      : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return { input: sum(told.map(({ input }) => input)), output: sum(told.map(({ output }) => output)) };
}

/** Returns the verdict of a pass that was answered. */
function judgeResponse(
  response: ReviewResponse,
  findings: readonly AuditFinding[],
  itemCount: number,
): { verdict: PublishVerdict; reason_code: string } {
  const checked = response.coverage.filter(({ status }) => status === "checked").length;
  if (findings.some(isBlocking)) return { verdict: "FAIL", reason_code: "blocking-findings" };
  if (findings.length > 0) return { verdict: "WARN", reason_code: "findings" };
  if (checked < itemCount) return { verdict: "WARN", reason_code: "coverage" };
  return { verdict: "PASS", reason_code: "clean" };
}

interface Answered {
  readonly response?: ReviewResponse;
  readonly answers: readonly ReviewerAnswer[];
  readonly problems?: readonly string[];
}

/** Asks for a review, and once more for its form where that can be mended. */
async function askReviewer(
  session: ReviewSession,
  packet: ReviewPacket,
  canRepair: boolean,
  answers: ReviewerAnswer[],
): Promise<Answered> {
  answers.push(await session.review(packet, renderPacket(packet)));
  const first = parseReviewResponse(answers[0].text, packet);
  if (first.response !== undefined) return { response: first.response, answers };
  if (!canRepair) return { answers, problems: first.problems };
  answers.push(await session.repair(first.problems));
  const second = parseReviewResponse(answers[1].text, packet);
  return second.response === undefined
    ? { answers, problems: second.problems }
    : { response: second.response, answers, problems: first.problems };
}

function describeFault(fault: unknown): { verdict: PublishVerdict; reason_code: string; message: string } {
  if (!(fault instanceof ReviewerFault)) throw fault;
  const verdict = fault.kind === "failed" ? "ERROR" : "REVIEW_UNAVAILABLE";
  return { verdict, reason_code: fault.reasonCode, message: fault.message };
}

/** Returns the outcome of a pass for which nobody was asked. */
function skipPass(
  pass: ReviewPass,
  itemCount: number,
  verdict: PublishVerdict,
  reason_code: string,
  more: Partial<PassResult> = {},
): PassOutcome {
  const coverage_ratio = itemCount === 0 ? 1 : 0;
  const none = { coverage: [], findings: [], limits: [], independence_findings: [], attempts: 0 };
  return {
    result: { pass, verdict, reason_code, coverage_ratio, item_count: itemCount, ...none, ...more },
    findings: [],
  };
}

/** How a conversation with a reviewer went. */
interface Conversation {
  readonly session?: ReviewSession;
  readonly identity?: ReviewIdentity;
  readonly answers: readonly ReviewerAnswer[];
  readonly response?: ReviewResponse;
  /** What the validator said about the first answer, or about the last one when none fits. */
  readonly problems?: readonly string[];
  readonly failure?: ReturnType<typeof describeFault>;
}

async function converse(backend: ReviewBackend, packet: ReviewPacket): Promise<Conversation> {
  const answers: ReviewerAnswer[] = [];
  let session: ReviewSession | undefined;
  try {
    session = await backend.openSession();
    const { response, problems } = await askReviewer(session, packet, backend.canRepair, answers);
    return { session, identity: withAnsweredModel(session.getIdentity(), answers), answers, response, problems };
  } catch (error) {
    const identity = session === undefined ? undefined : withAnsweredModel(session.getIdentity(), answers);
    return { session, identity, answers, failure: describeFault(error) };
  } finally {
    await session?.close();
  }
}

/** Returns the call as the trace keeps it. */
function recordCall(packet: ReviewPacket, packet_sha256: string, talk: Conversation): ReviewCall {
  const { session, identity, answers, problems, failure } = talk;
  return {
    pass: packet.pass,
    packet,
    packet_sha256,
    responses: answers.map(({ text }) => text),
    ...(problems === undefined ? {} : { validator_messages: problems }),
    ...(session === undefined ? {} : { session_id: session.id }),
    ...(identity === undefined ? {} : { identity }),
    ...(failure === undefined ? {} : { error: failure.message }),
  };
}

/** Returns what the result of a pass says of its conversation, whatever came of it. */
function describeConversation(
  { session, answers, failure }: Conversation,
  usedSessions: ReadonlySet<string>,
): Partial<PassResult> & Pick<PassResult, "attempts" | "independence_findings"> {
  const reused: IndependenceFinding[] =
    session !== undefined && usedSessions.has(session.id)
      ? [{ rule: "session.reused", message: `Session "${session.id}" was used before` }]
      : [];
  const last = answers.at(-1);
  return {
    attempts: answers.length + (failure?.verdict === "ERROR" ? 1 : 0),
    independence_findings: reused,
    ...(session === undefined ? {} : { session_id: session.id }),
    ...(last === undefined ? {} : { response_sha256: `sha256:${sha256(last.text)}`, usage: sumUsage(answers) }),
  };
}

/**
 * Runs one pass in a session of its own: builds the packet, checks that it tells nothing but the text, asks, validates,
 * asks once for a better form, and anchors the findings. A packet that breaks the rules is not sent. Nothing is thrown
 * for a reviewer that fails; the result says it.
 */
export async function runReviewPass(
  document: PublishDocument,
  pass: ReviewPass,
  backend: ReviewBackend,
  options: RunPassOptions,
): Promise<PassOutcome> {
  const { round, history = {}, usedSessions = new Set<string>(), now } = options;
  const packet = buildReviewPacket(document, pass, options);
  const itemCount = packet.items.length;
  if (itemCount === 0) return skipPass(pass, 0, "NOT_APPLICABLE", "no-items");
  const packet_sha256 = hashPacket(packet);
  const leaks = checkPacket(packet, history);
  if (leaks.length > 0) {
    const why = { packet_sha256, independence_findings: leaks, message: leaks[0].message };
    return skipPass(pass, itemCount, "ERROR", "packet-not-independent", why);
  }
  const startedAt = now();
  const started_at = new Date(startedAt).toISOString();
  const talk = await converse(backend, packet);
  const { identity, response, problems = [], failure } = talk;
  const call = recordCall(packet, packet_sha256, talk);
  const duration_ms = Math.round(now() - startedAt);
  const base = { packet_sha256, started_at, duration_ms, ...describeConversation(talk, usedSessions) };
  if (response === undefined) {
    const message = failure?.message ?? `The response does not fit: ${problems.slice(0, 3).join("; ")}`;
    const { verdict, reason_code } = failure ?? { verdict: "ERROR" as const, reason_code: "response-invalid" };
    return { ...skipPass(pass, itemCount, verdict, reason_code, { ...base, message }), identity, call };
  }
  const source = {
    pass,
    round,
    reviewer: { id: identity?.id ?? "reviewer", role: "reviewer" as const },
    at: started_at,
  };
  const findings = response.findings.map((raised) => createAuditFinding(raised, document, source));
  const checked = response.coverage.filter(({ status }) => status === "checked").length;
  const isReused = base.independence_findings.length > 0;
  const result: PassResult = {
    pass,
    ...(isReused
      ? { verdict: "ERROR" as const, reason_code: "session-reused" }
      : judgeResponse(response, findings, itemCount)),
    coverage_ratio: checked / itemCount,
    item_count: itemCount,
    coverage: response.coverage,
    findings: [...new Set(findings.map(({ id }) => id))],
    limits: response.limits,
    ...base,
  };
  return { result, findings, identity, call };
}

/** Returns the identity with the model that the server says answered, which may differ from the one asked. */
function withAnsweredModel(identity: ReviewIdentity, answers: readonly ReviewerAnswer[]): ReviewIdentity {
  const model = answers.findLast((answer) => answer.model !== undefined)?.model;
  return model === undefined ? identity : { ...identity, model };
}
