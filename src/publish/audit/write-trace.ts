import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256, usageError } from "../../core/index.js";
import type { Assurance } from "../document.js";
import type { ReviewBackend } from "../review/backend.js";
import type { ReviewCall } from "../review/run-pass.js";
import type { PassResult } from "../review/round-record.js";
import type { AuditFile } from "./audit-file.js";
import { toRelativePath, type PublishPaths } from "./audit-store.js";

/** How much of a reviewer call is kept: all of it, hashes and settings, or nothing. */
export type TraceMode = "full" | "meta" | "off";

/**
 * Checks that a trace mode may be used at a level.
 *
 * @throws {TurnwiseError} (usage) for `off` at release.
 */
export function checkTraceMode(mode: TraceMode, level: Assurance): void {
  if (mode === "off" && level === "release")
    throw usageError("Cannot review for release without traces", "Leave out --traces off, or use --traces meta");
}

/** Returns what is kept of a call. */
function describeCall(
  call: ReviewCall,
  result: PassResult | undefined,
  backend: ReviewBackend,
  round: number,
  mode: TraceMode,
) {
  const { packet } = call;
  const files = [...packet.documents, ...packet.evidence].map((file) => ({
    name: "path" in file ? file.path : file.id,
    sha256: file.sha256,
  }));
  const responses = call.responses.map((text) => ({
    sha256: `sha256:${sha256(text)}`,
    ...(mode === "full" ? { text } : {}),
  }));
  return {
    schema: "review-trace/1",
    mode,
    round,
    pass: call.pass,
    request: {
      packet_sha256: call.packet_sha256,
      task_sha256: packet.task.sha256,
      backend: backend.kind,
      settings: backend.settings,
      files,
      ...(mode === "full" ? { packet } : {}),
    },
    responses,
    ...(call.validator_messages === undefined ? {} : { validator_messages: call.validator_messages }),
    meta: {
      session_id: call.session_id,
      identity: call.identity,
      error: call.error,
      started_at: result?.started_at,
      duration_ms: result?.duration_ms,
      usage: result?.usage,
      verdict: result?.verdict,
      reason_code: result?.reason_code,
    },
  };
}

/** Writes one trace per reviewer call and returns their entries for the audit; none in mode `off`. */
export async function writeTraces(
  paths: PublishPaths,
  calls: readonly ReviewCall[],
  results: readonly PassResult[],
  backend: ReviewBackend,
  { round, mode, label = "round" }: { readonly round: number; readonly mode: TraceMode; readonly label?: string },
): Promise<AuditFile["traces"]> {
  if (mode === "off") return [];
  await mkdir(paths.traces, { recursive: true });
  const entries: AuditFile["traces"] = [];
  for (const call of calls) {
    const result = results.find(({ pass }) => pass === call.pass);
    const text = `${JSON.stringify(describeCall(call, result, backend, round, mode), null, 2)}\n`;
    const path = join(paths.traces, `${label}-${String(round).padStart(3, "0")}-${call.pass}.json`);
    await writeFile(path, text);
    entries.push({
      path: toRelativePath(paths.out, path),
      sha256: `sha256:${sha256(text)}`,
      bytes: Buffer.byteLength(text),
      stage: "content",
      round,
      mode,
    });
  }
  return entries;
}
