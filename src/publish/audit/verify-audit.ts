import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorMessage } from "../../core/index.js";
import { hashAuditText, parseAuditFile, type AuditFile } from "./audit-file.js";
import { findChangedInputs, getPublishPaths, hashFile, type PublishPaths } from "./audit-store.js";
import { checkReviewRecord } from "./check-record.js";
import { readTraceFiles } from "./review-trace.js";

/** One thing an audit says that the files do not bear out. */
export interface VerifyProblem {
  readonly kind: "input" | "output" | "artefact" | "trace" | "record" | "chain" | "audit";
  readonly path: string;
  readonly message: string;
}

/** What checking an audit's hashes came to. */
export interface VerifyResult {
  readonly audit: string;
  readonly checked: {
    readonly inputs: number;
    readonly outputs: number;
    readonly artefacts: number;
    readonly traces: number;
    readonly versions: number;
  };
  readonly problems: readonly VerifyProblem[];
}

async function checkHash(
  kind: VerifyProblem["kind"],
  folder: string,
  path: string,
  expected: string,
): Promise<VerifyProblem[]> {
  const actual = await hashFile(resolve(folder, path));
  if (actual === expected) return [];
  const found = actual === undefined ? "the file is gone" : `its hash is ${actual.slice(0, 23)}`;
  return [{ kind, path, message: `Expected ${expected.slice(0, 23)}: ${found}` }];
}

/** Returns what the record of the review says that its traces do not, apart from files that `known` names already. */
async function checkRecord(
  audit: AuditFile,
  folder: string,
  path: string,
  known: readonly VerifyProblem[],
): Promise<VerifyProblem[]> {
  const faults = checkReviewRecord(audit, await readTraceFiles(audit, folder));
  return (
    faults
      // A review may have been made without traces; that is for the gate to judge.
      .filter(({ rule, path: at }) => rule !== "trace-gone" && !known.some((each) => each.path === at))
      .map(({ message }) => ({ kind: "record", path, message }))
  );
}

/** Follows the chain of earlier versions to the first one. */
async function checkChain(
  paths: PublishPaths,
  audit: AuditFile,
): Promise<{ readonly versions: number; readonly problems: VerifyProblem[] }> {
  let versions = 1;
  let wanted = audit.prev_audit_sha256;
  const seen = new Set<string>();
  while (wanted !== undefined) {
    const path = join(paths.history, `${wanted.slice(7)}.json`);
    const fail = (message: string) => ({ versions, problems: [{ kind: "chain" as const, path, message }] });
    if (seen.has(wanted)) return fail("The chain comes back to a version it passed");
    seen.add(wanted);
    if (!existsSync(path)) return fail("An earlier version of the audit is gone");
    const text = await readFile(path, "utf8");
    if (hashAuditText(text) !== wanted) return fail("An earlier version of the audit was changed");
    try {
      wanted = parseAuditFile(text, path).prev_audit_sha256;
    } catch (error) {
      return fail(errorMessage(error));
    }
    versions += 1;
  }
  return { versions, problems: [] };
}

/**
 * Returns what an audit's hashes say about the files now: the inputs of every stage, the page, the stage artefacts, the
 * traces, and the chain of earlier audits.
 */
export async function verifyAudit(path: string): Promise<VerifyResult> {
  const folder = dirname(path);
  const none = { inputs: 0, outputs: 0, artefacts: 0, traces: 0, versions: 0 };
  let audit: AuditFile;
  try {
    audit = parseAuditFile(await readFile(path, "utf8"), path);
  } catch (error) {
    return { audit: path, checked: none, problems: [{ kind: "audit", path, message: errorMessage(error) }] };
  }
  const problems: VerifyProblem[] = [];
  const inputs = audit.inputs ?? {};
  for (const { path: input, actual } of await findChangedInputs(inputs, folder))
    problems.push({
      kind: "input",
      path: input,
      message: actual === undefined ? "The file is gone" : "The file was changed since a stage read it",
    });
  if (audit.source_sha256 !== undefined && inputs[audit.source] === undefined)
    problems.push(...(await checkHash("input", folder, audit.source, audit.source_sha256)));
  const hasOutput = audit.output !== undefined && audit.output_sha256 !== undefined;
  if (audit.output !== undefined && audit.output_sha256 !== undefined)
    problems.push(...(await checkHash("output", folder, audit.output, audit.output_sha256)));
  let artefacts = 0;
  for (const { artefact, sha256 } of Object.values(audit.stages)) {
    if (artefact === undefined || sha256 === undefined) continue;
    artefacts += 1;
    problems.push(...(await checkHash("artefact", folder, artefact, sha256)));
  }
  for (const trace of audit.traces) problems.push(...(await checkHash("trace", folder, trace.path, trace.sha256)));
  problems.push(...(await checkRecord(audit, folder, path, problems)));
  const chain = await checkChain(getPublishPaths(folder, audit.document_id), audit);
  return {
    audit: path,
    checked: {
      inputs: Object.keys(inputs).length,
      outputs: hasOutput ? 1 : 0,
      artefacts,
      traces: audit.traces.length,
      versions: chain.versions,
    },
    problems: [...problems, ...chain.problems],
  };
}
