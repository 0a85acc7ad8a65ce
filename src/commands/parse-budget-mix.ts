import { errorMessage, usageError, type JsonValue } from "../core/index.js";
import { publishedCurricula, readBudgetMix, type BudgetMix } from "../train/index.js";

const forms =
  "fixed:2,4,8 · weights:2=1,8=3 · log-uniform:1-16 · curriculum:5,8,10@100 · published:webarena · or the mix as JSON";

function refuse(text: string, reason: string): never {
  throw usageError(`Cannot read the budget mix "${text}": ${reason}`, `Write ${forms}`);
}

function readNumber(text: string, part: string): number {
  const value = Number(part);
  return part.trim() === "" || !Number.isFinite(value) ? refuse(text, `"${part}" is no number`) : value;
}

/** Returns the two parts of a text around a sign that stands in it once. */
function split(text: string, part: string, sign: string, form: string): readonly [string, string] {
  const [first, second, ...more] = part.split(sign);
  if (second === undefined || more.length > 0) return refuse(text, `"${part}" is not of the form ${form}`);
  return [first, second];
}

function readShort(text: string, name: string, rest: string): JsonValue {
  const list = (part: string): number[] => part.split(",").map((item) => readNumber(text, item));
  switch (name) {
    case "fixed":
      return { type: "fixed", budgets: list(rest) };
    case "weights": {
      const weights = rest.split(",").map((pair) => {
        const [budget, weight] = split(text, pair, "=", "T=WEIGHT");
        return { maxTurns: readNumber(text, budget), weight: readNumber(text, weight) };
      });
      return { type: "weights", weights };
    }
    case "log-uniform": {
      const [min, max] = split(text, rest, "-", "MIN-MAX");
      return { type: "log_uniform", min: readNumber(text, min), max: readNumber(text, max) };
    }
    case "curriculum": {
      const [caps, every] = split(text, rest, "@", "CAPS@UPDATES");
      return { type: "curriculum", caps: list(caps), every: readNumber(text, every) };
    }
    case "published": {
      const found = Object.entries(publishedCurricula).find(([known]) => known === rest);
      if (found === undefined)
        return refuse(text, `published curricula are ${Object.keys(publishedCurricula).join(", ")}`);
      return found[1];
    }
    default:
      return refuse(text, `"${name}" is no kind of mix`);
  }
}

/**
 * Returns the mix that a short text or JSON describes: `fixed:2,4,8`, `weights:2=1,8=3`, `log-uniform:1-16`,
 * `curriculum:5,8,10@100`, `published:webarena`, or the mix as JSON (the only way to write a mixture of mixes).
 *
 * @throws {TurnwiseError} (usage) for text that is no mix.
 */
export function parseBudgetMix(text: string): BudgetMix {
  if (text.trim().startsWith("{")) {
    let json: JsonValue;
    try {
      json = JSON.parse(text) as JsonValue; // what JSON text holds is a JsonValue
    } catch (error) {
      return refuse(text, `it is not JSON: ${errorMessage(error)}`);
    }
    return readBudgetMix(json);
  }
  const at = text.indexOf(":");
  return readBudgetMix(readShort(text, at < 0 ? text : text.slice(0, at), at < 0 ? "" : text.slice(at + 1)));
}
