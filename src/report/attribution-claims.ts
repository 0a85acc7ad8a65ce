// internal
import type { AttributionResult, ClaimDisplay, GapShares } from "../core/index.js";
import type { ClaimBook } from "./claim-book.js";

const share: ClaimDisplay = { decimals: 1, percent: true };
const signedShare: ClaimDisplay = { decimals: 1, percent: true, signed: true };
const count: ClaimDisplay = { decimals: 0 };
const decimal: ClaimDisplay = { decimals: 2 };
const pValue: ClaimDisplay = { decimals: 3 };

/** The eight cells in the order of the result's lists. */
export const cellNames = ["AAA", "AAB", "ABA", "ABB", "BAA", "BAB", "BBA", "BBB"] as const;
/** The three shares of a gap. */
export const gapParts = ["decision", "recovery", "persistence"] as const;

function addShares(book: ClaimBook, id: string, select: string, shares: GapShares | undefined): void {
  if (shares === undefined) return;
  for (const part of gapParts)
    book.addValue(
      { id: `${id}.${part}`, kind: "delta", select: `${select}/${part}`, display: signedShare },
      shares[part],
    );
}

function addRows(book: ClaimBook, { rows }: AttributionResult): void {
  for (const [i, row] of rows.entries()) {
    const id = `why.t${row.maxTurns}`;
    const select = `/attribution/rows/${i}`;
    for (const part of row.isIdentified ? (["gap", ...gapParts] as const) : (["gap"] as const)) {
      book.addEstimate(
        { id: `${id}.${part}`, kind: "delta", select: `${select}/${part}/estimate`, display: signedShare },
        row[part].estimate,
      );
    }
    book.addValue({ id: `${id}.thin`, kind: "value", select: `${select}/thinShare`, display: share }, row.thinShare);
    // Where hybrids are not identified, no figure that rests on them is a claim: only A and B themselves.
    for (const [j, name] of cellNames.entries()) {
      if (!row.isIdentified && name !== "AAA" && name !== "BBB") continue;
      book.addValue(
        { id: `${id}.cell.${name}`, kind: "value", select: `${select}/cells/${j}`, display: share },
        row.cells[j],
      );
    }
    if (!row.isIdentified) continue;
    book.addEstimate(
      { id: `${id}.interaction`, kind: "delta", select: `${select}/interaction`, display: signedShare },
      row.interaction,
    );
    addShares(book, `${id}.pooled`, `${select}/pooled`, row.pooled);
    addShares(book, `${id}.wrongAsQuit`, `${select}/wrongAsQuit`, row.wrongAsQuit);
    addShares(book, `${id}.least`, `${select}/judgeRange/least`, row.judgeRange?.least);
    addShares(book, `${id}.most`, `${select}/judgeRange/most`, row.judgeRange?.most);
  }
}

function addChecks(
  book: ClaimBook,
  { markov = [], selfChecks = [], hybridCosts = [], estimatorDifference }: AttributionResult,
): void {
  for (const [i, { policy, pValue: p, heldOut }] of markov.entries()) {
    const select = `/attribution/markov/${i}`;
    book.addValue({ id: `why.markov.${policy}.p`, kind: "test", select: `${select}/pValue`, display: pValue }, p);
    book.addValue(
      { id: `why.markov.${policy}.observed`, kind: "value", select: `${select}/heldOut/observed`, display: share },
      heldOut?.observed,
    );
    book.addValue(
      { id: `why.markov.${policy}.predicted`, kind: "value", select: `${select}/heldOut/predicted`, display: share },
      heldOut?.predicted,
    );
  }
  for (const [i, { policy, difference, firstActionP }] of selfChecks.entries()) {
    const select = `/attribution/selfChecks/${i}`;
    book.addEstimate(
      { id: `why.copy.${policy}`, kind: "delta", select: `${select}/difference`, display: signedShare },
      difference,
    );
    book.addValue(
      { id: `why.copy.${policy}.p`, kind: "test", select: `${select}/firstActionP`, display: pValue },
      firstActionP,
    );
  }
  for (const [i, { cell, turns, extraCalls, extraTokens, forcedTurns }] of hybridCosts.entries()) {
    for (const [name, value] of Object.entries({ turns, extraCalls, extraTokens, forcedTurns })) {
      book.addValue(
        {
          id: `why.cost.${cell}.${name}`,
          kind: "count",
          select: `/attribution/hybridCosts/${i}/${name}`,
          display: count,
        },
        value,
      );
    }
  }
  const select = "/attribution/estimatorDifference";
  addShares(book, "why.logs", select, estimatorDifference);
  book.addValue(
    { id: "why.logs.turns", kind: "value", select: `${select}/maxTurns`, display: count },
    estimatorDifference?.maxTurns,
  );
}

