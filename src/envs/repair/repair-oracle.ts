// internal
import type { Action } from "../../core/index.js";
import { createCallAction } from "../commands.js";
import { findLineEdit } from "./line-edit.js";
import type { RepairData, RepairState } from "./repair-data.js";

/**
 * Returns the turns after which an agent with this episode's information is sure to have solved the task. It must
 * read each faulty file before it edits it, needs one edit for each (an edit may replace all lines, and no edit
 * mends two files), the tests once where only they tell the rules, and the submission. 0 after a right submission,
 * infinite after a wrong one.
 */
export function countTurnsToRepair(data: RepairData, state: RepairState): number {
  if (state.ended !== undefined) return state.ended === "solved" ? 0 : Infinity;
  const broken = state.isBroken.filter(Boolean).length;
  const unread = state.isBroken.filter((isBroken, i) => isBroken && !state.isRead[i]).length;
  return unread + broken + (needsTests(data, state) ? 1 : 0) + 1;
}

function needsTests({ rules }: RepairData, { isTested }: RepairState): boolean {
  return rules === "tests" && !isTested;
}

function read(data: RepairData, file: number): Action {
  return createCallAction("read", { file: data.files[file].name });
}
/** Returns the edit that makes `target` of the file's present text. */
function edit(data: RepairData, state: RepairState, file: number, target: string): Action {
  return createCallAction("edit", { file: data.files[file].name, ...findLineEdit(state.texts[file], target) });
}
const runTests = createCallAction("test");
const undo = createCallAction("undo");
const submit = createCallAction("submit");

/** Returns the actions after which the fewest turns are needed, from what the agent can know. */
export function listSureActions(data: RepairData, state: RepairState): Action[] {
  const broken = state.isBroken.flatMap((isBroken, file) => (isBroken ? [file] : []));
  if (needsTests(data, state)) {
    // Which of several files are faulty is only told by the tests, unless all of them are.
    const mustRead = data.faultCount === data.files.length ? broken.filter((file) => !state.isRead[file]) : [];
    return [runTests, ...mustRead.map((file) => read(data, file))];
  }
  if (broken.length === 0) return [submit];
  const moves = broken.map((file) =>
    state.isRead[file] ? edit(data, state, file, data.files[file].fixed) : read(data, file),
  );
  const last = state.edits.at(-1);
  const mends = last !== undefined && state.isBroken[last.file] && last.text === data.files[last.file].fixed;
  return mends ? [...moves, undo] : moves;
}

/** Returns every program that may be the right one for an agent that has not seen the tests, file by file. */
function listHypotheses({ files, faultCount }: RepairData): string[][] {
  let partial: { readonly texts: readonly string[]; readonly faults: number }[] = [{ texts: [], faults: 0 }];
  for (const { source, variants } of files) {
    partial = partial.flatMap(({ texts, faults }) => [
      { texts: [...texts, source], faults },
      ...variants.filter((text) => text !== source).map((text) => ({ texts: [...texts, text], faults: faults + 1 })),
    ]);
  }
  return partial.filter(({ faults }) => faults === faultCount).map(({ texts }) => [...texts]);
}

/**
 * Returns the first actions of the gambles that fit into `turnsLeft`: make one of the programs that may be right,
 * without running the tests, and submit it. All such programs are equally likely; of those that can be reached the
 * nearest are aimed at. Empty where there is nothing to gamble on.
 */
export function listGambles(data: RepairData, state: RepairState, turnsLeft: number): Action[] {
  if (!needsTests(data, state)) return [];
  const plans = listHypotheses(data).map((texts) => {
    const files = texts.flatMap((text, file) => (text === state.texts[file] ? [] : [file]));
    const turns = files.reduce((sum, file) => sum + (state.isRead[file] ? 1 : 2), 1);
    return { texts, files, turns };
  });
  const fewest = Math.min(...plans.map(({ turns }) => turns));
  if (fewest > turnsLeft) return [];
  const actions = plans
    .filter(({ turns }) => turns === fewest)
    .flatMap(({ texts, files }) =>
      files.length === 0
        ? [submit]
        : files.map((file) => (state.isRead[file] ? edit(data, state, file, texts[file]) : read(data, file))),
    );
  return keepEachOnce(actions);
}

function keepEachOnce(actions: readonly Action[]): Action[] {
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

/**
 * Returns the meaningful actions: reading, testing, submitting, undoing, and of the edits of files that were read
 * the right one, the plausible wrong ones and one that breaks the syntax.
 */
export function listAllowedActions(data: RepairData, state: RepairState): Action[] {
  const edits = data.files.flatMap(({ fixed, source, variants }, file) => {
    if (!state.isRead[file]) return [];
    const targets = [fixed, source, ...variants].filter((text) => text !== state.texts[file]);
    const lineCount = state.texts[file].split("\n").length;
    const breakSyntax = createCallAction("edit", {
      file: data.files[file].name,
      first: lineCount,
      last: lineCount,
      text: "{",
    });
    return [...targets.map((text) => edit(data, state, file, text)), breakSyntax];
  });
  const reads = data.files.map((_, file) => read(data, file));
  // Before the first edit the program is known to be faulty: handing it in then is no choice anybody would weigh.
  const afterEdits = state.edits.length === 0 ? [] : [undo, submit];
  return keepEachOnce([...reads, runTests, ...edits, ...afterEdits]);
}
