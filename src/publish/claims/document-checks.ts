// internal
import type { PublishDocument } from "../document.js";
import { checkColumnTotal, checkStatistics } from "./checks/statistics.js";
import { checkSentence } from "./checks/wording.js";
import type { ClaimPlace } from "./claim-places.js";
import type { ClaimFinding } from "./claim-status.js";
import type { Computation } from "./describe-claim.js";
import type { ClaimLedger } from "./ledger.js";
import { findSentence, listFlows, type Flow } from "./text/flows.js";

/** Returns what sentences with claims say beyond them. */
export function checkSentences(places: readonly ClaimPlace[], ledger: ClaimLedger, isStrict: boolean): ClaimFinding[] {
  const sentences = new Map<string, { readonly flow: Flow; readonly at: number; readonly claims: string[] }>();
  for (const { flow, piece, claim } of places) {
    if (flow.row !== undefined) continue;
    const key = `${flow.block}|${flow.line}|${findSentence(flow, piece.from).from}`;
    const entry = sentences.get(key) ?? { flow, at: piece.from, claims: [] };
    entry.claims.push(claim);
    sentences.set(key, entry);
  }
  return [...sentences.values()].flatMap(({ flow, at, claims }) => {
    const backed = ledger.claims.filter(({ id }) => claims.includes(id));
    const { from, to } = findSentence(flow, at);
    const isCited = flow.pieces.some((piece) => piece.kind === "cited" && piece.from >= from && piece.from < to);
    const methods = backed.flatMap(({ aggregation }) => aggregation?.method ?? []);
    const faults = checkSentence(flow.text.slice(from, to), {
      kinds: backed.map(({ kind }) => kind),
      isCited,
      methods,
    });
    return faults.map(({ status, message }): ClaimFinding => ({
      status,
      severity: isStrict ? "error" : "warning",
      message,
      line: flow.line,
      block: flow.block,
      text: flow.text.slice(from, to).trim(),
    }));
  });
}

/** Returns the columns whose total is not the sum of their shares. */
export function checkTotals(document: PublishDocument): ClaimFinding[] {
  return document.blocks.flatMap(({ type, rows, id, lineStart, lineEnd }) => {
    const [head, ...body] = rows ?? [];
    if (type !== "table" || head === undefined) return [];
    return head.slice(1).flatMap((name, index): ClaimFinding[] => {
      const message = checkColumnTotal(body.map((row) => [row[0] ?? "", row[index + 1] ?? ""] as const));
      if (message === undefined) return [];
      return [
        {
          status: "number_mismatch",
          severity: "error",
          message: `${message} (column "${name}")`,
          line: Math.max(lineStart, lineEnd),
          block: id,
          text: name,
        },
      ];
    });
  });
}

/** Returns what the text says of statistics that contradicts itself. */
export function checkFlows(document: PublishDocument, isStrict: boolean): ClaimFinding[] {
  return listFlows(document).flatMap((flow) =>
    checkStatistics(flow.text).map(({ at, text, message, isDoubtful }): ClaimFinding => ({
      status: "number_mismatch",
      severity: isDoubtful === true || !isStrict ? "warning" : "error",
      message,
      line: flow.line + (flow.text.slice(0, at).match(/\n/g)?.length ?? 0),
      block: flow.block,
      text,
    })),
  );
}

/** Returns the sums of the ledger that do not hold. */
export function checkSums(
  ledger: ClaimLedger,
  known: ReadonlyMap<string, { readonly result: Computation }>,
): ClaimFinding[] {
  const valueOf = (id: string): number | undefined => {
    const result = known.get(id)?.result;
    return result !== undefined && "computed" in result && typeof result.computed.value === "number"
      ? result.computed.value
      : undefined;
  };
  return ledger.sums.flatMap(({ parts, total }): ClaimFinding[] => {
    const values = parts.map(valueOf);
    const whole = typeof total === "number" ? total : valueOf(total);
    const name = `${parts.join(" + ")} = ${total}`;
    if (whole === undefined || values.some((value) => value === undefined))
      return [
        { status: "unsupported_claim", severity: "error", message: `The sum ${name} names claims that have no number` },
      ];
    const sum = values.reduce<number>((added, value) => added + (value ?? 0), 0);
    if (Math.abs(sum - whole) <= 1e-9 * Math.max(1, Math.abs(whole))) return [];
    return [
      {
        status: "number_mismatch",
        severity: "error",
        message: `The sum ${name} does not hold: the parts add up to ${sum}, the total is ${whole}`,
      },
    ];
  });
}
