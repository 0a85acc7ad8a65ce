// internal
import {
  envEndKinds,
  tagNumber,
  type EnvSession,
  type Observation,
  type PolicyResult,
  type Score,
  type StepResult,
} from "../core/index.js";

// Policies, envs and scorers may come from modules that no compiler has seen. What they answer is checked where it
// enters, so that a careless one ends its episode as an error and never makes a record that cannot be kept.

/** What was found at a place where it cannot be; the place is added on the way out. */
class Misfit extends Error {
  place = "";
  readonly expected: string;
  readonly found: string;
  constructor(expected: string, found: unknown, detail = "") {
    super("Misfit");
    this.expected = expected;
    this.found = describeValue(found) + detail;
  }
}

/** Returns `value` in the form records use (the same value where it has it), or throws a {@linkcode Misfit}. */
type Check = (value: unknown) => unknown;

function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function addPlace(error: unknown, place: string): unknown {
  if (error instanceof Misfit)
    error.place = place + (error.place.startsWith("[") || error.place === "" ? "" : ".") + error.place;
  return error;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isString: Check = (value) => {
  if (typeof value !== "string") throw new Misfit("a string", value);
  return value;
};
const isBoolean: Check = (value) => {
  if (typeof value !== "boolean") throw new Misfit("true, false or nothing", value);
  return value;
};
/** A mark that records hold only when it is set; `false` is as good as absent. */
const isMark: Check = (value) => {
  if (typeof value !== "boolean") throw new Misfit("true or nothing", value);
  return value ? true : undefined;
};
const isCount: Check = (value) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Misfit("a whole number from 0", value);
  return value;
};
const isNumber: Check = (value) => {
  if (typeof value !== "number") throw new Misfit("a number", value);
  return value;
};
const isFiniteOrUnknown: Check = (value) => (Number.isFinite(isNumber(value)) ? value : undefined);
const isRecordedNumber: Check = (value) => {
  if (typeof value === "number") return tagNumber(value);
  const isTag = isObject(value) && ["Infinity", "-Infinity", "NaN", "unknown"].includes(String(value.$number));
  if (!isTag) throw new Misfit("a number", value);
  return value;
};
/** An amount used that makes no sense is not known; it must not cost the episode. */
const isAmountOrUnknown: Check = (value) => (Number.isFinite(value) && Number(value) >= 0 ? value : undefined);
const isCountOrUnknown: Check = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);
const isEndKind: Check = (value) => {
  if (!envEndKinds.some((kind) => kind === value)) throw new Misfit(`one of ${envEndKinds.join(", ")}`, value);
  return value;
};

/** Says whether every field is a plain value, so that nothing need be written to know that it can be. */
function isFlat(value: Readonly<Record<string, unknown>>): boolean {
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (typeof field !== "string" && typeof field !== "number" && typeof field !== "boolean") return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : "it threw";
    throw new Misfit("what JSON can carry", value, ` that JSON cannot carry (${reason})`);
  }
}
const isJson: Check = (value) => {
  if (isObject(value) && isFlat(value)) return value;
  return writeJson(value) === undefined ? undefined : value;
};
const isJsonFields: Check = (value) => {
  if (!isObject(value)) throw new Misfit("an object", value);
  if (!isFlat(value) && writeJson(value)?.startsWith("{") !== true) throw new Misfit("an object in JSON", value);
  return value;
};

function listOf(check: Check): Check {
  return (value) => {
    if (!isList(value)) throw new Misfit("a list", value);
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index];
      try {
        const checked = check(item);
        if (checked !== item) copy ??= [...value];
        if (copy !== undefined) copy[index] = checked;
      } catch (error) {
        throw addPlace(error, `[${index}]`);
      }
    }
    return copy ?? value;
  };
}

/**
 * Returns the check of an object with these fields, of which `required` must be there. Fields that no record knows are
 * left out, as are accessors and prototypes: what is returned holds plain values.
 */
function shapeOf(
  fields: { readonly [name: string]: Check },
  expected: string,
  required: readonly string[] = [],
): Check {
  const names = Object.keys(fields);
  return (value) => {
    if (!isObject(value)) throw new Misfit(expected, value);
    const prototype: unknown = Object.getPrototypeOf(value);
    let isSame =
      (prototype === Object.prototype || prototype === null) &&
      Object.keys(value).every((key) => Object.hasOwn(fields, key));
    const checked: Record<string, unknown> = {};
    for (const name of names) {
      try {
        const field = value[name];
        if (field === undefined && !required.includes(name)) continue;
        const kept = fields[name](field);
        if (kept !== field) isSame = false;
        if (kept !== undefined) checked[name] = kept;
      } catch (error) {
        throw addPlace(error, name);
      }
    }
    return isSame ? value : checked;
  };
}

