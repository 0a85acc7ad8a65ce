import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { inputError } from "../../core/index.js";
import { reviewPasses, type ReviewPass } from "../review/passes.js";
import { parseReviewResponse, type ReviewResponse } from "../review/response.js";
import type { AuditFile } from "./audit-file.js";

const traceSchema = z.looseObject({
  round: z.int(),
  pass: z.enum(reviewPasses as [ReviewPass, ...ReviewPass[]]), // the list is not empty
  request: z.looseObject({
    packet_sha256: z.string(),
    backend: z.string(),
    /** The document first. */
    files: z.array(z.looseObject({ sha256: z.string() })),
    packet: z
      .looseObject({
        items: z.array(z.looseObject({ id: z.string(), label: z.string().optional() })),
        block_ids: z.array(z.string()),
        style_rules: z.array(z.looseObject({ text: z.string() })),
      })
      .optional(),
  }),
  responses: z.array(z.looseObject({ sha256: z.string(), text: z.string().optional() })),
  meta: z.looseObject({
    session_id: z.string().optional(),
    identity: z.looseObject({ id: z.string(), family: z.string().optional(), model: z.string().optional() }).optional(),
    started_at: z.string().optional(),
    verdict: z.string().optional(),
    reason_code: z.string().optional(),
  }),
});

/** What a trace keeps of one call of a reviewer, as far as it is read again. */
export type ReviewTrace = z.infer<typeof traceSchema>;

/**
 * Returns the trace that a text holds.
 *
 * @throws {TurnwiseError} (input) for text that is none.
 */
export function parseReviewTrace(text: string, path: string): ReviewTrace {
  try {
    return traceSchema.parse(JSON.parse(text));
  } catch (error) {
    throw inputError(
      `Cannot read the trace "${path}" of an earlier review: it is not as it was written`,
      "Restore the file: without it nobody can tell what a reviewer was told and said",
      error,
    );
  }
}

/** Returns the response that a trace keeps, or `undefined` where it keeps no text or the text was no valid response. */
export function readTracedResponse({ pass, request: { packet }, responses }: ReviewTrace): ReviewResponse | undefined {
  const text = responses.at(-1)?.text;
  if (packet === undefined || text === undefined) return undefined;
  return parseReviewResponse(text, { pass, items: packet.items, block_ids: packet.block_ids }).response;
}

/** A trace as the audit lists it, with the text that the file has now. */
export interface TraceFile {
  readonly path: string;
  readonly sha256: string;
  /** Absent when the file is gone. */
  readonly text?: string;
}

/** Returns the traces that an audit lists, with the texts the files have now; paths are relative to `folder`. */
export async function readTraceFiles({ traces }: Pick<AuditFile, "traces">, folder: string): Promise<TraceFile[]> {
  return Promise.all(
    traces.map(async ({ path, sha256 }) => {
      const text = await readFile(resolve(folder, path), "utf8").catch(() => undefined);
      return { path, sha256, ...(text === undefined ? {} : { text }) };
    }),
  );
}
