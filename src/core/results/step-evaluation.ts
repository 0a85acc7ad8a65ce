import type { Estimate, Verdict } from "../result.js";

/** What an action drawn in a state is scored by. */
export type StepMeasure = "progress" | "regret" | "valid" | "repeat" | "quit";
/** Every step measure, in the order tables show them. */
export const stepMeasures: readonly StepMeasure[] = ["progress", "regret", "valid", "repeat", "quit"];

/** What one policy does in the states just before known errors. */
export interface StepRow {
  readonly policy: string;
  /** States with at least one scored action. */
  readonly states: number;
  readonly draws: number;
  /** Draws that gave no action because of an error; left out. */
  readonly errored: number;
  /** Share of actions that are no error by the env's word; absent where the env tells none. */
  readonly progress?: Estimate;
  /** Mean chance of success given away; absent where the env knows none. */
  readonly regret?: Estimate;
  /** Share of actions that could be carried out. */
  readonly valid?: Estimate;
  /** Share of actions that repeat the known error. */
  readonly repeat?: Estimate;
  /** Share of draws that stop instead of acting. The other measures are over draws that act. */
  readonly quit: Estimate;
}

/** Second policy minus first in the same states. */
export interface StepDifference {
  readonly a: string;
  readonly b: string;
  readonly measure: StepMeasure;
  /** States in which both acted. */
  readonly states: number;
  readonly estimate: Estimate;
  /** Of being better: more progress and validity, less regret, repetition and quitting. */
  readonly verdict: Verdict;
}

/** The difference of two policies' error rates per turn, split (Kitagawa 1955, Oaxaca 1973). Parts sum to it exactly. */
export interface ErrorRateSplit {
  readonly a: string;
  readonly b: string;
  readonly taskCount: number;
  /** Visited states of A and of B. */
  readonly statesA: number;
  readonly statesB: number;
  /** Error rate of each policy in its own states, played again. */
  readonly rateA: Estimate;
  readonly rateB: Estimate;
  /** The same from the producers' logs: a check that playing again changes nothing. */
  readonly loggedA?: number;
  readonly loggedB?: number;
  readonly difference: Estimate;
  /** Other choices in the same states. */
  readonly policyPart: Estimate;
  /** The same choices in other states. */
  readonly stateMixPart: Estimate;
}

/** What policies do in the states of a pool, one action at a time. */
export interface StepEvaluation {
  readonly poolHash: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly policies: readonly string[];
  readonly samples: number;
  readonly taskCount: number;
  readonly stateCount: number;
  readonly level: number;
  readonly margin: number;
  readonly replicates: number;
  readonly seed: number;
  readonly rows: readonly StepRow[];
  readonly differences: readonly StepDifference[];
  /** For each pair of policies that are producers of the pool too. */
  readonly splits: readonly ErrorRateSplit[];
  /** What a reader must know before believing the figures. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}
