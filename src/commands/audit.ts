import { relative } from "node:path";
import {
  commonMetrics,
  inputError,
  toSarif,
  usageError,
  type AuditResult,
  type JsonObject,
  type MetricLog,
  type Rule,
} from "../core/index.js";
import { auditLogs, auditMasks, logRules, maskRules, type AuditOptions, type MaskFile } from "../diagnose/index.js";
import {
  assignMetrics,
  logReaders,
  readMetricLogs,
  readTokenizer,
  readTokenSamples,
  tokenSampleReaders,
  type TokenSampleOptions,
} from "../records/index.js";
import { getPackageVersion } from "./package-version.js";

/** What `turnwise audit log` does. */
export interface AuditLogOptions extends AuditOptions {
  /** Reader name; default `auto`. */
  readonly format?: string;
  /** Column by common metric, for names that are not recognised. */
  readonly metrics?: { readonly [metric: string]: string };
}

/** What `turnwise audit mask` does. */
export interface AuditMaskOptions extends AuditOptions, Omit<TokenSampleOptions, "tokenizer"> {
  /** Reader name; default `auto`. */
  readonly format?: string;
  /** A `tokenizer.json`, for texts and special tokens. */
  readonly tokenizer?: string;
}

/** A rule as help lists it. */
export interface RuleDescription {
  readonly id: string;
  readonly severity: string;
  readonly description: string;
  readonly thresholds: readonly { readonly name: string; readonly default: number; readonly description: string }[];
}

/** Formats an audit can read. */
export interface AuditFormat {
  readonly format: string;
  readonly description: string;
}

/** A rule without what it judges. */
type AuditRule = Pick<Rule<unknown>, "id" | "severity" | "description" | "rationale" | "remedy" | "thresholds">;

function describeRule({ id, severity, description, thresholds }: AuditRule): RuleDescription {
  return {
    id,
    severity,
    description,
    thresholds: Object.entries(thresholds).map(([name, threshold]) => ({ name, ...threshold })),
  };
}

function getRules(kind: AuditResult["kind"]): readonly AuditRule[] {
  return kind === "log" ? logRules : maskRules;
}

/** Returns the rules of an audit. */
export function listAuditRules(kind: AuditResult["kind"]): RuleDescription[] {
  return getRules(kind).map(describeRule);
}

/** Returns the common metrics that columns can be taken as, with what they stand for. */
export function listCommonMetrics(): readonly { readonly metric: string; readonly description: string }[] {
  return Object.entries(commonMetrics).map(([metric, description]) => ({ metric, description }));
}

/** Returns the formats an audit reads. */
export function listAuditFormats(kind: AuditResult["kind"]): AuditFormat[] {
  return (kind === "log" ? logReaders : tokenSampleReaders).map(({ format, description }) => ({ format, description }));
}

function refuseNothing(paths: readonly string[], what: string): void {
  if (paths.length === 0) throw usageError(`Cannot audit nothing`, `Name ${what}`);
}

/** Columns shown of a file in which none is known. */
const maxColumnsShown = 20;

/**
 * Refuses a result that says nothing of a file: none of its columns is a known metric, some rule had nothing to judge, and
 * what needs no known metric, such as NaN, was not found.
 */
function refuseUnknownColumns(
  unknown: ReadonlyMap<string, readonly MetricLog[]>,
  { rules, findings }: AuditResult,
): void {
  if (rules.every(({ judgedCount }) => judgedCount > 0)) return;
  for (const [path, logs] of unknown) {
    if (findings.some(({ place }) => logs.some(({ file }) => file === place?.file))) continue;
    const names = [...new Set(logs.flatMap(({ columns }) => columns.map(({ name }) => name)))];
    const more = names.length > maxColumnsShown ? `, and ${names.length - maxColumnsShown} more` : "";
    throw inputError(
      `Cannot audit "${path}": none of its columns is a known metric: ${names.slice(0, maxColumnsShown).join(", ")}${more}`,
      "Say which column is which: --metric reward=COLUMN, repeated for each; turnwise audit log --list shows the metrics",
    );
  }
}

/**
 * Judges training logs by the rules of `listAuditRules("log")`.
 *
 * @throws {TurnwiseError} (usage) for unknown formats, rules and thresholds; (input) for files that cannot be read or have
 * no column that is a known metric.
 */
export async function auditLogFiles(paths: readonly string[], options: AuditLogOptions = {}): Promise<AuditResult> {
  const { format = "auto", metrics = {} } = options;
  refuseNothing(paths, "training logs: turnwise audit log FILE…");
  const unknown = new Map<string, readonly MetricLog[]>();
  async function* readAll(): AsyncGenerator<MetricLog> {
    for (const path of paths) {
      const logs = assignMetrics(await readMetricLogs(path, format), metrics);
      const isKnown = logs.some(({ columns }) => columns.some(({ metric }) => metric !== undefined));
      if (!isKnown) unknown.set(path, logs);
      yield* logs;
    }
  }
  const result = await auditLogs(readAll(), options);
  refuseUnknownColumns(unknown, result);
  return result;
}

/**
 * Judges token-level training samples by the rules of `listAuditRules("mask")`. Samples are read one after another.
 *
 * @throws {TurnwiseError} as {@linkcode auditLogFiles}.
 */
export async function auditMaskFiles(paths: readonly string[], options: AuditMaskOptions = {}): Promise<AuditResult> {
  const { format = "auto", tokenizer, endIds, templateIds } = options;
  refuseNothing(paths, "training samples: turnwise audit mask FILE…");
  const vocabulary = tokenizer === undefined ? undefined : await readTokenizer(tokenizer);
  const readOptions: TokenSampleOptions = { endIds, templateIds, tokenizer: vocabulary };
  async function* openAll(): AsyncGenerator<MaskFile> {
    for (const path of paths) yield { file: path, ...(await readTokenSamples(path, format, readOptions)) };
  }
  return auditMasks(openAll(), options);
}

/** Returns the findings of an audit as a SARIF 2.1.0 log; paths are relative to `base` where they lie below it. */
export function renderSarif({ kind, findings }: AuditResult, base = process.cwd()): JsonObject {
  const rules = getRules(kind);
  const placed = findings.map((finding) => {
    const file = finding.place?.file;
    if (file === undefined) return finding;
    const below = relative(base, file);
    return { ...finding, place: { ...finding.place, file: below.startsWith("..") || below === "" ? file : below } };
  });
  return toSarif(placed, rules, { name: "turnwise", version: getPackageVersion() });
}
