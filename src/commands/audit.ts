import { stat } from "node:fs/promises";
import { relative } from "node:path";
import {
  commonMetrics,
  inputError,
  TurnwiseError,
  toSarif,
  usageError,
  type AuditResult,
  type JsonObject,
  type MetricLog,
  type RefusedFile,
  type Rule,
} from "../core/index.js";
import { auditLogs, auditMasks, logRules, maskRules, type AuditOptions, type MaskFile } from "../diagnose/index.js";
import {
  assignMetrics,
  logReaders,
  readLogFolder,
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
 * Returns the files that a result says nothing of: none of their columns is a known metric, some rule had nothing to judge,
 * and what needs no known metric, such as NaN, was not found.
 */
function findUnknownColumns(
  unknown: ReadonlyMap<string, readonly MetricLog[]>,
  { rules, findings }: AuditResult,
): RefusedFile[] {
  if (rules.every(({ judgedCount }) => judgedCount > 0)) return [];
  return [...unknown].flatMap(([file, logs]) => {
    if (findings.some(({ place }) => logs.some((log) => log.file === place?.file))) return [];
    const names = [...new Set(logs.flatMap(({ columns }) => columns.map(({ name }) => name)))];
    const more = names.length > maxColumnsShown ? `, and ${names.length - maxColumnsShown} more` : "";
    const reason = `Cannot audit "${file}": none of its columns is a known metric: ${names.slice(0, maxColumnsShown).join(", ")}${more}`;
    const remedy =
      "Say which column is which: --metric reward=COLUMN, repeated for each; turnwise audit log --list shows the metrics";
    return [{ file, reason, remedy }];
  });
}

/** Reads files one after another; one that cannot be used does not take the others' findings with it. */
class FileQueue {
  readonly refused: RefusedFile[] = [];

  /** Yields what `open` returns for each path; unusable files are noted, wrong usage is thrown. */
  async *readEach<Value>(paths: readonly string[], open: (path: string) => Promise<Value>): AsyncGenerator<Value> {
    for (const path of paths) {
      try {
        yield await open(path);
      } catch (error) {
        this.refuse(path, error);
      }
    }
  }

  /** Notes a file that cannot be used; anything but unusable input is thrown again. */
  refuse(file: string, error: unknown): void {
    if (!(error instanceof TurnwiseError) || error.kind !== "input") throw error;
    const { message: reason, remedy } = error;
    this.refused.push({ file, reason, ...(remedy === undefined ? {} : { remedy }) });
  }

  /** Returns the result with the files it says nothing of; throws where it says nothing at all. */
  finish(result: AuditResult): AuditResult {
    const { refused } = this;
    if (refused.length === 0) return result;
    const isSilent =
      result.findings.length === 0 && result.files.every(({ file }) => refused.some((one) => one.file === file));
    if (!isSilent) return { ...result, refused };
    const [{ reason, remedy }] = refused;
    if (refused.length === 1) throw inputError(reason, remedy);
    throw inputError(
      `Cannot audit any of ${refused.length} files: ${refused.map((one) => one.reason).join("; ")}`,
      remedy,
    );
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

/**
 * Judges training logs by the rules of `listAuditRules("log")`. A folder stands for the logs in it and below. Files that
 * cannot be used, or of which no rule could say anything, are listed as `refused` beside the findings of the others.
 *
 * @throws {TurnwiseError} (usage) for unknown formats, rules and thresholds; (input) when no file could be audited.
 */
export async function auditLogFiles(paths: readonly string[], options: AuditLogOptions = {}): Promise<AuditResult> {
  const { format = "auto", metrics = {} } = options;
  refuseNothing(paths, "training logs: turnwise audit log FILE…");
  const unknown = new Map<string, readonly MetricLog[]>();
  const queue = new FileQueue();
  const skipped: RefusedFile[] = [];
  async function open(path: string): Promise<readonly MetricLog[]> {
    let found: readonly MetricLog[];
    if (await isFolder(path)) {
      const folder = await readLogFolder(path, format);
      queue.refused.push(...folder.refused);
      skipped.push(...folder.skipped);
      found = folder.logs;
    } else found = await readMetricLogs(path, format);
    const logs = assignMetrics(found, metrics);
    const isKnown = logs.some(({ columns }) => columns.some(({ metric }) => metric !== undefined));
    if (!isKnown && logs.length > 0) unknown.set(path, logs);
    return logs;
  }
  async function* readAll(): AsyncGenerator<MetricLog> {
    for await (const logs of queue.readEach([...new Set(paths)], open)) yield* logs;
  }
  const result = await auditLogs(readAll(), options);
  queue.refused.push(...findUnknownColumns(unknown, result));
  return queue.finish(skipped.length === 0 ? result : { ...result, skipped });
}

/** Returns the files with samples that no rule about masks could judge, or without a sample, and of which nothing bad is known. */
function findUnjudged({ files, rules, findings }: AuditResult): RefusedFile[] {
  return files.flatMap(({ file, rowCount, unreadCount = 0, judgedCount = 0, problems }) => {
    if (judgedCount > 0) return [];
    if (rowCount === 0) {
      const reason = `Cannot audit "${file}": no record of it could be read (${unreadCount} found): ${problems[0] ?? "it holds no sample"}`;
      return [{ file, reason, remedy: "Write ids and lossMask for each sample, as the guide says" }];
    }
    if (findings.some(({ place, severity }) => place?.file === file && severity !== "note")) return [];
    const gaps = [...new Set(rules.flatMap((rule) => rule.gaps.map(({ reason }) => reason)))].slice(0, 2);
    const reason = `Cannot judge "${file}": no rule about masks could judge a sample of it (${rowCount} read): ${gaps.join("; ")}`;
    return [{ file, reason, remedy: "Add what is missing to each record; turnwise audit mask --list shows the rules" }];
  });
}

/**
 * Judges token-level training samples by the rules of `listAuditRules("mask")`. Samples are read one after another. Files
 * that cannot be used, or of which no sample could be read or judged, are listed as `refused`.
 *
 * @throws {TurnwiseError} as {@linkcode auditLogFiles}.
 */
export async function auditMaskFiles(paths: readonly string[], options: AuditMaskOptions = {}): Promise<AuditResult> {
  const { format = "auto", tokenizer, endIds, templateIds } = options;
  refuseNothing(paths, "training samples: turnwise audit mask FILE…");
  const vocabulary = tokenizer === undefined ? undefined : await readTokenizer(tokenizer);
  const readOptions: TokenSampleOptions = { endIds, templateIds, tokenizer: vocabulary };
  const queue = new FileQueue();
  async function openOne(file: string): Promise<MaskFile> {
    const found = await readTokenSamples(file, format, readOptions);
    async function* read() {
      try {
        yield* found.samples;
      } catch (error) {
        queue.refuse(file, error); // the rest of the file cannot be read; what was read is judged
      }
    }
    return { file, ...found, samples: read() };
  }
  const result = await auditMasks(queue.readEach([...new Set(paths)], openOne), options);
  const known = new Set(queue.refused.map(({ file }) => file));
  queue.refused.push(...findUnjudged(result).filter(({ file }) => !known.has(file)));
  return queue.finish(result);
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
