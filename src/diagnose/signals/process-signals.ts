import {
  errorMessage,
  isFlaggedInvalid,
  untagNumber,
  type Action,
  type Trajectory,
  type Turn,
} from "../../core/index.js";

/** A number that each turn of an episode gives, and that may say how the episode will go. */
export interface ProcessSignal {
  readonly id: string;
  /** What the number is, in words. */
  readonly description: string;
  /** What records must hold for it, said where no turn has a value. */
  readonly needs: string;
  /** File of the user's that it comes from: what it throws or gives is then an error of that file. */
  readonly source?: string;
  /** Errors are labelled from the same data, so it cannot be judged on first errors and recovery. */
  readonly definesErrors?: true;
  /** Reads the flags from which errors are told in turns without a distance: there it defines them too. */
  readonly readsFlags?: true;
  /**
   * Returns one value for each turn of the episode; `undefined` where there is none. Values may be infinite, not NaN;
   * other values are refused. May throw or reject; that ends the measurement.
   */
  read(trajectory: Trajectory): readonly (number | undefined)[] | Promise<readonly (number | undefined)[]>;
  /**
   * Returns the potential of each state, one more than turns: before the first turn, then after each. Given where the
   * signal is meant as shaping, so that F = gamma x after - before can be checked.
   */
  potential?(trajectory: Trajectory): readonly (number | undefined)[];
}

/** What a user's signal function is told beside the turn. */
export interface SignalContext {
  readonly trajectory: Trajectory;
  /** 0-based. */
  readonly turnIndex: number;
}

/** Returns what was thrown with the turn it was thrown in. */
function placeFailure(cause: unknown, { trajectory, turnIndex }: SignalContext): Error {
  return new Error(`in turn ${turnIndex + 1} of ${trajectory.turns.length}: ${errorMessage(cause)}`, { cause });
}

/** Calls a function for one turn; what it throws, or rejects with, tells the turn. */
function readTurn(read: SignalFunction, turn: Turn, context: SignalContext): ReturnType<SignalFunction> {
  try {
    const value = read(turn, context);
    if (!(value instanceof Promise)) return value;
    const placed = value.catch((cause: unknown) => {
      throw placeFailure(cause, context);
    });
    placed.catch(() => undefined); // awaited later; a turn before may have failed by then
    return placed;
  } catch (cause) {
    throw placeFailure(cause, context);
  }
}

/** A signal as a function of one turn; `undefined` is no value. May be asynchronous. May throw; that ends the measurement. */
export type SignalFunction = (turn: Turn, context: SignalContext) => number | undefined | Promise<number | undefined>;

/** Returns a signal from a function of one turn; `undefined` is no value. */
export function defineSignal(
  id: string,
  read: SignalFunction,
  options: { readonly description?: string; readonly needs?: string; readonly source?: string } = {},
): ProcessSignal {
  const { description = "a function of the user's", needs = "what the function reads", source } = options;
  return {
    id,
    description,
    needs,
    ...(source === undefined ? {} : { source }),
    read(trajectory) {
      const values = trajectory.turns.map((turn, turnIndex) => readTurn(read, turn, { trajectory, turnIndex }));
      const isReady = (value: (typeof values)[number]): value is number | undefined => !(value instanceof Promise);
      return values.every(isReady) ? values : Promise.all(values.map((value) => Promise.resolve(value)));
    },
  };
}

/** Returns what makes two actions the same: their calls, or their text without calls. */
export function getActionKey({ text, toolCalls = [] }: Action): string {
  if (toolCalls.length === 0) return `text:${text.trim()}`;
  return `calls:${JSON.stringify(toolCalls.map(({ name, arguments: values, rawArguments }) => [name, values ?? rawArguments ?? null]))}`;
}

/** Says whether the action of a turn could not be carried out: unreadable, not allowed, or a tool that is not there. */
export function isInvalidTurn({ action, flags }: Turn): boolean {
  return action.invalid !== undefined || isFlaggedInvalid(flags);
}

/** 1 when the action could not be carried out, else 0. */
export const invalidSignal: ProcessSignal = {
  ...defineSignal("invalid", (turn) => (isInvalidTurn(turn) ? 1 : 0), {
    description: "1 when the action could not be read or is not allowed",
  }),
  readsFlags: true,
};

/** 1 when a tool answered with an error, else 0. */
export const toolErrorSignal: ProcessSignal = {
  ...defineSignal("tool_error", ({ flags }) => (flags?.toolError === true ? 1 : 0), {
    description: "1 when a tool answered with an error",
  }),
  readsFlags: true,
};