function addArms(book: ClaimBook, { forcedArms = [] }: AttributionResult): void {
  for (const [i, row] of forcedArms.entries()) {
    const id = `why.arms.${row.policy}.t${row.maxTurns}`;
    const select = `/attribution/forcedArms/${i}`;
    for (const arm of ["native", "forcedContinue", "forcedStop"] as const) {
      book.addEstimate({ id: `${id}.${arm}`, kind: "value", select: `${select}/${arm}`, display: share }, row[arm]);
    }
    book.addEstimate(
      { id: `${id}.limited`, kind: "delta", select: `${select}/persistenceLimited/estimate`, display: signedShare },
      row.persistenceLimited.estimate,
    );
    book.addValue({ id: `${id}.km`, kind: "value", select: `${select}/kaplanMeier`, display: share }, row.kaplanMeier);
  }
}

function addRestart(book: ClaimBook, { restart }: AttributionResult): void {
  for (const [i, { policy, bestTurns, bestCost, costs, bestTurnsRange }] of restart.entries()) {
    const select = `/attribution/restart/${i}`;
    book.addValue(
      { id: `why.restart.${policy}.best`, kind: "value", select: `${select}/bestTurns`, display: count },
      bestTurns,
    );
    book.addValue(
      { id: `why.restart.${policy}.cost`, kind: "value", select: `${select}/bestCost`, display: decimal },
      bestCost,
    );
    const last = costs.length - 1;
    book.addValue(
      {
        id: `why.restart.${policy}.long`,
        kind: "value",
        select: `${select}/costs/${last}/turnsPerSuccess`,
        display: decimal,
      },
      costs[last]?.turnsPerSuccess,
    );
    for (const [end, name] of ["from", "to"].entries()) {
      book.addValue(
        {
          id: `why.restart.${policy}.${name}`,
          kind: "value",
          select: `${select}/bestTurnsRange/${end}`,
          display: count,
        },
        bestTurnsRange?.[end],
      );
    }
  }
}

function addResponse(book: ClaimBook, { budgetResponse = [] }: AttributionResult): void {
  for (const [i, { policy, turnsPerDoubling, firstActionP, rows }] of budgetResponse.entries()) {
    const id = `why.response.${policy}`;
    const select = `/attribution/budgetResponse/${i}`;
    book.addEstimate(
      { id, kind: "delta", select: `${select}/turnsPerDoubling`, display: { decimals: 2, signed: true } },
      turnsPerDoubling,
    );
    book.addValue({ id: `${id}.p`, kind: "test", select: `${select}/firstActionP`, display: pValue }, firstActionP);
    for (const [j, row] of rows.entries()) {
      book.addValue(
        {
          id: `${id}.t${row.maxTurns}.turns`,
          kind: "value",
          select: `${select}/rows/${j}/meanTurns`,
          display: decimal,
        },
        row.meanTurns,
      );
      book.addValue(
        { id: `${id}.t${row.maxTurns}.quit`, kind: "value", select: `${select}/rows/${j}/quitShare`, display: share },
        row.quitShare,
      );
      book.addValue(
        {
          id: `${id}.t${row.maxTurns}.distance`,
          kind: "value",
          select: `${select}/rows/${j}/firstActionDistance`,
          display: decimal,
        },
        row.firstActionDistance,
      );
    }
  }
}

/** Adds a claim for every figure of an attribution. */
export function addAttributionClaims(book: ClaimBook, attribution: AttributionResult): void {
  for (const add of [addRows, addChecks, addArms, addRestart, addResponse]) add(book, attribution);
}
