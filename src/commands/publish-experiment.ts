import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { z } from "zod";
import { errorMessage, inputError, sha256 } from "../core/index.js";
import {
  auditExperiment,
  findEligibilityFault,
  judgeResults,
  readStageArtefacts,
  toRelativePath,
  writeStageArtefact,
  type ClaimsDetails,
  type ExperimentAudit,
  type ExperimentClaim,
  type ExperimentRun,
  type PublishVerdict,
  type ResultJudgement,
  type StoredStageArtefact,
} from "../publish/index.js";
import { readRun } from "../records/index.js";
import { readPublishConfig } from "./publish-files.js";
import type { PublishWorkspace } from "./publish-workspace.js";

const texts = z.array(z.string());
const evaluationType = z.enum(["real_gt", "synthetic_proxy", "self_supervised_proxy", "simulation_only", "human_eval"]);

const runSchema = z.strictObject({
  id: z.string().min(1),
  status: z.enum(["complete", "partial", "failed"]).optional(),
  plannedEpisodes: z.int().min(0).optional(),
  finishedEpisodes: z.int().min(0).optional(),
  seeds: z.array(z.number()).optional(),
  scorer: z.strictObject({ id: z.string(), version: z.string().optional() }).optional(),
  reference: z
    .strictObject({ source: z.enum(["dataset", "human", "program", "model"]), isProxyLabelled: z.boolean().optional() })
    .optional(),
  normalisation: z
    .strictObject({
      denominator: z.enum(["dataset", "baseline", "own_outputs", "none"]),
      isRawShown: z.boolean().optional(),
    })
    .optional(),
  taskIds: texts.optional(),
  trainTaskIds: texts.optional(),
  exampleTaskIds: texts.optional(),
  definedMetrics: texts.optional(),
  writtenMetrics: texts.optional(),
  evaluationType: evaluationType.optional(),
  /** A file, relative to the manifest, with the hash it had when it was scored. */
  trace: z.strictObject({ path: z.string(), sha256: z.string() }).optional(),
});

const claimSchema = z.strictObject({
  id: z.string().min(1),
  runs: texts,
  wording: z.string(),
  n: z.number().optional(),
  /** Values as JSON Pointers into files, relative to this file. */
  values: z.array(z.strictObject({ file: z.string(), key: z.string() })).default([]),
});

const judgementsSchema = z.strictObject({
  reviewer: z.strictObject({ id: z.string().min(1), family: z.string().optional(), model: z.string().optional() }),
  results: z.array(
    z.strictObject({
      claim: z.string(),
      claim_supported: z.enum(["yes", "partial", "no"]),
      supported: texts.default([]),
      not_supported: texts.default([]),
      missing_evidence: texts.default([]),
      suggested_wording: z.string().optional(),
      next_experiments: texts.default([]),
      confidence: z.enum(["high", "medium", "low"]),
    }),
  ),
});

const configSchema = z.strictObject({
  /** Run folders of turnwise, or manifests as JSON. */
  runs: texts.default([]),
  claims: z.string().optional(),
  judgements: z.string().optional(),
  evaluation_type: evaluationType.optional(),
});

/** Reads files and remembers their hashes. */
interface InputReader {
  readonly hashes: { [path: string]: string };
  readJson<Schema extends z.ZodType>(file: string, schema: Schema, what: string): Promise<z.infer<Schema>>;
}

function createInputReader(folder: string): InputReader {
  const hashes: { [path: string]: string } = {};
  return {
    hashes,
    async readJson(file, schema, what) {
      let value: unknown;
      try {
        const bytes = await readFile(file);
        hashes[toRelativePath(folder, file)] = `sha256:${sha256(bytes)}`;
        value = JSON.parse(bytes.toString("utf8"));
      } catch (error) {
        throw inputError(`Cannot read ${what} "${file}": ${errorMessage(error)}`, undefined, error);
      }
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      throw inputError(`Cannot use ${what} "${file}":\n${z.prettifyError(parsed.error)}`);
    },
  };
}

/** Returns what a run folder of turnwise says of itself. Its grader is a program with the version of its env. */
async function describeRunFolder(
  folder: string,
  type: z.infer<typeof evaluationType> | undefined,
): Promise<ExperimentRun> {
  const reader = await readRun(folder);
  const { manifest } = reader;
  const rows = reader.listRows();
  reader.close();
  const finished = rows.filter(({ errorClass }) => errorClass === undefined).length;
  const planned = manifest.plannedEpisodes;
  return {
    id: manifest.runId,
    file: `${basename(folder)}/run.json`,
    ...(planned === undefined
      ? {}
      : { status: finished >= planned ? "complete" : "partial", plannedEpisodes: planned }),
    finishedEpisodes: finished,
    seeds: Object.values(manifest.seeds ?? {}),
    ...(manifest.suite === undefined
      ? {}
      : { scorer: { id: manifest.suite.envId, version: manifest.suite.envVersion }, reference: { source: "program" } }),
    normalisation: { denominator: "none" },
    taskIds: [...new Set(rows.map(({ task }) => task.hash))],
    ...(type === undefined ? {} : { evaluationType: type }),
  };
}