const toolCall = shapeOf(
  { id: isString, name: isString, arguments: isJsonFields, rawArguments: isString },
  "a call with a name",
  ["name"],
);
const action = shapeOf(
  { text: isString, toolCalls: listOf(toolCall), reasoning: isString, quit: isMark, invalid: isString },
  "an object with a text",
  ["text"],
);
const discarded = shapeOf({ calls: isCountOrUnknown, tokens: isAmountOrUnknown, cost: isAmountOrUnknown }, "an object");
const usage = shapeOf(
  {
    promptTokens: isAmountOrUnknown,
    completionTokens: isAmountOrUnknown,
    reasoningTokens: isAmountOrUnknown,
    cachedTokens: isAmountOrUnknown,
    toolCalls: isCountOrUnknown,
    envSteps: isCountOrUnknown,
    cost: isAmountOrUnknown,
    requests: isCountOrUnknown,
    discarded,
  },
  "an object",
);
const tokens = shapeOf(
  { ids: listOf(isCount), logProbs: listOf(isRecordedNumber), texts: listOf(isString), promptIds: listOf(isCount) },
  "an object",
);
const policyResult = shapeOf(
  { action, usage: (value) => (value === null ? undefined : usage(value)), tokens },
  "an object with an action",
  ["action"],
);
const toolResult = shapeOf(
  { callId: isString, name: isString, text: isString, isError: isMark },
  "a tool result with a text",
  ["text"],
);
const observation = shapeOf(
  { text: isString, toolResults: listOf(toolResult), data: isJson },
  "an object with a text",
  ["text"],
);
const firstShown = shapeOf({ observation }, "a session", ["observation"]);
const stepResult = shapeOf(
  {
    observation,
    reward: isNumber,
    ended: isEndKind,
    solvedAfter: isBoolean,
    flags: shapeOf({ invalid: isMark, toolError: isMark, unknownTool: isMark }, "an object"),
    distanceBefore: isRecordedNumber,
    distanceAfter: isRecordedNumber,
    regret: isFiniteOrUnknown,
    toolCalls: isCount,
    envSteps: isCount,
  },
  "an object with an observation",
  ["observation"],
);
const scorePart: Check = (value) =>
  typeof value === "boolean" || typeof value === "string" ? value : isRecordedNumber(value);

function check(who: string, test: Check, value: unknown): unknown {
  try {
    return test(value);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const place = error.place === "" ? "" : `${error.place} `;
    throw new TypeError(`The ${who} with ${place}${error.found}: expected ${error.expected}`, { cause: error });
  }
}

/**
 * Returns a policy's answer as records hold it. Usage that is no amount is dropped as unknown.
 *
 * @throws {TypeError} for an answer that no record can hold; what a getter of it throws.
 */
export function checkResult(result: unknown): PolicyResult {
  return check("policy answered", policyResult, result) as PolicyResult; // the check has seen every field
}

/**
 * Returns an env's answer as records hold it.
 *
 * @throws {TypeError} for an answer that no record can hold; what a getter of it throws.
 */
export function checkStep(step: unknown): StepResult {
  return check("env answered", stepResult, step) as StepResult; // the check has seen every field
}

/**
 * Returns what a session shows first, as records hold it.
 *
 * @throws {TypeError} for a session that cannot be played.
 */
export function checkSession(session: EnvSession): Observation {
  const found: unknown = session;
  if (!isObject(found)) throw new TypeError(`The env began with ${describeValue(found)}: expected a session`);
  for (const name of ["step", "close"]) {
    if (typeof found[name] !== "function") {
      throw new TypeError(`The env began a session with ${name} ${describeValue(found[name])}: expected a function`);
    }
  }
  const { observation: shown } = check("env began a session", firstShown, found) as EnvSession; // checked above
  return shown;
}

/**
 * Returns a scorer's judgement as records hold it.
 *
 * @throws {TypeError} for a judgement that no record can hold.
 */
export function checkScore(score: unknown): Score {
  const parts: Check = (value) => {
    if (!isObject(value)) throw new Misfit("an object of named parts", value);
    return shapeOf(Object.fromEntries(Object.keys(value).map((name) => [name, scorePart])), "an object")(value);
  };
  return check("scorer answered", shapeOf({ success: isBoolean, parts }, "an object"), score) as Score; // checked
}
