// Types, not interfaces: only those can be JSON values.

/** One file of a program: a script that defines one function. */
export type RepairFile = {
  readonly name: string;
  /** What it is made from; tasks with the same faulty templates are related. */
  readonly template: string;
  /** The text the agent finds. The same as `fixed` where nothing is wrong. */
  readonly source: string;
  readonly fixed: string;
  /** Every text that might be right as far as can be told without the rule; `source` and `fixed` may be among them. */
  readonly variants: readonly string[];
  /** Calls the agent's tests make, as JavaScript expressions. What they should give is what `fixed` gives. */
  readonly visible: readonly string[];
  /** Calls that decide whether the file is right. */
  readonly hidden: readonly string[];
};

/** A program with faults: what a task of the repair env holds. */
export type RepairData = {
  /** Where the exact rules are told: in the files' comments, or only by what the tests expect. */
  readonly rules: "comments" | "tests";
  /** How many files are faulty. The agent is told. */
  readonly faultCount: number;
  readonly files: readonly RepairFile[];
};

/** An edit that can be undone. */
export type RepairEdit = {
  /** Position of the file. */
  readonly file: number;
  /** Its text before. */
  readonly text: string;
};

/** The state of an episode; lists are by file. */
export type RepairState = {
  readonly texts: readonly string[];
  /** Whether the agent knows the text: it was read, and every edit shows what it made. */
  readonly isRead: readonly boolean[];
  /** Whether the tests were run, which shows all they expect. */
  readonly isTested: boolean;
  /** Whether the text fails a hidden test; found by running them after each edit. */
  readonly isBroken: readonly boolean[];
  /** Edits made, the last one last. */
  readonly edits: readonly RepairEdit[];
  /** How the episode ended. */
  readonly ended?: "solved" | "wrong_final";
};
