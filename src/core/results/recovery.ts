import type { Disclosure, TerminalRule } from "../budget.js";
import type { CellMark, Estimate, Verdict } from "../result.js";
import type { ContextMode } from "../trajectory.js";

/** One policy after known errors with b turns left, and after the best action in their place. */
export interface RecoveryCell {
  readonly policy: string;
  readonly context: ContextMode;
  /** Turns left: b. */
  readonly maxTurns: number;
  /** Success after the error. */
  readonly error: Estimate;
  /** Success after the best action instead, same turn and b; absent where the env has no oracle. */
  readonly clean?: Estimate;
  /** Clean minus error. */
  readonly cost?: Estimate;
  /** Error over clean; absent while nothing succeeds after the best action. */
  readonly ratio?: Estimate;
  /** Share that made its way back to the best distance before the error, or solved it, within b; absent where the env knows no distance. */
  readonly returned?: Estimate;
}

/** Two policies at the same states and b. */
export interface RecoveryDifference {
  readonly a: string;
  readonly b: string;
  readonly maxTurns: number;
  /** B minus A after the error, and after the best action. */
  readonly error: Estimate;
  readonly clean?: Estimate;
  /** The first minus the second: what B recovers beyond being better anyway. */
  readonly beyondControl?: Estimate;
  /** Of `beyondControl`; without a control there is no verdict on recovery. */
  readonly verdict?: Verdict;
  readonly returned?: Estimate;
  readonly returnedVerdict?: Verdict;
}

/** How one policy behaves while it is in error, up to the largest b. */
export interface RecoveryBehaviour {
  readonly policy: string;
  readonly context: ContextMode;
  readonly episodes: number;
  readonly errored: number;
  /** Mean turns until back at the best distance or solved, those that never are counted with the largest b. */
  readonly turnsToReturn?: Estimate;
  /** Share of returned episodes that err again before their end. */
  readonly relapse?: Estimate;
  /** Chance to quit in a turn before the return, and in a turn after the best action. */
  readonly quitHazard?: Estimate;
  readonly cleanQuitHazard?: Estimate;
}

/** Success of each solver on each producer's errors at the largest b. */
export interface ProducerMatrix {
  readonly maxTurns: number;
  readonly producers: readonly string[];
  readonly solvers: readonly string[];
  /** One for each (producer, solver), solvers varying fastest. */
  readonly cells: readonly Estimate[];
  readonly prefixes: readonly number[];
  /** Success on one's own errors beyond an additive model of producers and solvers; below 0 is a self-recovery penalty. */
  readonly selfExcess?: Estimate;
}

/** What an error at turn t costs one policy, by turns left. */
export interface ErrorDebtRow {
  readonly policy: string;
  /** 1-based turns of the error, e.g. `1`, `3-4`; `all` for every prefix. */
  readonly turns: string;
  readonly prefixes: number;
  readonly costs: readonly { readonly maxTurns: number; readonly cost: Estimate }[];
  /** Mean extra turns to success because of the error, both restricted to the largest b. Only where b is cut from it. */
  readonly extraTurns?: Estimate;
}

/** What seeing the turns before changes: another context minus full context, at the largest b. */
export interface ContextEffect {
  readonly policy: string;
  readonly context: ContextMode;
  readonly maxTurns: number;
  readonly error: Estimate;
  readonly clean?: Estimate;
  /** The first minus the second: what the error in the context does, beyond what any context does. */
  readonly pollution?: Estimate;
  readonly verdict?: Verdict;
}

/** Success after the error by slack (b minus the distance) or by the error's label. */
export interface RecoveryStratum {
  readonly policy: string;
  readonly by: "slack" | "label";
  readonly value: string;
  /** Prefixes with a label; prefixes times budgets with a slack. */
  readonly cases: number;
  readonly error: Estimate;
  readonly cost?: Estimate;
}

/** What policies make of the same errors. */
export interface RecoveryResult {
  readonly poolHash: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly policies: readonly string[];
  readonly contexts: readonly ContextMode[];
  readonly budgets: readonly number[];
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  readonly mark: CellMark;
  readonly samples: number;
  readonly taskCount: number;
  /** Prefixes in every figure: those that all policies played in all arms. */
  readonly prefixCount: number;
  /** Errors nobody can recover from: traps, and errors that ended the episode. */
  readonly trapCount: number;
  readonly endedCount: number;
  /** Prefixes left out because some policy has no counted episode there, or because they have no control. */
  readonly unplayedCount: number;
  readonly withoutControl: number;
  readonly hasControl: boolean;
  readonly level: number;
  readonly margin: number;
  readonly replicates: number;
  readonly seed: number;
  readonly cells: readonly RecoveryCell[];
  readonly differences: readonly RecoveryDifference[];
  readonly behaviour: readonly RecoveryBehaviour[];
  readonly matrix?: ProducerMatrix;
  readonly debt: readonly ErrorDebtRow[];
  readonly contextEffects: readonly ContextEffect[];
  readonly strata: readonly RecoveryStratum[];
  /** What a reader must know before believing the figures. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}
