// internal
import {
  dynamicsMeasures,
  type ClaimDisplay,
  type DynamicsMeasure,
  type DynamicsResult,
  type LikelihoodResult,
  type SignalsResult,
} from "../core/index.js";
import type { ClaimBook } from "./claim-book.js";

const share: ClaimDisplay = { decimals: 1, percent: true };
const signedShare: ClaimDisplay = { decimals: 1, percent: true, signed: true };
const count: ClaimDisplay = { decimals: 0 };
const area: ClaimDisplay = { decimals: 3 };
const fine: ClaimDisplay = { decimals: 4 };
const signedFine: ClaimDisplay = { decimals: 4, signed: true };
const decimal: ClaimDisplay = { decimals: 1 };
const nats: ClaimDisplay = { decimals: 3 };
const signedNats: ClaimDisplay = { decimals: 3, signed: true };

function addAssessments(book: ClaimBook, { assessments }: SignalsResult, index: number): void {
  for (const [i, one] of assessments.entries()) {
    const id = `signal.${index}.${i}`;
    const select = `/signals/${index}/assessments/${i}`;
    book.addValue({ id: `${id}.rows`, kind: "count", select: `${select}/rows`, display: count }, one.rows);
    book.addValue(
      { id: `${id}.positives`, kind: "count", select: `${select}/positives`, display: count },
      one.positives,
    );
    book.addValue({ id: `${id}.coverage`, kind: "value", select: `${select}/coverage`, display: share }, one.coverage);
    book.addValue(
      { id: `${id}.auroc`, kind: "value", select: `${select}/auroc/value`, display: area },
      one.auroc?.value,
    );
    if (one.stratifiedAuroc !== undefined) {
      book.addEstimate(
        { id: `${id}.stratified`, kind: "value", select: `${select}/stratifiedAuroc`, display: area },
        one.stratifiedAuroc,
      );
    }
    const { fitted, located } = one;
    if (fitted !== undefined) {
      const from = `${select}/fitted`;
      book.addValue(
        { id: `${id}.fitted`, kind: "value", select: `${from}/auroc/value`, display: area },
        fitted.auroc?.value,
      );
      book.addValue(
        { id: `${id}.auprc`, kind: "value", select: `${from}/auprc/value`, display: area },
        fitted.auprc?.value,
      );
      book.addValue(
        { id: `${id}.brier`, kind: "value", select: `${from}/brier/value`, display: fine },
        fitted.brier.value,
      );
      book.addValue({ id: `${id}.ece`, kind: "value", select: `${from}/ece/value`, display: area }, fitted.ece.value);
      book.addEstimate(
        { id: `${id}.gain`, kind: "delta", select: `${from}/brierGain`, display: signedFine },
        fitted.brierGain,
      );
    }
    if (located !== undefined) {
      book.addEstimate(
        { id: `${id}.located`, kind: "value", select: `${select}/located/share`, display: share },
        located.share,
      );
      book.addValue(
        { id: `${id}.chance`, kind: "value", select: `${select}/located/chance`, display: share },
        located.chance,
      );
    }
  }
}

/** Adds the claims of the signals' section. */
export function addSignalClaims(book: ClaimBook, results: readonly SignalsResult[]): void {
  for (const [index, result] of results.entries()) {
    const root = `/signals/${index}`;
    for (const field of ["episodes", "taskCount", "fitTasks", "evaluationTasks", "recoveryTurns"] as const) {
      book.addValue(
        { id: `signals.${index}.${field}`, kind: "count", select: `${root}/${field}`, display: count },
        result[field],
      );
    }
    addAssessments(book, result, index);
    for (const [i, { auroc }] of result.timed.entries()) {
      book.addEstimate(
        { id: `timed.${index}.${i}`, kind: "value", select: `${root}/timed/${i}/auroc`, display: area },
        auroc,
      );
    }
    for (const [i, alarm] of result.alarms.entries()) {
      const select = `${root}/alarms/${i}`;
      for (const field of ["falseAlarms", "caught", "leadShare"] as const) {
        const estimate = alarm[field];
        if (estimate !== undefined)
          book.addEstimate(
            { id: `alarm.${index}.${i}.${field}`, kind: "value", select: `${select}/${field}`, display: share },
            estimate,
          );
      }
      if (alarm.leadTurns !== undefined)
        book.addEstimate(
          { id: `alarm.${index}.${i}.leadTurns`, kind: "value", select: `${select}/leadTurns`, display: decimal },
          alarm.leadTurns,
        );
    }
    for (const [i, { agreement, gain, curve }] of result.divergence.entries()) {
      const select = `${root}/divergence/${i}`;
      const id = `divergence.${index}.${i}`;
      if (agreement !== undefined)
        book.addEstimate(
          { id: `${id}.agreement`, kind: "value", select: `${select}/agreement`, display: area },
          agreement,
        );
      if (gain !== undefined)
        book.addEstimate({ id: `${id}.gain`, kind: "delta", select: `${select}/gain`, display: signedShare }, gain);
      for (const [j, point] of curve.entries()) {
        book.addEstimate(
          { id: `${id}.n${point.n}`, kind: "value", select: `${select}/curve/${j}/success`, display: share },
          point.success,
        );
      }
    }
    for (const [i, check] of result.shaping.entries()) {
      for (const field of ["tasks", "unequalTasks"] as const) {
        book.addValue(
          {
            id: `shaping.${index}.${i}.${field}`,
            kind: "count",
            select: `${root}/shaping/${i}/${field}`,
            display: count,
          },
          check[field],
        );
      }
    }
  }
}

