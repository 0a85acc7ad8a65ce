import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  describeSystemError,
  errorMessage,
  inputError,
  isJsonObject,
  type Finding,
  type JsonValue,
} from "../core/index.js";
import {
  joinArtefacts,
  parseArtefact,
  parseClaimLedger,
  type Artefact,
  type CheckClaimsOptions,
  type ClaimLedger,
  type Evidence,
  type PublishDocument,
} from "../publish/index.js";

function hash(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Returns a path as seen from a folder, with slashes. */
function see(folder: string, path: string): string {
  return relative(folder, path).replaceAll("\\", "/");
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function readArtefact(folder: string, file: string): Artefact {
  const name = see(folder, file);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw inputError(`Cannot read the artefact "${name}": ${errorMessage(error)}`, undefined, error);
  }
  return { ...parseArtefact(basename(file), bytes), name };
}

/** Returns the trajectories of a run folder as one table. */
function readSegments(folder: string, name: string, run: string): Artefact {
  const files = readdirSync(join(run, "segments"))
    .filter((file) => file.endsWith(".jsonl"))
    .sort();
  return joinArtefacts(
    name,
    files.map((file) => readArtefact(folder, join(run, "segments", file))),
  );
}

/**
 * Returns the artefacts below evidence roots: names are paths relative to `folder`, or to a root. What lies outside
 * the roots is not evidence. A run folder stands for all its trajectories, one a row. Each file is read once.
 */
export function openEvidence(folder: string, roots: readonly string[]): Evidence {
  const places = roots.map((root) => resolve(folder, root));
  const known = new Map<string, Artefact | undefined>();
  const find = (name: string): Artefact | undefined => {
    const candidates = [resolve(folder, name), ...places.map((root) => resolve(root, name))];
    const inside = candidates.filter((path) => places.some((root) => isInside(root, path)));
    if (inside.length === 0)
      throw inputError(
        `Cannot use the artefact "${name}": it lies outside the evidence folders ${roots.map((root) => `"${root}"`).join(", ")}`,
      );
    const run = inside.find((path) => existsSync(join(path, "segments")));
    if (run !== undefined) return readSegments(folder, name, run);
    const file = inside.find((path) => existsSync(path) && statSync(path).isFile());
    return file === undefined ? undefined : readArtefact(folder, file);
  };
  return {
    find(name) {
      if (!known.has(name)) known.set(name, find(name));
      return known.get(name);
    },
  };
}

/** The ledger of a document as found. */
export interface FoundLedger {
  /** Path relative to the document. */
  readonly file: string;
  readonly path: string;
  readonly sha256: string;
  readonly content?: ClaimLedger;
  /** Why it cannot be used. */
  readonly problem?: string;
}

function readLedger(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw inputError(`Cannot read the ledger "${path}": ${describeSystemError(error)}`, undefined, error);
  }
}

/** Returns the ledger beside a document: `given`, `<id>.claims.yaml` or `claims.yaml`; `undefined` without one. */
export function findLedger(document: PublishDocument, given?: string): FoundLedger | undefined {
  const folder = dirname(document.file);
  const paths =
    given === undefined ? [join(folder, `${document.id}.claims.yaml`), join(folder, "claims.yaml")] : [given];
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) {
    if (given === undefined) return undefined;
    throw inputError(`Cannot read the ledger "${given}": there is no such file`);
  }
  const bytes = readLedger(path);
  const found = { file: see(folder, path), path, sha256: hash(bytes) };
  try {
    return { ...found, content: parseClaimLedger(new TextDecoder().decode(bytes), path) };
  } catch (error) {
    return { ...found, problem: errorMessage(error) };
  }
}

/** Returns what the claims of a document are checked against: its ledger and the folders it names as evidence. */
export function gatherEvidence(
  document: PublishDocument,
  options: { readonly evidence?: readonly string[]; readonly ledger?: string } = {},
): Pick<CheckClaimsOptions, "evidence" | "ledger" | "block"> & { readonly found?: FoundLedger } {
  const folder = dirname(document.file);
  const named = document.frontMatter.evidence ?? [];
  const roots = [...named, ...(options.evidence ?? []).map((path) => see(folder, path) || ".")];
  const found = findLedger(document, options.ledger);
  const missing = roots.filter((root) => !existsSync(resolve(folder, root)));
  const block =
    found?.problem !== undefined
      ? { reason_code: "ledger-unreadable", message: found.problem.split("\n").slice(0, 4).join(" ") }
      : missing.length > 0
        ? { reason_code: "evidence-missing", message: `The evidence "${missing[0]}" is not there` }
        : undefined;
  return {
    ...(roots.length === 0 ? {} : { evidence: openEvidence(folder, roots) }),
    ...(found?.content === undefined
      ? {}
      : { ledger: { file: found.file, sha256: found.sha256, content: found.content } }),
    ...(block === undefined ? {} : { block }),
    ...(found === undefined ? {} : { found }),
  };
}

/** Returns the manifest of a run that a report names: the run may lie inside, beside or around the report. */
function findManifest(folder: string, run: string): string | undefined {
  const outer = dirname(resolve(folder));
  const places = [resolve(folder, run), resolve(outer, run), ...(basename(outer) === basename(run) ? [outer] : [])];
  return places.map((place) => join(place, "run.json")).find((file) => existsSync(file));
}

/** Returns what is wrong with the runs that a report names: changed configs are errors, runs that are elsewhere notes. */
export function checkReportRuns(folder: string, report: JsonValue): Finding[] {
  const runs = isJsonObject(report) && Array.isArray(report["runs"]) ? (report["runs"] as readonly JsonValue[]) : []; // an array inside JSON holds JSON
  return runs.flatMap((run): Finding[] => {
    if (!isJsonObject(run) || typeof run["path"] !== "string" || typeof run["configHash"] !== "string") return [];
    const file = findManifest(folder, run["path"]);
    const place = { file: "report.json", detail: run["path"] };
    if (file === undefined)
      return [
        {
          ruleId: "claim.missing-evidence",
          severity: "note",
          message: `The run "${run["path"]}" is not here: its episodes were not looked at`,
          place,
        },
      ];
    let manifest: JsonValue;
    try {
      manifest = JSON.parse(readFileSync(file, "utf8")) as JsonValue; // what JSON.parse returns is JSON
    } catch (error) {
      return [
        {
          ruleId: "claim.missing-evidence",
          severity: "error",
          message: `The run "${run["path"]}" cannot be read: ${errorMessage(error)}`,
          place,
        },
      ];
    }
    const current = isJsonObject(manifest) ? manifest["configHash"] : undefined;
    if (current === run["configHash"]) return [];
    return [
      {
        ruleId: "claim.stale-evidence",
        severity: "error",
        message: `The run "${run["path"]}" has another config than the report was made from`,
        place,
      },
    ];
  });
}
