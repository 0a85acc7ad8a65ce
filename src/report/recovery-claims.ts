// internal
import type { ClaimDisplay, Estimate, RecoveryResult, StepEvaluation, StepMeasure } from "../core/index.js";
import type { ClaimBook } from "./claim-book.js";

const share: ClaimDisplay = { decimals: 1, percent: true };
const signedShare: ClaimDisplay = { decimals: 1, percent: true, signed: true };
const decimal: ClaimDisplay = { decimals: 2 };
const count: ClaimDisplay = { decimals: 0 };

/** Adds the estimates that a row has, each under its field's name. */
function addFields<Row extends object>(
  book: ClaimBook,
  id: string,
  select: string,
  row: Row,
  fields: { readonly [name in keyof Row]?: ClaimDisplay },
): void {
  const names = Object.keys(fields) as (keyof Row & string)[]; // the keys of a literal
  for (const name of names) {
    const estimate = row[name] as Estimate | undefined; // only fields that hold estimates are named
    const display = fields[name];
    if (estimate === undefined || display === undefined) continue;
    const kind = display.signed === true ? "delta" : "value";
    book.addEstimate({ id: `${id}.${name}`, kind, select: `${select}/${name}`, display }, estimate);
  }
}

/** Adds a claim for every figure of a recovery evaluation. */
export function addRecoveryClaims(book: ClaimBook, result: RecoveryResult): void {
  for (const name of ["prefixCount", "taskCount", "trapCount", "endedCount"] as const) {
    book.addValue({ id: `rec.${name}`, kind: "count", select: `/recovery/${name}`, display: count }, result[name]);
  }
  for (const [i, cell] of result.cells.entries()) {
    addFields(book, `rec.cell.${i}`, `/recovery/cells/${i}`, cell, {
      error: share,
      clean: share,
      cost: signedShare,
      ratio: decimal,
      returned: share,
    });
  }
  for (const [i, row] of result.differences.entries()) {
    const fields = { error: signedShare, clean: signedShare, beyondControl: signedShare, returned: signedShare };
    addFields(book, `rec.diff.${i}`, `/recovery/differences/${i}`, row, fields);
  }
  for (const [i, row] of result.behaviour.entries()) {
    const select = `/recovery/behaviour/${i}`;
    addFields(book, `rec.behaviour.${i}`, select, row, {
      turnsToReturn: decimal,
      relapse: share,
      quitHazard: share,
      cleanQuitHazard: share,
    });
    book.addValue(
      { id: `rec.behaviour.${i}.episodes`, kind: "count", select: `${select}/episodes`, display: count },
      row.episodes,
    );
    book.addValue(
      { id: `rec.behaviour.${i}.errored`, kind: "count", select: `${select}/errored`, display: count },
      row.errored,
    );
  }
  addBreakdowns(book, result);
}

/** Adds the figures by producer, turn, context and stratum. */
function addBreakdowns(book: ClaimBook, result: RecoveryResult): void {
  for (const [i, cell] of (result.matrix?.cells ?? []).entries()) {
    book.addEstimate(
      { id: `rec.matrix.${i}`, kind: "value", select: `/recovery/matrix/cells/${i}`, display: share },
      cell,
    );
  }
  if (result.matrix?.selfExcess !== undefined) {
    book.addEstimate(
      { id: "rec.selfExcess", kind: "delta", select: "/recovery/matrix/selfExcess", display: signedShare },
      result.matrix.selfExcess,
    );
  }
  for (const [i, row] of result.debt.entries()) {
    const select = `/recovery/debt/${i}`;
    book.addValue(
      { id: `rec.debt.${i}.prefixes`, kind: "count", select: `${select}/prefixes`, display: count },
      row.prefixes,
    );
    addFields(book, `rec.debt.${i}`, select, row, { extraTurns: decimal });
    for (const [j, { maxTurns, cost }] of row.costs.entries()) {
      book.addEstimate(
        { id: `rec.debt.${i}.t${maxTurns}`, kind: "delta", select: `${select}/costs/${j}/cost`, display: signedShare },
        cost,
      );
    }
  }
  for (const [i, row] of result.contextEffects.entries()) {
    addFields(book, `rec.context.${i}`, `/recovery/contextEffects/${i}`, row, {
      error: signedShare,
      clean: signedShare,
      pollution: signedShare,
    });
  }
  for (const [i, row] of result.strata.entries()) {
    addFields(book, `rec.strata.${i}`, `/recovery/strata/${i}`, row, { error: share, cost: signedShare });
    book.addValue(
      { id: `rec.strata.${i}.cases`, kind: "count", select: `/recovery/strata/${i}/cases`, display: count },
      row.cases,
    );
  }
}

/** Adds a claim for every figure of a step evaluation. */
export function addStepClaims(book: ClaimBook, result: StepEvaluation): void {
  for (const name of ["stateCount", "taskCount"] as const) {
    book.addValue({ id: `step.${name}`, kind: "count", select: `/steps/${name}`, display: count }, result[name]);
  }
  for (const [i, row] of result.rows.entries()) {
    const select = `/steps/rows/${i}`;
    addFields(book, `step.row.${i}`, select, row, {
      progress: share,
      regret: share,
      valid: share,
      repeat: share,
      quit: share,
    });
    for (const name of ["states", "draws", "errored"] as const) {
      book.addValue(
        { id: `step.row.${i}.${name}`, kind: "count", select: `${select}/${name}`, display: count },
        row[name],
      );
    }
  }
  for (const [i, { estimate }] of result.differences.entries()) {
    book.addEstimate(
      { id: `step.diff.${i}`, kind: "delta", select: `/steps/differences/${i}/estimate`, display: signedShare },
      estimate,
    );
  }
  for (const [i, row] of result.splits.entries()) {
    const select = `/steps/splits/${i}`;
    const fields = {
      rateA: share,
      rateB: share,
      difference: signedShare,
      policyPart: signedShare,
      stateMixPart: signedShare,
    };
    addFields(book, `step.split.${i}`, select, row, fields);
    for (const name of ["loggedA", "loggedB"] as const) {
      book.addValue(
        { id: `step.split.${i}.${name}`, kind: "value", select: `${select}/${name}`, display: share },
        row[name],
      );
    }
  }
}

/** What each step measure is called. */
export const stepMeasureNames: { readonly [measure in StepMeasure]: string } = {
  progress: "progress",
  regret: "chance given away",
  valid: "valid",
  repeat: "same error",
  quit: "quits",
};