/** Adds the claims of the likelihood section. */
export function addLikelihoodClaims(book: ClaimBook, result: LikelihoodResult): void {
  for (const field of ["episodes", "turns", "taskCount"] as const) {
    book.addValue(
      { id: `likelihood.${field}`, kind: "count", select: `/likelihood/${field}`, display: count },
      result[field],
    );
  }
  for (const [list, id, display] of [
    ["rows", "nll", nats],
    ["logRatios", "ratio", signedNats],
  ] as const) {
    for (const [i, row] of result[list].entries()) {
      const select = `/likelihood/${list}/${i}`;
      book.addEstimate({ id: `${id}.${i}.token`, kind: "value", select: `${select}/perToken`, display }, row.perToken);
      book.addEstimate({ id: `${id}.${i}.turn`, kind: "value", select: `${select}/perTurn`, display }, row.perTurn);
      book.addValue({ id: `${id}.${i}.tokens`, kind: "count", select: `${select}/tokens`, display: count }, row.tokens);
    }
  }
  for (const [i, { agreement }] of result.agreement.entries()) {
    book.addEstimate(
      { id: `ratioAgreement.${i}`, kind: "value", select: `/likelihood/agreement/${i}/agreement`, display: area },
      agreement,
    );
  }
  for (const [i, { turns }] of result.unavailable.entries()) {
    book.addValue(
      { id: `unscored.${i}`, kind: "count", select: `/likelihood/unavailable/${i}/turns`, display: count },
      turns,
    );
  }
}

/** Measures that are not shares. */
const plainMeasures: { readonly [measure in DynamicsMeasure]?: ClaimDisplay } = {
  meanTurns: decimal,
  rewardDeviation: area,
  entropy: area,
};

/** Adds the claims of the dynamics section. */
export function addDynamicsClaims(book: ClaimBook, result: DynamicsResult): void {
  book.addValue(
    { id: "dynamics.tasks", kind: "count", select: "/dynamics/taskCount", display: count },
    result.taskCount,
  );
  for (const [c, { cells, measures }] of result.checkpoints.entries()) {
    const root = `/dynamics/checkpoints/${c}`;
    for (const [i, { maxTurns, estimate, change }] of cells.entries()) {
      book.addEstimate(
        { id: `dynamics.${c}.t${maxTurns}`, kind: "value", select: `${root}/cells/${i}/estimate`, display: share },
        estimate,
      );
      if (change === undefined) continue;
      const source = {
        id: `dynamics.${c}.t${maxTurns}.change`,
        kind: "delta",
        select: `${root}/cells/${i}/change/estimate`,
        display: signedShare,
      } as const;
      book.addEstimate(source, change.estimate);
    }
    for (const measure of dynamicsMeasures) {
      const value = measures[measure];
      if (value === undefined) continue;
      const display = plainMeasures[measure] ?? share;
      book.addEstimate(
        { id: `dynamics.${c}.${measure}`, kind: "value", select: `${root}/measures/${measure}/estimate`, display },
        value.estimate,
      );
      if (value.change === undefined) continue;
      const source = {
        id: `dynamics.${c}.${measure}.change`,
        kind: "delta",
        select: `${root}/measures/${measure}/change`,
        display: { ...display, signed: true },
      } as const;
      book.addEstimate(source, value.change);
    }
  }
  if (result.selection === undefined) return;
  for (const field of ["selectionTasks", "reportTasks", "splits"] as const) {
    book.addValue(
      { id: `selection.${field}`, kind: "count", select: `/dynamics/selection/${field}`, display: count },
      result.selection[field],
    );
  }
  for (const [i, row] of result.selection.rows.entries()) {
    const id = `selection.t${row.maxTurns}`;
    const select = `/dynamics/selection/rows/${i}`;
    book.addValue(
      { id: `${id}.selected`, kind: "value", select: `${select}/selectionValue`, display: share },
      row.selectionValue,
    );
    book.addEstimate(
      { id: `${id}.reported`, kind: "value", select: `${select}/reportValue`, display: share },
      row.reportValue,
    );
    book.addValue(
      { id: `${id}.optimism`, kind: "delta", select: `${select}/optimism`, display: signedShare },
      row.optimism,
    );
    book.addValue(
      { id: `${id}.agreement`, kind: "value", select: `${select}/agreement`, display: share },
      row.agreement,
    );
  }
}
