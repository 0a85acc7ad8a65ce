// internal
import type { TexNode } from "./parse-tex.js";

/** A number with the unit of the last digit it is shown to; `undefined` when it was computed. */
export interface TexValue {
  readonly value: number;
  /** One unit in the last place shown; trailing zeros of a whole number are not places. */
  readonly unit?: number;
}

/** Returns a number as written: thousands marks dropped, exponent applied; the unit of its last place beside it. */
export function readNumber(text: string): Required<TexValue> {
  const plain = text.replace(/\{,\}|\\!,\\!|\{\\,\}|\\,|,/g, "").replace(/\{\.\}/, ".");
  const value = Number(plain);
  const [mantissa, exponent = "0"] = plain.toLowerCase().split("e");
  const decimals = mantissa.split(".")[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : (/0+$/.exec(mantissa)?.[0].length ?? 0);
  const places = decimals > 0 ? -decimals : mantissa === "0" ? 0 : zeros;
  return { value, unit: 10 ** (places + Number(exponent)) };
}

const functions: { readonly [command: string]: (x: number) => number } = {
  "\\ln": Math.log,
  "\\exp": Math.exp,
  "\\sin": Math.sin,
  "\\cos": Math.cos,
  "\\tanh": Math.tanh,
};

const products: ReadonlySet<string> = new Set(["\\times", "\\cdot", "×", "·", "*", "∗"]);
const quotients: ReadonlySet<string> = new Set(["/", "\\div", "÷"]);
const minuses: ReadonlySet<string> = new Set(["-", "−", "–"]);
const fractions: ReadonlySet<string> = new Set(["\\frac", "\\dfrac", "\\tfrac"]);

/** Ends an evaluation that meets something that is no number. */
class NotNumeric extends Error {}

/** Recursive descent over one level; groups and scripts are evaluated by a reader of their own. */
class Evaluator {
  readonly #nodes: readonly TexNode[];
  #at = 0;
  constructor(nodes: readonly TexNode[]) {
    this.#nodes = nodes.filter(({ kind }) => kind !== "space");
  }

  evaluate(): TexValue {
    const value = this.#sum();
    if (this.#at < this.#nodes.length) throw new NotNumeric();
    return value;
  }

  #peek(): TexNode | undefined {
    return this.#nodes[this.#at];
  }

  #takeSign(signs: ReadonlySet<string>): boolean {
    const node = this.#peek();
    if (node === undefined || (node.kind !== "symbol" && node.kind !== "command") || !signs.has(node.text))
      return false;
    this.#at += 1;
    return true;
  }

  #sum(): TexValue {
    let total = this.#product();
    for (;;) {
      if (this.#takeSign(new Set(["+"]))) total = { value: total.value + this.#product().value };
      else if (this.#takeSign(minuses)) total = { value: total.value - this.#product().value };
      else return total;
    }
  }

  #product(): TexValue {
    let product = this.#factor();
    for (;;) {
      if (this.#takeSign(products)) {
        const factor = this.#factor();
        product = { value: product.value * factor.value, ...scaleUnit(product, factor) };
      } else if (this.#takeSign(quotients)) product = { value: product.value / this.#factor().value };
      else if (this.#isImplicitFactor()) product = { value: product.value * this.#factor().value };
      else return product;
    }
  }

  /** A bracket, root or fraction directly after a factor multiplies; a number after a number does not. */
  #isImplicitFactor(): boolean {
    const node = this.#peek();
    if (node === undefined) return false;
    if (node.kind === "symbol") return node.text === "(" || node.text === "[";
    return node.kind === "command" && (fractions.has(node.text) || node.text === "\\sqrt" || node.text === "\\pi");
  }

  #factor(): TexValue {
    if (this.#takeSign(minuses)) {
      const { value, unit } = this.#factor();
      return { value: -value, ...(unit === undefined ? {} : { unit }) };
    }
    if (this.#takeSign(new Set(["+"]))) return this.#factor();
    let base = this.#atom();
    while (this.#peek()?.kind === "script") {
      const { text, nodes } = this.#nodes[this.#at];
      if (text !== "^") throw new NotNumeric();
      this.#at += 1;
      const exponent = new Evaluator(nodes).evaluate().value;
      base = { value: base.value ** exponent };
    }
    if (this.#takeSign(new Set(["\\%", "%"])))
      return { value: base.value / 100, ...(base.unit === undefined ? {} : { unit: base.unit / 100 }) };
    if (this.#takeSign(new Set(["!"]))) return { value: factorial(base.value) };
    return base;
  }

  #atom(): TexValue {
    const node = this.#peek();
    if (node === undefined) throw new NotNumeric();
    this.#at += 1;
    if (node.kind === "number") return readNumber(node.text);
    if (node.kind === "group") return new Evaluator(node.nodes).evaluate();
    if (node.kind === "symbol" && (node.text === "(" || node.text === "[")) return this.#bracket(node.text);
    if (node.kind === "letter" && node.text === "e" && this.#peek()?.kind === "script") return { value: Math.E };
    if (node.kind === "command") return { value: this.#command(node.text) };
    throw new NotNumeric();
  }

  #bracket(open: string): TexValue {
    const value = this.#sum();
    if (!this.#takeSign(new Set([open === "(" ? ")" : "]"]))) throw new NotNumeric();
    return { value: value.value };
  }

  #argument(): number {
    const node = this.#peek();
    if (node?.kind === "group" || node?.kind === "number") return this.#atom().value;
    throw new NotNumeric();
  }

  #command(command: string): number {
    if (fractions.has(command)) return this.#argument() / this.#argument();
    if (command === "\\pi") return Math.PI;
    if (command === "\\sqrt") {
      // A root with an index, \sqrt[3]{8}, is left alone.
      return Math.sqrt(this.#argument());
    }
    if (command === "\\log") {
      const base = this.#peek();
      if (base?.kind !== "script" || base.text !== "_") throw new NotNumeric();
      this.#at += 1;
      return Math.log(this.#factor().value) / Math.log(new Evaluator(base.nodes).evaluate().value);
    }
    if (!Object.hasOwn(functions, command)) throw new NotNumeric();
    return functions[command](this.#factor().value);
  }
}

/** A power of ten keeps the places of the number before it: 1.5 × 10^3 is shown to hundreds. */
function scaleUnit(left: TexValue, right: TexValue): { readonly unit?: number } {
  const isPower = right.unit === undefined && Number.isInteger(Math.log10(right.value));
  return left.unit !== undefined && isPower ? { unit: left.unit * right.value } : {};
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) throw new NotNumeric();
  let product = 1;
  for (let i = 2; i <= value; i += 1) product *= i;
  return product;
}

/** Returns the value of a side that holds only numbers and operations, `undefined` for any other. */
export function evaluateTex(nodes: readonly TexNode[]): TexValue | undefined {
  try {
    const value = new Evaluator(nodes).evaluate();
    return Number.isFinite(value.value) ? value : undefined;
  } catch (error) {
    if (error instanceof NotNumeric) return undefined;
    throw error;
  }
}

/**
 * Returns whether two sides agree as their sign claims. `=` allows rounding to the last place that either side shows;
 * `≈` allows one unit in that place, or 1 %.
 */
export function areSidesEqual(left: TexValue, right: TexValue, isApproximate: boolean): boolean {
  const difference = Math.abs(left.value - right.value);
  const size = Math.max(Math.abs(left.value), Math.abs(right.value));
  if (difference <= size * 1e-9) return true;
  const units = [left.unit, right.unit].filter((unit) => unit !== undefined);
  // A sum of whole numbers is exact: only places after the point stand for a rounded value under "=".
  const rounded = isApproximate ? units : units.filter((unit) => unit < 1);
  const slack = rounded.length === 0 ? 0 : Math.max(...rounded) * (isApproximate ? 1 : 0.5);
  return difference <= slack * (1 + 1e-9) || (isApproximate && difference <= size * 0.01);
}