/** 1 when the same action was made earlier in the episode, else 0. */
export const repeatedActionSignal: ProcessSignal = {
  id: "repeated_action",
  description: "1 when the same calls (or text) were made earlier in the episode",
  needs: "actions",
  read(trajectory) {
    const seen = new Set<string>();
    return trajectory.turns.map(({ action }) => {
      const key = getActionKey(action);
      const isRepeat = seen.has(key);
      seen.add(key);
      return isRepeat ? 1 : 0;
    });
  },
};

/** Turns by which the oracle distance fell: 1 is a best action, 0 a wasted one, minus infinity a trap. */
export const oracleProgressSignal: ProcessSignal = {
  ...defineSignal(
    "oracle_progress",
    ({ distanceBefore, distanceAfter }) => {
      const before = untagNumber(distanceBefore);
      const after = untagNumber(distanceAfter);
      if (before === undefined || after === undefined) return undefined;
      return before === after ? 0 : before - after;
    },
    {
      description: "turns by which the oracle distance fell",
      needs: "distanceBefore and distanceAfter, from an env with an oracle",
    },
  ),
  definesErrors: true,
  potential: ({ turns }) => {
    const distances = [turns[0]?.distanceBefore, ...turns.map((turn) => turn.distanceAfter)].map(untagNumber);
    return distances.map((distance) => (distance === undefined ? undefined : -distance));
  },
};

/** Turns that an optimal agent would still need after the turn. */
export const oracleDistanceSignal: ProcessSignal = {
  ...defineSignal("oracle_distance", ({ distanceAfter }) => untagNumber(distanceAfter), {
    description: "turns an optimal agent still needs",
    needs: "distanceAfter, from an env with an oracle",
  }),
  definesErrors: true,
};

/** Chance of success that the choice gave away, where the env knows it. */
export const regretSignal: ProcessSignal = {
  ...defineSignal("regret", ({ regret }) => regret, {
    description: "chance of success that the choice gave away",
    needs: "regret, from a random env with an oracle",
  }),
  definesErrors: true,
};

/** Mean of -log p of the sampled tokens: an unbiased one-sample estimate of the mean entropy of the token choices. */
export const entropySignal: ProcessSignal = defineSignal(
  "entropy",
  ({ tokens }) => {
    const logProbs = (tokens?.logProbs ?? []).map(untagNumber);
    const known = logProbs.filter((value) => value !== undefined && Number.isFinite(value));
    if (known.length === 0 || known.length < logProbs.length) return undefined;
    return -known.reduce((sum: number, value) => sum + (value ?? 0), 0) / known.length;
  },
  {
    description: "mean -log p of the sampled tokens, in nats",
    needs: "log-probs of sampled tokens (eval budget --log-probs)",
  },
);

/** Finds a stated confidence: a word such as confidence, then a share, a percentage or n/10. */
const defaultSelfReport =
  /\b(?:confidence|certainty|sure|probability of success)\b[^\d\n]{0,20}(\d+(?:\.\d+)?)\s*(%|\/\s*10\b)?/i;

/**
 * Returns the signal of what the agent itself says about its chances, in 0..1. The pattern's first group is the number,
 * the second one its unit: `%`, `/10` or none; a number above 1 without a unit is read as per cent. The default finds
 * `confidence: 0.8`, `sure: 80 %`, `<confidence>8/10`. Text and reasoning are searched, the last match counts.
 */
export function createSelfReportSignal(pattern: RegExp = defaultSelfReport): ProcessSignal {
  const all = new RegExp(pattern.source, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`);
  return defineSignal(
    "self_report",
    ({ action }) => {
      const match = [...`${action.reasoning ?? ""}\n${action.text}`.matchAll(all)].at(-1);
      if (match?.[1] === undefined) return undefined;
      const number = Number(match[1]);
      const unit = match[2]?.replace(/\s/g, "") ?? (number > 1 ? "%" : "");
      const share = unit === "%" ? number / 100 : unit === "/10" ? number / 10 : number;
      return share >= 0 && share <= 1 ? share : undefined;
    },
    {
      description: "the chance of success that the agent states",
      needs: 'a stated confidence in the agent\'s text, such as "confidence: 0.8"',
    },
  );
}

/** Returns the built-in signals, in the order they are shown. */
export function createBuiltInSignals(options: { readonly selfReport?: RegExp } = {}): ProcessSignal[] {
  return [
    invalidSignal,
    toolErrorSignal,
    repeatedActionSignal,
    oracleProgressSignal,
    oracleDistanceSignal,
    regretSignal,
    entropySignal,
    createSelfReportSignal(options.selfReport),
  ];
}