async function readManifests(file: string, reader: InputReader): Promise<ExperimentRun[]> {
  const found = await reader.readJson(file, z.union([runSchema, z.array(runSchema)]), "run manifest");
  return Promise.all(
    (Array.isArray(found) ? found : [found]).map(async ({ trace, ...run }) => {
      const path = trace === undefined ? undefined : resolve(dirname(file), trace.path);
      const bytes = path === undefined || !existsSync(path) ? undefined : await readFile(path);
      const checked =
        trace === undefined
          ? {}
          : {
              trace: { recorded: trace.sha256, ...(bytes === undefined ? {} : { actual: `sha256:${sha256(bytes)}` }) },
            };
      return { ...run, ...checked, file: basename(file) };
    }),
  );
}

/** Returns whether a JSON Pointer leads somewhere in a file. */
async function hasValue(file: string, pointer: string): Promise<boolean> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch {
    return false;
  }
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return false;
    value = (value as Readonly<Record<string, unknown>>)[part.replaceAll("~1", "/").replaceAll("~0", "~")]; // arrays take their indexes alike
  }
  return value !== undefined && value !== null;
}

async function readClaims(file: string, reader: InputReader): Promise<ExperimentClaim[]> {
  const claims = await reader.readJson(file, z.array(claimSchema), "claims");
  return Promise.all(
    claims.map(async (claim) => {
      const values = claim.values.map(async ({ file: path, key }) => ({
        file: path,
        key,
        isFound: await hasValue(resolve(dirname(file), path), key),
      }));
      return { ...claim, values: await Promise.all(values) };
    }),
  );
}

/**
 * Returns judgements that count: those of a reviewer apart from the author. A reviewer's word on the own text is none.
 */
function takeJudgements(
  found: z.infer<typeof judgementsSchema> | undefined,
  workspace: PublishWorkspace,
): readonly ResultJudgement[] | undefined {
  if (found === undefined) return undefined;
  return findEligibilityFault(found.reviewer, workspace.parties) === undefined ? found.results : undefined;
}

function toArtefact(
  stage: "experiment" | "result_to_claim",
  { verdict, reason_code }: { readonly verdict: PublishVerdict; readonly reason_code: string },
  summary: string,
  details: unknown,
  workspace: PublishWorkspace,
  hashes: InputReader["hashes"],
): StoredStageArtefact {
  const source = { [basename(workspace.document.file)]: `sha256:${workspace.document.sha256}` };
  return {
    stage,
    verdict,
    reason_code,
    summary,
    audited_input_hashes: { ...source, ...hashes },
    generated_at: workspace.now().toISOString(),
    mode: stage === "experiment" ? "deterministic" : "reviewer",
    details,
  };
}

/** Statuses of claims whose value was not found in its evidence. */
const missingStatuses: readonly string[] = ["missing_evidence", "selector_error", "stale_evidence"];

/**
 * Returns the claims that the ledger of a document holds, as the claims stage left them: each rests on the runs whose
 * folder holds its artefacts, or on all runs where the artefacts lie in none of them.
 */
async function readLedgerClaims(
  { document, paths }: PublishWorkspace,
  runs: readonly { readonly folder: string; readonly id: string }[],
  hashes: { [path: string]: string },
): Promise<ExperimentClaim[]> {
  const found = (await readStageArtefacts(paths)).found.get("claims");
  const details = found?.artefact.details as Partial<ClaimsDetails> | undefined; // written by the claims stage; parts may lack
  const folder = dirname(document.file);
  Object.assign(hashes, found?.artefact.audited_input_hashes ?? {});
  const roots = [".", ...(document.frontMatter.evidence ?? [])].map((root) => resolve(folder, root));
  const isIn = (file: string, run: string): boolean => {
    const place = resolve(run) + sep;
    return roots.some((root) => resolve(root, file).startsWith(place));
  };
  return (details?.claims ?? []).map(({ id, inputs, occurrences, n, status }) => {
    const own = runs.filter((run) => inputs.some(({ artefact }) => isIn(artefact, run.folder)));
    const lines = occurrences.map(({ line }) => document.lines[line - 1] ?? "");
    return {
      id,
      runs: (own.length > 0 ? own : runs).map((run) => run.id),
      wording: [...new Set(lines)].join(" ").trim(),
      ...(n === undefined ? {} : { n }),
      values: inputs.map(({ artefact, select }) => ({
        file: artefact,
        key: select,
        isFound: !missingStatuses.includes(status),
      })),
    };
  });
}

