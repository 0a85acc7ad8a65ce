// internal
import type { PublishDocument } from "../document.js";
import { getBaseLanguage } from "../parse/language.js";
import type { ClaimLedger } from "./ledger.js";
import { findSentence, listFlows, type Flow, type FlowPiece } from "./text/flows.js";
import { maskNonQuantities } from "./text/number-masks.js";
import { listQuantities, type Quantity } from "./text/quantity.js";

/** Why a number needs no claim, or that it has one or lacks one. */
export type NumberKind = "bound" | "cited" | "structural" | "illustrative" | "unbound";

/** A number of the text that no claim is bound to. */
export interface FreeNumber {
  readonly quantity: Quantity;
  readonly kind: Exclude<NumberKind, "bound" | "structural">;
  readonly flow: Flow;
  readonly line: number;
  /** Offset of its sign or first digit in the source, where it stands there as written. */
  readonly offset?: number;
}

/** A place where the document shows a claim. */
export interface ClaimPlace {
  readonly claim: string;
  readonly piece: FlowPiece;
  readonly flow: Flow;
  readonly line: number;
  /** What is written; `undefined` where the value is filled in. */
  readonly literal?: string;
}

function getLine(flow: Flow, { line, from }: FlowPiece, at: number): number {
  return line + (flow.text.slice(from, at).match(/\n/g)?.length ?? 0);
}

/** Returns every place where a claim is shown, in order. */
export function listClaimPlaces(document: PublishDocument): ClaimPlace[] {
  return listFlows(document).flatMap((flow) =>
    flow.pieces.flatMap((piece): ClaimPlace[] => {
      if (piece.claim === undefined) return [];
      const literal = piece.kind === "bound" ? flow.text.slice(piece.from, piece.to) : undefined;
      return [{ claim: piece.claim, piece, flow, line: piece.line, ...(literal === undefined ? {} : { literal }) }];
    }),
  );
}

/** Returns the text of a flow with everything that is no free prose blanked. */
function maskFlow({ text, pieces, isHeading }: Flow): string {
  let masked = text;
  for (const { kind, from, to } of pieces)
    if (kind !== "text" && kind !== "illustrative")
      masked = `${masked.slice(0, from)}${" ".repeat(to - from)}${masked.slice(to)}`;
  return maskNonQuantities(masked, isHeading);
}

function isInQuote(text: string, { from, to }: Quantity, quotes: readonly string[]): boolean {
  return quotes.some((quote) => {
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1))
      if (at <= from && to <= at + quote.length) return true;
    return false;
  });
}

/** Returns every number that no claim is bound to, in order. Cells of `boundCells` (block|line|column) are bound. */
export function listFreeNumbers(
  document: PublishDocument,
  ledger: Pick<ClaimLedger, "illustrative">,
  boundCells: ReadonlySet<string>,
): FreeNumber[] {
  const flows = listFlows(document);
  const citedRows = new Set(
    flows.filter(({ row, pieces }) => row !== undefined && pieces.some(({ kind }) => kind === "cited")).map(getRowKey),
  );
  const quotes = ledger.illustrative.map(({ text }) => text);
  return flows.flatMap((flow) => {
    if (boundCells.has(`${getRowKey(flow)}|${flow.column}`)) return [];
    return listQuantities(maskFlow(flow), getBaseLanguage(document.lang)).map((quantity): FreeNumber => {
      const piece =
        flow.pieces.find(({ from, to }) => from <= quantity.digits && quantity.digits < to) ?? flow.pieces[0];
      const sentence = findSentence(flow, quantity.from);
      const isCited =
        citedRows.has(getRowKey(flow)) ||
        flow.pieces.some(({ kind, from }) => kind === "cited" && from >= sentence.from && from < sentence.to);
      const isIllustrative = piece.kind === "illustrative" || isInQuote(flow.text, quantity, quotes);
      const offset = piece.offset === undefined ? undefined : piece.offset + quantity.from - piece.from;
      return {
        quantity,
        kind: isIllustrative ? "illustrative" : isCited ? "cited" : "unbound",
        flow,
        line: getLine(flow, piece, quantity.from),
        ...(offset === undefined || quantity.from < piece.from || quantity.to > piece.to ? {} : { offset }),
      };
    });
  });
}

/** Returns what tells the rows of tables apart. */
export function getRowKey({ block, line }: Pick<Flow, "block" | "line">): string {
  return `${block}|${line}`;
}
