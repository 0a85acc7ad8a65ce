// internal
import { isJsonObject, tagNumber, untagNumber, type JsonValue, type RecordedNumber } from "../../core/index.js";

/** What a record says about how an episode went. */
export interface Outcome {
  readonly success?: boolean;
  readonly reward?: RecordedNumber;
  /** Translations and contradictions, for the provenance. */
  readonly notes: readonly string[];
  /** The success flag and the reward say different things. */
  readonly contradiction?: string;
}

const yesWords = new Set(["true", "yes", "success", "solved", "pass", "passed", "resolved", "correct"]);
const noWords = new Set(["false", "no", "failure", "fail", "failed", "unsolved", "unresolved", "incorrect"]);

/** Returns the flag a value stands for, or `undefined` when it stands for none. */
export function readFlag(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return undefined;
  const word = value.trim().toLowerCase();
  if (yesWords.has(word)) return true;
  return noWords.has(word) ? false : undefined;
}

/** Returns the number a value stands for as records keep it, `null` as unknown; `undefined` when it stands for none. */
export function readReward(value: JsonValue | undefined): RecordedNumber | undefined {
  if (typeof value === "number") return tagNumber(value);
  if (typeof value === "boolean") return Number(value);
  if (value === null) return tagNumber(undefined);
  if (isJsonObject(value)) {
    const { $number } = value;
    return $number === "NaN" || $number === "Infinity" || $number === "-Infinity" || $number === "unknown"
      ? { $number }
      : undefined;
  }
  if (typeof value !== "string" || value.trim() === "") return undefined;
  if (/^nan$/i.test(value.trim())) return tagNumber(NaN);
  const number = Number(value);
  return Number.isNaN(number) ? undefined : tagNumber(number);
}

/**
 * Reads success and reward. The reward is kept as it is, whatever its range; success comes from the flag, else from
 * the reward when there is a threshold, else it is unknown. A flag that the reward contradicts (success with a reward
 * of at most 0, failure with the threshold, or 1, and more) is kept and reported.
 */
export function readOutcome(
  flagValue: JsonValue | undefined,
  rewardValue: JsonValue | undefined,
  threshold?: number,
): Outcome {
  const notes: string[] = [];
  const flag = readFlag(flagValue);
  const reward = readReward(rewardValue);
  if (flagValue !== undefined && flagValue !== null && flag === undefined)
    notes.push("a success flag that is neither yes nor no counts as unknown");
  if (rewardValue !== undefined && reward === undefined) notes.push("a reward that is no number counts as missing");
  const number = untagNumber(reward);
  if (number === undefined || Number.isNaN(number)) return { success: flag, reward, notes };
  if (number < 0 || number > 1) notes.push("rewards outside 0 to 1 are kept as they are");
  if (flag === undefined) {
    if (threshold === undefined) return { reward, notes };
    notes.push(`success is a reward of at least ${threshold}`);
    return { success: number >= threshold, reward, notes };
  }
  const isContradicted = flag ? number <= 0 : number >= (threshold ?? 1);
  if (!isContradicted) return { success: flag, reward, notes };
  const contradiction = `success is ${flag} but the reward is ${number}; the flag is kept`;
  return { success: flag, reward, notes: [...notes, contradiction], contradiction };
}
