import { InvalidArgumentError } from "@commander-js/extra-typings";

/** Returns the text as a whole number from `least`; refuses anything else. */
export function parseCount(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isInteger(value) || value < least) {
      throw new InvalidArgumentError(`"${text}" is no whole number from ${least}.`);
    }
    return value;
  };
}

/** Returns the text as a number above `above`; refuses anything else. */
export function parsePositive(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError(`"${text}" is no number above 0.`);
  }
  return value;
}

/** Returns the text as a number in [least, most]; refuses anything else. */
export function parseWithin(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`"${text}" is no number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** Returns `a,b` as an interval within 0..1, or `a` as one of no width; refuses anything else. */
export function parseInterval(text: string): readonly [number, number] {
  const parse = parseWithin(0, 1);
  const ends = text.split(",").map((part) => parse(part.trim()));
  const [lower, upper = lower] = ends;
  if (ends.length > 2 || upper < lower) throw new InvalidArgumentError(`"${text}" is no interval such as .8,.9.`);
  return [lower, upper];
}

/** Returns a comma list of whole numbers from `least`, e.g. `1,2,4`; refuses anything else. */
export function parseCounts(least: number): (text: string) => number[] {
  const parse = parseCount(least);
  return (text) => text.split(",").map((part) => parse(part.trim()));
}

/** Returns a comma list of the allowed words; refuses anything else. */
export function parseWords<Word extends string>(allowed: readonly Word[]): (text: string) => Word[] {
  return (text) =>
    text.split(",").map((part) => {
      const word = allowed.find((candidate) => candidate === part.trim());
      if (word === undefined) throw new InvalidArgumentError(`"${part}" is none of ${allowed.join(", ")}.`);
      return word;
    });
}

/** Returns `i/n` as a shard, with 1 <= i <= n; refuses anything else. */
export function parseShard(text: string): { readonly index: number; readonly count: number } {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || index < 1 || index > count) {
    throw new InvalidArgumentError(`"${text}" is no shard such as 1/4.`);
  }
  return { index, count };
}

/** Returns the text as a JSON object; refuses anything else. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>; // a JSON object has text keys
    }
  } catch {
    // Reported below together with JSON that is no object.
  }
  throw new InvalidArgumentError(`"${text}" is no JSON object.`);
}

/** Adds one value to a repeatable option. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
