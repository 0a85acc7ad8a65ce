// internal
import type { Block, PublishDocument } from "../document.js";
import { getRowKey } from "./claim-places.js";
import type { ClaimFinding, ClaimStatus } from "./claim-status.js";
import { getSeverity } from "./check-place.js";
import { compareShown } from "./compare-shown.js";
import { ClaimFault, computeClaim, type Evidence } from "./evidence.js";
import type { ExpressionValue } from "./expression-value.js";
import type { ClaimEntry, LedgerTable } from "./ledger.js";
import { listFlows, type Flow } from "./text/flows.js";

/** A cell of a table that is bound as a whole. */
export interface CheckedCell {
  readonly id: string;
  readonly claim: ClaimEntry;
  readonly line: number;
  readonly block: string;
  readonly text: string;
  readonly status: ClaimStatus;
  readonly detail?: string;
  readonly value?: ExpressionValue;
  readonly artefactHash?: string;
}

/** What became of a table binding. */
export interface CheckedTable {
  readonly cells: readonly CheckedCell[];
  readonly findings: readonly ClaimFinding[];
  /** Cells by row and column, as {@linkcode getRowKey} and the column's number. */
  readonly boundCells: readonly string[];
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function makeCellClaim(binding: LedgerTable, row: string, column: string): ClaimEntry {
  const target = binding.columns[column];
  const pointer = target.startsWith("/") ? target : `/${target.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  // A row is named as it is written: 8 may be a number in the artefact.
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(row);
  const condition = isNumber
    ? `${binding.field} == ${row} or ${binding.field} == ${quote(row)}`
    : `${binding.field} == ${quote(row)}`;
  return {
    id: `${binding.table}/${row}/${column}`,
    kind: "value",
    expr: "value",
    inputs: [
      {
        artefact: binding.artefact,
        select: `rows[${condition}]${pointer}`,
        ...(binding.sha256 === undefined ? {} : { sha256: binding.sha256 }),
        ...(binding.manifest === undefined ? {} : { manifest: binding.manifest }),
      },
    ],
    display: binding.display,
  };
}

function checkCell(claim: ClaimEntry, flow: Flow, lang: string, evidence: Evidence): CheckedCell {
  const text = flow.text.trim();
  const at = { id: claim.id, claim, line: flow.line, block: flow.block, text };
  try {
    const { value, inputs } = computeClaim(claim, evidence);
    const artefactHash = inputs[0].artefact.sha256;
    if (typeof value !== "object" || value.length !== 1) {
      const count = typeof value === "object" ? value.length : 1;
      const status = count === 0 ? "missing_evidence" : "ambiguous_mapping";
      return { ...at, status, artefactHash, detail: `${count} rows of the artefact match` };
    }
    const [only] = value;
    const context = { lang, before: "", sentence: `${flow.head ?? ""} | ${flow.text}` };
    const { status, detail, isDeclared = true } = compareShown(text, only, claim, context);
    const note = detail ?? (getSeverity(status, isDeclared) === undefined ? undefined : `rounded from ${String(only)}`);
    return { ...at, status, value: only, artefactHash, ...(note === undefined ? {} : { detail: note }) };
  } catch (error) {
    if (!(error instanceof ClaimFault)) throw error;
    return { ...at, status: error.status, detail: error.message };
  }
}

function findTable(document: PublishDocument, name: string): Block | undefined {
  return document.blocks.find(({ type, id, anchor }) => type === "table" && (id === name || anchor === name));
}

/** Checks every cell of a table against the artefact its ledger entry names. */
export function checkTable(document: PublishDocument, binding: LedgerTable, evidence: Evidence): CheckedTable {
  const refuse = (message: string, block?: Block): CheckedTable => {
    const at = { claim: binding.table, text: binding.table, line: block?.lineStart ?? document.bodyLine };
    return {
      cells: [],
      boundCells: [],
      findings: [{ ...at, status: "ambiguous_mapping", severity: "error", message }],
    };
  };
  const block = findTable(document, binding.table);
  if (block === undefined)
    return refuse(`The ledger binds the table "${binding.table}", which the document does not have`);
  const flows = listFlows(document).filter((flow) => flow.block === block.id && flow.row !== undefined);
  const heads = flows.filter(({ isHeading }) => isHeading).map(({ text }) => text.trim());
  const unknown = [binding.row_key, ...Object.keys(binding.columns)].find((head) => !heads.includes(head));
  if (unknown !== undefined)
    return refuse(`The table "${binding.table}" has no column "${unknown}": it has ${heads.join(", ")}`, block);
  const keyColumn = heads.indexOf(binding.row_key);
  const cells: CheckedCell[] = [];
  // The heads of bound columns name settings, and the names of rows name what was measured.
  const bound = new Set([binding.row_key, ...Object.keys(binding.columns)]);
  const boundCells = flows
    .filter(({ isHeading, text }) => isHeading && bound.has(text.trim()))
    .map((flow) => `${getRowKey(flow)}|${flow.column}`);
  for (const key of flows.filter(({ isHeading, column }) => !isHeading && column === keyColumn)) {
    boundCells.push(`${getRowKey(key)}|${keyColumn}`);
    for (const head of Object.keys(binding.columns)) {
      const column = heads.indexOf(head);
      const flow = flows.find((other) => other.line === key.line && other.column === column);
      if (flow === undefined || flow.text.trim() === "") continue;
      boundCells.push(`${getRowKey(flow)}|${column}`);
      cells.push(checkCell(makeCellClaim(binding, key.text.trim(), head), flow, document.lang, evidence));
    }
  }
  const findings = cells.flatMap(({ id, status, detail, line, block: place, text }): ClaimFinding[] => {
    const severity = getSeverity(status, detail === undefined);
    if (severity === undefined) return [];
    return [{ status, severity, claim: id, line, block: place, text, message: `${id}: ${detail ?? status}` }];
  });
  return { cells, findings, boundCells };
}
