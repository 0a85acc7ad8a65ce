import type { PublishVerdict } from "../verdict.js";

/** What is known of one run, from its manifest. Fields the manifest does not state are absent. */
export interface ExperimentRun {
  readonly id: string;
  /** File that states it, for messages. */
  readonly file: string;
  readonly status?: "complete" | "partial" | "failed";
  readonly plannedEpisodes?: number;
  readonly finishedEpisodes?: number;
  readonly seeds?: readonly number[];
  readonly scorer?: { readonly id: string; readonly version?: string };
  /** Where the reference answers come from. */
  readonly reference?: {
    readonly source: "dataset" | "human" | "program" | "model";
    readonly isProxyLabelled?: boolean;
  };
  /** Share that results are divided by, and what it is derived from. */
  readonly normalisation?: {
    readonly denominator: "dataset" | "baseline" | "own_outputs" | "none";
    readonly isRawShown?: boolean;
  };
  readonly taskIds?: readonly string[];
  /** Items used for training or shown as examples. */
  readonly trainTaskIds?: readonly string[];
  readonly exampleTaskIds?: readonly string[];
  /** Metrics that are defined, and those with a written value. */
  readonly definedMetrics?: readonly string[];
  readonly writtenMetrics?: readonly string[];
  readonly evaluationType?: EvaluationType;
  /** Hash of the trace the scores came from, as recorded and as it is now. */
  readonly trace?: { readonly recorded: string; readonly actual?: string };
}

/** What a result is a measurement of; caps the wording of claims about it. */
export type EvaluationType = "real_gt" | "synthetic_proxy" | "self_supervised_proxy" | "simulation_only" | "human_eval";

/** A claim of the report, as far as this audit needs it. */
export interface ExperimentClaim {
  readonly id: string;
  /** Runs it rests on. */
  readonly runs: readonly string[];
  readonly wording: string;
  /** Values it names, and whether they were found in their files. */
  readonly values: readonly { readonly file: string; readonly key: string; readonly isFound: boolean }[];
  /** Number of tasks, seeds or scenes stated beside it. */
  readonly n?: number;
}

/** The checks by their letters, and ours. */
export type ExperimentCheckId =
  | "A_reference"
  | "B_normalisation"
  | "C_existence"
  | "D_dead_metrics"
  | "E_scope"
  | "F_evaluation_type"
  | "leakage"
  | "scorer_pinned"
  | "trace_hash";

/** What one check came to; `unknown` when the manifests do not tell. */
export interface ExperimentCheck {
  readonly id: ExperimentCheckId;
  readonly status: "pass" | "warn" | "fail" | "unknown";
  /** Files, and what in them. */
  readonly evidence: readonly string[];
}

/** What the audit means for a claim. */
export interface ClaimImpact {
  readonly id: string;
  readonly impact: "supported" | "needs_qualifier" | "unsupported";
  readonly reasons: readonly string[];
}

/** Result of {@linkcode auditExperiment}. */
export interface ExperimentAudit {
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
  readonly integrity_status: "pass" | "warn" | "fail" | "unavailable";
  readonly checks: readonly ExperimentCheck[];
  readonly claims: readonly ClaimImpact[];
}

/** Problems of one run in one check; `undefined` when its manifest says nothing about it. */
type RunCheck = (
  run: ExperimentRun,
) => { readonly status: "pass" | "warn" | "fail"; readonly words: string } | undefined;

const checkReference: RunCheck = ({ reference }) => {
  if (reference === undefined) return undefined;
  const isDerived = reference.source === "model" && reference.isProxyLabelled !== true;
  return {
    status: isDerived ? "fail" : "pass",
    words: isDerived ? "the reference is a model's output and not labelled a proxy" : `reference: ${reference.source}`,
  };
};

const checkNormalisation: RunCheck = ({ normalisation }) => {
  if (normalisation === undefined) return undefined;
  if (normalisation.denominator === "own_outputs")
    return { status: "fail", words: "results are divided by the system's own outputs" };
  const isHidden = normalisation.denominator !== "none" && normalisation.isRawShown !== true;
  return {
    status: isHidden ? "warn" : "pass",
    words: isHidden
      ? "the raw value is not shown beside the normalised one"
      : `denominator: ${normalisation.denominator}`,
  };
};