/** Returns the run folders among the evidence of a document: the folders it names, and those right below. */
async function listEvidenceRuns({ document }: PublishWorkspace): Promise<string[]> {
  const roots = (document.frontMatter.evidence ?? []).map((root) => resolve(dirname(document.file), root));
  const below = await Promise.all(
    roots.map(async (root) => {
      const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(root, name))
        .sort();
    }),
  );
  return [...new Set([...roots, ...below.flat()])].filter((path) => existsSync(join(path, "run.json")));
}

/** What the two stages came to, with the sections of the audit that hold them. */
export interface ExperimentStages {
  readonly sections: Readonly<Record<string, unknown>>;
  readonly written: readonly string[];
}

/** Reads what the configuration names, with paths relative to its folder, and audits it. */
async function auditConfigured(
  { runs: paths, claims: claimFile, judgements: judgementFile, evaluation_type }: z.infer<typeof configSchema>,
  folder: string,
  reader: InputReader,
  workspace: PublishWorkspace,
) {
  const read = async (path: string): Promise<readonly ExperimentRun[]> =>
    existsSync(join(path, "run.json")) ? [await describeRunFolder(path, evaluation_type)] : readManifests(path, reader);
  // What the configuration does not name is taken from the evidence of the document and its ledger.
  const places = paths.length > 0 ? paths.map((path) => join(folder, path)) : await listEvidenceRuns(workspace);
  const runs = await Promise.all(places.map(read));
  const owners = places.flatMap((place, index) => runs[index].map(({ id }) => ({ folder: place, id })));
  const claims =
    claimFile === undefined
      ? await readLedgerClaims(workspace, owners, reader.hashes)
      : await readClaims(join(folder, claimFile), reader);
  const judgements =
    judgementFile === undefined
      ? undefined
      : await reader.readJson(join(folder, judgementFile), judgementsSchema, "judgements");
  const audit = auditExperiment(runs.flat(), claims);
  // A report rests on experiments; one that names none cannot be judged.
  const isEmpty = audit.verdict === "NOT_APPLICABLE";
  const judged: ExperimentAudit = isEmpty ? { ...audit, verdict: "BLOCKED", reason_code: "no-manifests" } : audit;
  return { audit: judged, claims, judgements };
}

/**
 * Runs the experiment audit and the result-to-claim stage of a report or paper, from the section `experiment` of the
 * configuration, and writes their artefacts, also when there is nothing to judge. Other documents have neither stage.
 *
 * @throws {TurnwiseError} (input) for a configuration or file that cannot be used.
 */
export async function writeExperimentStages(
  workspace: PublishWorkspace,
  config: string | undefined,
): Promise<ExperimentStages> {
  if (workspace.kind !== "report" && workspace.kind !== "paper") return { sections: {}, written: [] };
  const parsed = configSchema.safeParse(await readPublishConfig(config, "experiment"));
  if (!parsed.success)
    throw inputError(
      `Cannot use "experiment" of configuration "${config}":\n${z.prettifyError(parsed.error)}`,
      "Allowed are runs, claims, judgements and evaluation_type",
    );
  const reader = createInputReader(dirname(workspace.document.file));
  const { audit, claims, judgements } = await auditConfigured(parsed.data, dirname(config ?? "."), reader, workspace);
  const outcome = judgeResults(
    claims.map(({ id }) => id),
    takeJudgements(judgements, workspace),
    audit,
  );
  const bad = audit.checks.filter(({ status }) => status !== "pass").length;
  const written = [
    await writeStageArtefact(
      workspace.paths,
      toArtefact(
        "experiment",
        audit,
        `${audit.checks.length} checks, ${bad} not passed, ${claims.length} claims`,
        audit,
        workspace,
        reader.hashes,
      ),
    ),
    await writeStageArtefact(
      workspace.paths,
      toArtefact(
        "result_to_claim",
        outcome,
        `${outcome.results.length} of ${claims.length} claims judged`,
        outcome,
        workspace,
        reader.hashes,
      ),
    ),
  ];
  return {
    sections: {
      experiment_audit: {
        integrity_status: audit.integrity_status,
        checks: Object.fromEntries(audit.checks.map((check) => [check.id, check])),
        claims: audit.claims,
      },
      result_to_claim: outcome.results,
    },
    written: written.map(({ path }) => path),
  };
}
