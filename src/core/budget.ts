/** How much interaction one episode may use. An absent limit is unlimited. */
export interface Budget {
  /** Policy calls. */
  readonly maxTurns?: number;
  /** Tokens read and written, summed over turns. */
  readonly maxTokens?: number;
  /** Tool calls the env answered, hallucinated ones included. */
  readonly maxToolCalls?: number;
  /** Wall-clock seconds since the episode began. */
  readonly maxSeconds?: number;
  /** Money in the unit of the user's price table (normally US dollars). */
  readonly maxCost?: number;
}

/** More turns than any agent plays: a budget above this is a slip of the hand, refused before it is paid for. */
export const mostBudgetTurns = 100_000;

/** What an episode has used so far. Totals are computed from turns, never stored. */
export interface Usage {
  readonly turns: number;
  readonly tokens: number;
  readonly toolCalls: number;
  readonly seconds: number;
  readonly cost: number;
}

/** The limit that ended an episode. */
export type BudgetStop = "max_turns" | "max_tokens" | "max_tool_calls" | "max_seconds" | "max_cost";

/** What an episode has used before its first turn. */
export const emptyUsage: Usage = { turns: 0, tokens: 0, toolCalls: 0, seconds: 0, cost: 0 };

/**
 * Returns the limit that forbids another turn, or `undefined` if there is none.
 * A limit forbids once usage is equal to it; limits are checked in the order of
 * {@linkcode Budget}'s fields, so a tie is always reported the same way.
 *
 * @example
 * findBudgetStop({ maxTurns: 3 }, { ...emptyUsage, turns: 3, tokens: 90 }); // "max_turns"
 */
export function findBudgetStop(budget: Budget, usage: Usage): BudgetStop | undefined {
  const { maxTurns = Infinity, maxTokens = Infinity, maxToolCalls = Infinity, maxSeconds = Infinity } = budget;
  const { maxCost = Infinity } = budget;
  if (usage.turns >= maxTurns) return "max_turns";
  if (usage.tokens >= maxTokens) return "max_tokens";
  if (usage.toolCalls >= maxToolCalls) return "max_tool_calls";
  if (usage.seconds >= maxSeconds) return "max_seconds";
  if (usage.cost >= maxCost) return "max_cost";
  return undefined;
}

/**
 * What the policy is told about its turn budget: nothing, the number once at the start, or the number left every
 * turn. Part of a figure's identity.
 */
export type Disclosure = "hidden" | "static" | "countdown";
/** Every disclosure, in the order they are listed. */
export const disclosures: readonly Disclosure[] = ["hidden", "static", "countdown"];

/**
 * What happens after the last allowed turn: the state reached is graded (`act`), an unfinished episode fails
 * (`hard`), or one closing answer without tools is asked for (`answer_only`).
 */
export type TerminalRule = "act" | "hard" | "answer_only";
/** Every terminal rule, in the order they are listed. */
export const terminalRules: readonly TerminalRule[] = ["act", "hard", "answer_only"];

/**
 * Returns the exact text that tells the policy its budget at turn `turnIndex`, or `undefined` when nothing is
 * told: always with `hidden`, after the first turn with `static`, and without a turn limit.
 *
 * @example
 * renderDisclosure("countdown", { maxTurns: 5 }, 4); // "Turns left, this one included: 1."
 */
export function renderDisclosure(disclosure: Disclosure, budget: Budget, turnIndex: number): string | undefined {
  const { maxTurns } = budget;
  if (maxTurns === undefined || disclosure === "hidden") return undefined;
  if (disclosure === "countdown") return `Turns left, this one included: ${maxTurns - turnIndex}.`;
  return turnIndex === 0 ? `You have ${maxTurns} ${maxTurns === 1 ? "turn" : "turns"} in all.` : undefined;
}