const checkExistence: RunCheck = ({ status, plannedEpisodes, finishedEpisodes }) => {
  if (status === undefined) return undefined;
  const isShort = plannedEpisodes !== undefined && finishedEpisodes !== undefined && finishedEpisodes < plannedEpisodes;
  if (status === "failed") return { status: "fail", words: "the run failed" };
  if (status === "complete" && isShort)
    return {
      status: "fail",
      words: `the run is called complete and has ${finishedEpisodes} of ${plannedEpisodes} episodes`,
    };
  return status === "partial" || isShort
    ? { status: "warn", words: `the run is partial: ${finishedEpisodes ?? "?"} of ${plannedEpisodes ?? "?"} episodes` }
    : { status: "pass", words: "complete" };
};

const checkDeadMetrics: RunCheck = ({ definedMetrics, writtenMetrics }) => {
  if (definedMetrics === undefined || writtenMetrics === undefined) return undefined;
  const dead = definedMetrics.filter((metric) => !writtenMetrics.includes(metric));
  return {
    status: dead.length > 0 ? "warn" : "pass",
    words: dead.length > 0 ? `never written: ${dead.join(", ")}` : "all metrics written",
  };
};

const checkEvaluationType: RunCheck = ({ evaluationType }) =>
  evaluationType === undefined ? undefined : { status: "pass", words: evaluationType };

const checkLeakage: RunCheck = ({ taskIds, trainTaskIds, exampleTaskIds }) => {
  if (taskIds === undefined || (trainTaskIds === undefined && exampleTaskIds === undefined)) return undefined;
  const seen = new Set([...(trainTaskIds ?? []), ...(exampleTaskIds ?? [])]);
  const leaked = taskIds.filter((id) => seen.has(id));
  return {
    status: leaked.length > 0 ? "fail" : "pass",
    words:
      leaked.length > 0
        ? `${leaked.length} of ${taskIds.length} test tasks were trained on or shown: ${leaked.slice(0, 3).join(", ")}`
        : `${taskIds.length} test tasks, none seen`,
  };
};

const checkScorer: RunCheck = ({ scorer }) => {
  if (scorer === undefined) return undefined;
  return {
    status: scorer.version === undefined ? "warn" : "pass",
    words: `scorer "${scorer.id}" ${scorer.version === undefined ? "without a version" : scorer.version}`,
  };
};

const checkTrace: RunCheck = ({ trace }) => {
  if (trace === undefined) return undefined;
  if (trace.actual === undefined) return { status: "fail", words: "the trace the scores came from is gone" };
  return {
    status: trace.actual === trace.recorded ? "pass" : "fail",
    words: trace.actual === trace.recorded ? "trace unchanged" : "the trace was changed after scoring",
  };
};

const runChecks: readonly (readonly [ExperimentCheckId, RunCheck])[] = [
  ["A_reference", checkReference],
  ["B_normalisation", checkNormalisation],
  ["C_existence", checkExistence],
  ["D_dead_metrics", checkDeadMetrics],
  ["F_evaluation_type", checkEvaluationType],
  ["leakage", checkLeakage],
  ["scorer_pinned", checkScorer],
  ["trace_hash", checkTrace],
];

/** Wording that reaches beyond one setting. */
const scopeWords =
  /\b(?:all|every|always|consistently|generally|across (?:the board|tasks|settings)|robust(?:ly)?|universal(?:ly)?)\b|始终|一致地|所有|普遍|\b(?:luôn|mọi|tất cả)(?!\p{L})/iu;

/** Fewest tasks or seeds that carry a word of scope. */
const minScope = 3;

function checkScope(claims: readonly ExperimentClaim[], runs: ReadonlyMap<string, ExperimentRun>): ExperimentCheck {
  const wide = claims.filter(({ wording }) => scopeWords.test(wording));
  const narrow = wide.filter(
    ({ n, runs: ids }) => (n ?? Math.max(0, ...ids.map((id) => runs.get(id)?.seeds?.length ?? 0))) < minScope,
  );
  return {
    id: "E_scope",
    status: narrow.length > 0 ? "warn" : "pass",
    evidence: narrow.map(
      ({ id, wording, n }) => `claim "${id}": "${scopeWords.exec(wording)?.[0]}" with n ${n ?? "not stated"}`,
    ),
  };
}

