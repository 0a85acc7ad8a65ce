// internal
import { tagNumber, type JsonObject, type JsonValue, type NumberTag } from "../../core/index.js";

/** What the loose parser had to accept beyond JSON. */
export type Leniency = "non_finite_number" | "python_literal" | "big_integer" | "control_character";

/** Why and where the loose parser stopped. */
export class LooseSyntaxError extends Error {
  /** Position in the text. */
  readonly at: number;
  /** The text ended inside a value, as a torn line does. */
  readonly isCutShort: boolean;
  constructor(message: string, at: number, isCutShort: boolean) {
    super(message);
    this.at = at;
    this.isCutShort = isCutShort;
  }
}

const maxDepth = 2000;

/** Returns a number that JSON cannot write as the tag records use, in the form of a JSON object. */
function toTag(value: number): JsonObject {
  return { ...(tagNumber(value) as NumberTag) }; // only called for numbers that are not finite
}
const words = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
  ["NaN", toTag(NaN)],
  ["nan", toTag(NaN)],
  ["Infinity", toTag(Infinity)],
  ["inf", toTag(Infinity)],
  ["-Infinity", toTag(-Infinity)],
  ["-inf", toTag(-Infinity)],
]);
const simpleEscapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["/", "/"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\u0007"],
  ["v", "\v"],
  ["0", "\0"],
]);
const hexLengths = new Map([
  ["u", 4],
  ["x", 2],
  ["U", 8],
]);
const wordPattern = /[-+]?[A-Za-z]+/y;
const numberPattern = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const spacePattern = /[\s\ufeff]*/y;

/**
 * Reads values written as JSON or as Python literals: `NaN` and its kin become tags, `None`, single quotes and
 * tuples are read, integers beyond 2^53 are kept as text so that no digit is lost.
 */
export class LooseParser {
  readonly #text: string;
  #at = 0;
  /** What was accepted beyond JSON, so far. */
  readonly leniencies = new Set<Leniency>();
  /** Elements of the outermost array that were complete when the text ended early. */
  completeElements: JsonValue[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Position of the next character. */
  get at(): number {
    return this.#at;
  }

  /** Skips blank space and says whether the text is used up. */
  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at >= this.#text.length;
  }

