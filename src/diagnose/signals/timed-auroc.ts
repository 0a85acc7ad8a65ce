// internal
import type { TimedAuroc } from "../../core/index.js";
import { estimateAuroc, type AssessContext } from "./assess-target.js";
import type { SignalEpisode, TargetRows } from "./signal-rows.js";

/** Fewest rows of each label that a cell is shown with. */
const minRows = 10;

/** Says whether the episode is solved within `left` turns after turn `turn`, or `undefined` where the record cannot tell. */
function isSolvedWithin(episode: SignalEpisode, turn: number, left: number): boolean | undefined {
  const { solvedTurn, turnCount, isCut } = episode;
  if (Number.isNaN(solvedTurn)) return undefined;
  if (solvedTurn <= turn + left) return true;
  // What the turn limit cut might have been solved in the turns that were not played.
  return isCut && turn + left > turnCount ? undefined : false;
}

/** Returns the rows of the turns in a range, labelled by success within `left` more turns (absent: in the end). */
function collectTimedRows(context: AssessContext, from: number, to: number, left: number | undefined): TargetRows {
  const rows: { task: number; episode: number; turn: number; label: number }[] = [];
  for (const [index, episode] of context.data.episodes.entries()) {
    for (let turn = from; turn <= Math.min(to, episode.turnCount - 1); turn += 1) {
      if (episode.solvedTurn <= turn) continue;
      const label = left === undefined ? episode.success : isSolvedWithin(episode, turn, left);
      if (label !== undefined) rows.push({ task: episode.task, episode: index, turn, label: label ? 1 : 0 });
    }
  }
  return {
    target: "success",
    count: rows.length,
    task: Int32Array.from(rows, (row) => row.task),
    episode: Int32Array.from(rows, (row) => row.episode),
    turn: Int32Array.from(rows, (row) => row.turn),
    budgetLeft: new Float64Array(rows.length).fill(left ?? Infinity),
    label: Uint8Array.from(rows, (row) => row.label),
    stratum: Int32Array.from(rows, (row) => row.turn),
  };
}

/**
 * Returns the time-dependent AUROC of each signal: among episodes still open at one turn, does the signal tell which
 * will be solved within so many more turns? Turns are taken in ranges 1, 2-3, 4-7, ...; pairs are always of one and the
 * same turn. Success within fewer turns than were left is read from grades of turns, where episodes have them and did not
 * know their budget. Cells with fewer than 10 rows of a label are left out.
 */
export function measureTimedAuroc(context: AssessContext, canCut: boolean): TimedAuroc[] {
  const longest = Math.max(...context.data.episodes.map((episode) => episode.turnCount));
  const widths = canCut ? Array.from({ length: Math.floor(Math.log2(longest)) + 1 }, (_unused, i) => 2 ** i) : [];
  const cells: TimedAuroc[] = [];
  for (let from = 1; from < longest; from *= 2) {
    const to = Math.min(2 * from - 1, longest - 1);
    for (const left of [...widths.filter((width) => width < longest - from), undefined]) {
      const rows = collectTimedRows(context, from, to, left);
      for (const [index, signal] of context.signals.entries()) {
        const { episodes } = context.data;
        const column = Float64Array.from(
          { length: rows.count },
          (_unused, row) => episodes[rows.episode[row]].values[index][rows.turn[row] - 1],
        );
        const members = [...column.keys()].filter((row) => !Number.isNaN(column[row]));
        const positives = members.reduce((sum, row) => sum + rows.label[row], 0);
        if (positives < minRows || members.length - positives < minRows) continue;
        const auroc = estimateAuroc(context, rows, column, members).stratifiedAuroc;
        if (auroc === undefined) continue;
        const range = { fromTurn: from, toTurn: to, ...(left === undefined ? {} : { budgetLeft: left }) };
        cells.push({ signal: signal.id, ...range, rows: members.length, positives, auroc });
      }
    }
  }
  return cells;
}