function combine(id: ExperimentCheckId, check: RunCheck, runs: readonly ExperimentRun[]): ExperimentCheck {
  const found = runs.map((run) => ({ run, result: check(run) }));
  const known = found.flatMap(({ run, result }) => (result === undefined ? [] : [{ run, result }]));
  const worst = (["fail", "warn", "pass"] as const).find((status) =>
    known.some(({ result }) => result.status === status),
  );
  const isComplete = known.length === found.length && found.length > 0;
  const status = worst === "fail" || worst === "warn" ? worst : isComplete ? "pass" : "unknown";
  const evidence = known
    .filter(({ result }) => result.status !== "pass")
    .map(({ run, result }) => `${run.file}: ${result.words}`);
  const silent = found.filter(({ result }) => result === undefined).map(({ run }) => `${run.file}: not stated`);
  return { id, status, evidence: [...evidence, ...(status === "unknown" ? silent : [])] };
}

function judgeClaim(claim: ExperimentClaim, runs: ReadonlyMap<string, ExperimentRun>): ClaimImpact {
  const bad: string[] = [];
  const weak: string[] = [];
  for (const { file, key, isFound } of claim.values) if (!isFound) bad.push(`${file} has no ${key}`);
  for (const id of claim.runs) {
    const run = runs.get(id);
    if (run === undefined) {
      bad.push(`run "${id}" is not there`);
      continue;
    }
    for (const [name, check] of runChecks) {
      const result = check(run);
      if (result?.status === "fail") bad.push(`${name}: ${result.words}`);
      if (result?.status === "warn") weak.push(`${name}: ${result.words}`);
    }
    const type = run.evaluationType;
    if (type !== undefined && type !== "real_gt" && type !== "human_eval") weak.push(`F_evaluation_type: ${type}`);
  }
  if (scopeWords.test(claim.wording) && (claim.n ?? 0) < minScope)
    weak.push("E_scope: a word of scope without the number behind it");
  const impact = bad.length > 0 ? "unsupported" : weak.length > 0 ? "needs_qualifier" : "supported";
  return { id: claim.id, impact, reasons: [...new Set([...bad, ...weak])] };
}

/**
 * Returns what a program can decide about the integrity of experiments: where references come from, what results are
 * divided by, whether runs and values exist and are complete, metrics that are never written, scope words, kind of
 * evaluation, leakage, pinned scorers and unchanged traces. Silence of a manifest is `unknown` and never a pass.
 */
export function auditExperiment(runs: readonly ExperimentRun[], claims: readonly ExperimentClaim[]): ExperimentAudit {
  if (runs.length === 0 && claims.length === 0)
    return {
      verdict: "NOT_APPLICABLE",
      reason_code: "no-experiments",
      integrity_status: "unavailable",
      checks: [],
      claims: [],
    };
  if (runs.length === 0)
    return {
      verdict: "BLOCKED",
      reason_code: "no-runs",
      integrity_status: "unavailable",
      checks: [],
      claims: claims.map(({ id }) => ({ id, impact: "unsupported", reasons: ["no run is there"] })),
    };
  const byId = new Map(runs.map((run) => [run.id, run]));
  const checks = [...runChecks.map(([id, check]) => combine(id, check, runs)), checkScope(claims, byId)];
  const impacts = claims.map((claim) => judgeClaim(claim, byId));
  const has = (status: ExperimentCheck["status"]): boolean => checks.some((check) => check.status === status);
  const isFailed = has("fail") || impacts.some(({ impact }) => impact === "unsupported");
  const isWeak = has("warn") || has("unknown") || impacts.some(({ impact }) => impact === "needs_qualifier");
  if (isFailed) return { verdict: "FAIL", reason_code: "integrity", integrity_status: "fail", checks, claims: impacts };
  if (isWeak)
    return { verdict: "WARN", reason_code: "reservations", integrity_status: "warn", checks, claims: impacts };
  return { verdict: "PASS", reason_code: "clean", integrity_status: "pass", checks, claims: impacts };
}