  /** Reads the next value. Throws a {@linkcode LooseSyntaxError}. */
  readValue(depth = 0): JsonValue {
    if (depth > maxDepth) throw this.#fail(`values nested deeper than ${maxDepth}`);
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === undefined) throw this.#fail("the text ends where a value should be");
    if (next === "{") return this.#readObject(depth);
    if (next === "[") return this.#readArray(depth, "]");
    if (next === "(") {
      this.leniencies.add("python_literal");
      return this.#readArray(depth, ")");
    }
    if (next === '"' || next === "'") return this.#readStrings();
    return this.#readScalar();
  }

  #fail(message: string, isCutShort = this.#at >= this.#text.length): LooseSyntaxError {
    return new LooseSyntaxError(message, this.#at, isCutShort);
  }

  /** Says whether the text ends inside a number: after its sign, or inside its exponent. */
  #isCutNumber(): boolean {
    return /^(?:[-+.]|[eE][-+]?)?$/.test(this.#text.slice(this.#at, this.#at + 3));
  }

  #skipSpace(): void {
    spacePattern.lastIndex = this.#at;
    spacePattern.test(this.#text);
    this.#at = spacePattern.lastIndex;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  /** Moves past a comma or the closing bracket; says whether it was the bracket. */
  #isClosed(close: string): boolean {
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next !== close && next !== ",") throw this.#fail(`expected "," or "${close}"`, this.#isCutNumber());
    this.#at += 1;
    if (next === close) return true;
    this.#skipSpace();
    if (this.#text[this.#at] !== close) return false;
    this.#at += 1; // a comma before the bracket, as Python allows
    this.leniencies.add("python_literal");
    return true;
  }

  #readObject(depth: number): JsonObject {
    const result: Record<string, JsonValue> = {};
    this.#at += 1;
    this.#skipSpace();
    if (this.#text[this.#at] === "}") {
      this.#at += 1;
      return result;
    }
    do {
      this.#skipSpace();
      const next = this.#text[this.#at];
      let key: string;
      if (next === '"' || next === "'") key = this.#readStrings();
      else {
        if (next === undefined || next === "{" || next === "[") throw this.#fail("expected a key");
        const value = this.#readScalar(); // a Python dict may have numbers and None as keys
        this.leniencies.add("python_literal");
        key = typeof value === "string" ? value : JSON.stringify(value);
      }
      this.#skipSpace();
      if (this.#text[this.#at] !== ":") throw this.#fail('expected ":" after a key');
      this.#at += 1;
      const value = this.readValue(depth + 1);
      // Assignment to __proto__ would set the prototype instead of a field.
      if (key === "__proto__")
        Object.defineProperty(result, key, { value, enumerable: true, writable: true, configurable: true });
      else result[key] = value;
    } while (!this.#isClosed("}"));
    return result;
  }

  #readArray(depth: number, close: string): JsonValue[] {
    const result: JsonValue[] = [];
    if (depth === 0) this.completeElements = result;
    this.#at += 1;
    this.#skipSpace();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return result;
    }
    do result.push(this.readValue(depth + 1));
    while (!this.#isClosed(close));
    return result;
  }

  /** Reads a string; Python writes long ones as neighbours, which are joined. */
  #readStrings(): string {
    let text = this.#readString();
    if (!this.leniencies.has("python_literal")) return text;
    for (;;) {
      const before = this.#at;
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next !== "'" && next !== '"') {
        this.#at = before;
        return text;
      }
      text += this.#readString();
    }
  }

  #readString(): string {
    const quote = this.#text[this.#at];
    if (quote === "'") this.leniencies.add("python_literal");
    const stop = quote === "'" ? /['\\]/g : /["\\]/g;
    this.#at += 1;
    let result = "";
    for (;;) {
      stop.lastIndex = this.#at;
      const found = stop.exec(this.#text);
      if (found === null) {
        this.#at = this.#text.length;
        throw this.#fail("a string does not end");
      }
      const piece = this.#text.slice(this.#at, found.index);
      if (/[\u0000-\u001f]/.test(piece)) this.leniencies.add("control_character");
      result += piece;
      this.#at = found.index + 1;
      if (found[0] === quote) return result;
      result += this.#readEscape();
    }
  }

  #readEscape(): string {
    const letter = this.#text[this.#at];
    if (letter === undefined) throw this.#fail("a string does not end");
    this.#at += 1;
    const hexLength = hexLengths.get(letter);
    if (hexLength !== undefined) {
      const digits = this.#text.slice(this.#at, this.#at + hexLength);
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < hexLength) {
        throw this.#fail(
          `an escape "\\${letter}" needs ${hexLength} hex digits`,
          this.#at + hexLength > this.#text.length,
        );
      }
      if (letter !== "u") this.leniencies.add("python_literal");
      this.#at += hexLength;
      const code = Number.parseInt(digits, 16);
      if (code > 0x10ffff) throw this.#fail(`an escape names no character: ${digits}`);
      return String.fromCodePoint(code);
    }
    const simple = simpleEscapes.get(letter);
    if (simple === undefined || "'av0".includes(letter)) this.leniencies.add("python_literal");
    return simple ?? `\\${letter}`; // Python keeps the backslash of an escape it does not know
  }

  #readScalar(): JsonValue {
    const word = this.#take(wordPattern);
    if (word !== undefined) {
      const value = words.get(word.replace(/^\+/, ""));
      if (value === undefined)
        throw this.#fail(`"${word.slice(0, 20)}" is no value`, this.#at + word.length >= this.#text.length);
      this.#at += word.length;
      if (typeof value === "object" && value !== null) this.leniencies.add("non_finite_number");
      else if (word !== "true" && word !== "false" && word !== "null") this.leniencies.add("python_literal");
      return value;
    }
    const digits = this.#take(numberPattern);
    if (digits === undefined) {
      throw this.#fail(`unexpected character "${this.#text.slice(this.#at, this.#at + 1)}"`, this.#isCutNumber());
    }
    this.#at += digits.length;
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      this.leniencies.add("non_finite_number");
      return toTag(value);
    }
    if (/^[-+]?\d+$/.test(digits) && String(value) !== digits && BigInt(value) !== BigInt(digits.replace(/^\+/, ""))) {
      this.leniencies.add("big_integer");
      return digits;
    }
    return value;
  }
}
