import { inputError } from "../../core/index.js";
import { describeValue, toNumber, type ExpressionValue } from "./expression-value.js";
import { callFunction, functionNames } from "./functions.js";

/** A parsed expression. */
export type Expression =
  | { readonly type: "literal"; readonly value: ExpressionValue }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list"; readonly items: readonly Expression[] }
  | { readonly type: "call"; readonly name: string; readonly items: readonly Expression[] }
  | { readonly type: "unary"; readonly operator: "-" | "not"; readonly operand: Expression }
  | {
      readonly type: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Operators from the loosest to the tightest level. */
const levels = [["or"], ["and"], ["==", "!=", "<", "<=", ">", ">="], ["+", "-"], ["*", "/"]] as const;

const comparisonLevel = 2;

/** An operator between two values. */
export type BinaryOperator = (typeof levels)[number][number];

const tokenPattern =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([\p{L}_][\p{L}\p{N}_.]*)|(==|!=|<=|>=|&&|\|\||[-+*/()[\],<>!]))/uy;

const maxLength = 2000;
const maxDepth = 60;

interface Token {
  readonly type: "number" | "text" | "name" | "sign" | "end";
  readonly text: string;
  /** 1-based column. */
  readonly column: number;
}

function refuse(source: string, problem: string, column?: number): Error {
  const at = column === undefined ? "" : ` at column ${column}`;
  return inputError(
    `Cannot read the expression "${source.slice(0, 200)}"${at}: ${problem}`,
    `Write numbers, names of inputs, + - * /, comparisons, and, or, not, [a, b], and ${functionNames.join(", ")}`,
  );
}

function tokenize(source: string): Token[] {
  if (source.length > maxLength) throw refuse(source, `it has ${source.length} characters, more than ${maxLength}`);
  const tokens: Token[] = [];
  let at = 0;
  const end = source.trimEnd().length;
  while (at < end) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(source);
    if (match === null) throw refuse(source, `"${source.slice(at).trim().slice(0, 1)}" means nothing here`, at + 1);
    const [whole, number, text, name, sign] = match;
    const column = at + whole.length - whole.trimStart().length + 1;
    if (number !== undefined) tokens.push({ type: "number", text: number, column });
    else if (text !== undefined) tokens.push({ type: "text", text: text.slice(1, -1).replace(/\\(.)/g, "$1"), column });
    else if (name !== undefined) tokens.push({ type: "name", text: name, column });
    else tokens.push({ type: "sign", text: sign === "&&" ? "and" : sign === "||" ? "or" : sign, column });
    at += whole.length;
  }
  return [...tokens, { type: "end", text: "the end", column: end + 1 }];
}

/** Reads one expression by recursive descent; one method for each kind of part. */
class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parse(): Expression {
    const expression = this.#parseLevel(0);
    const rest = this.#tokens[this.#at];
    if (rest.type !== "end") throw refuse(this.#source, `"${rest.text}" is left over`, rest.column);
    return expression;
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token.text !== text || token.type === "text" || token.type === "number") return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    const { column, text: found } = this.#tokens[this.#at];
    if (!this.#take(text)) throw refuse(this.#source, `"${text}" is missing before "${found}"`, column);
  }

  #parseLevel(level: number): Expression {
    if (level === levels.length) return this.#parseUnary();
    if (level === comparisonLevel && this.#take("not")) return this.#parseNot();
    let left = this.#parseLevel(level + 1);
    for (;;) {
      const operator = levels[level].find((candidate) => this.#take(candidate));
      if (operator === undefined) return left;
      left = { type: "binary", operator, left, right: this.#parseLevel(level + 1) };
    }
  }

  /** `not` binds less tightly than comparisons, `!` more tightly than anything. */
  #parseNot(): Expression {
    this.#deepen();
    const operand = this.#parseLevel(comparisonLevel);
    this.#depth -= 1;
    return { type: "unary", operator: "not", operand };
  }

  #deepen(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw refuse(this.#source, `it is nested deeper than ${maxDepth} levels`);
  }

  #parseUnary(): Expression {
    this.#deepen();
    let expression: Expression;
    if (this.#take("-")) expression = { type: "unary", operator: "-", operand: this.#parseUnary() };
    else if (this.#take("!")) {
      expression = { type: "unary", operator: "not", operand: this.#parseUnary() };
    } else expression = this.#parsePrimary();
    this.#depth -= 1;
    return expression;
  }

  #parseItems(close: string): Expression[] {
    const items: Expression[] = [];
    if (this.#take(close)) return items;
    do items.push(this.#parseLevel(0));
    while (this.#take(","));
    this.#expect(close);
    return items;
  }

  #parsePrimary(): Expression {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    switch (token.type) {
      case "number":
        return { type: "literal", value: Number(token.text) };
      case "text":
        return { type: "literal", value: token.text };
      case "name":
        if (token.text === "true" || token.text === "false") return { type: "literal", value: token.text === "true" };
        if (!this.#take("(")) return { type: "name", name: token.text };
        if (!functionNames.includes(token.text)) {
          throw refuse(this.#source, `there is no function "${token.text}"`, token.column);
        }
        return { type: "call", name: token.text, items: this.#parseItems(")") };
      default: {
        if (token.text === "[") return { type: "list", items: this.#parseItems("]") };
        if (token.text === "(") {
          const inner = this.#parseLevel(0);
          this.#expect(")");
          return inner;
        }
        throw refuse(this.#source, `a value is missing before "${token.text}"`, token.column);
      }
    }
  }
}

/** Returns the parsed expression. Throws an `inputError` that says where it cannot be read. */
export function parseExpression(source: string): Expression {
  return new Parser(source).parse();
}

/** Returns the names an expression reads, each once. */
export function listNames(expression: Expression): string[] {
  switch (expression.type) {
    case "literal":
      return [];
    case "name":
      return [expression.name];
    case "list":
    case "call":
      return [...new Set(expression.items.flatMap(listNames))];
    case "unary":
      return listNames(expression.operand);
    case "binary":
      return [...new Set([...listNames(expression.left), ...listNames(expression.right)])];
    default:
      return expression satisfies never;
  }
}

function toTruth(value: ExpressionValue, what: string): boolean {
  if (typeof value === "boolean") return value;
  throw inputError(`Cannot compute ${what}: it needs true or false and found ${describeValue(value)}`);
}

function compareScalars(operator: BinaryOperator, left: ExpressionValue, right: ExpressionValue): boolean {
  if (operator === "==" || operator === "!=") return (left === right) === (operator === "==");
  const [x, y] =
    typeof left === "string" && typeof right === "string"
      ? [left, right]
      : [toNumber(left, `"${operator}"`), toNumber(right, `"${operator}"`)];
  if (operator === "<") return x < y;
  if (operator === "<=") return x <= y;
  return operator === ">" ? x > y : x >= y;
}

function combineScalars(operator: BinaryOperator, left: ExpressionValue, right: ExpressionValue): ExpressionValue {
  switch (operator) {
    case "or":
      return toTruth(left, '"or"') || toTruth(right, '"or"');
    case "and":
      return toTruth(left, '"and"') && toTruth(right, '"and"');
    case "+":
      return toNumber(left, '"+"') + toNumber(right, '"+"');
    case "-":
      return toNumber(left, '"-"') - toNumber(right, '"-"');
    case "*":
      return toNumber(left, '"*"') * toNumber(right, '"*"');
    case "/":
      return toNumber(left, '"/"') / toNumber(right, '"/"');
    default:
      return compareScalars(operator, left, right);
  }
}

/** Applies an operator; a list beside a scalar is taken item by item, two lists of one length in pairs. */
function combine(operator: BinaryOperator, left: ExpressionValue, right: ExpressionValue): ExpressionValue {
  if (typeof left === "object" && typeof right === "object") {
    if (left.length !== right.length) {
      throw inputError(`Cannot compute "${operator}" of lists of ${left.length} and ${right.length} items`);
    }
    return left.map((item, index) => combine(operator, item, right[index]));
  }
  if (typeof left === "object") return left.map((item) => combine(operator, item, right));
  if (typeof right === "object") return right.map((item) => combine(operator, left, item));
  return combineScalars(operator, left, right);
}

/**
 * Returns the value of an expression; `lookUp` gives the value of a name, `undefined` for one that is not there. No
 * input or output, no recursion: an expression always comes to an end. Throws an `inputError` for an unknown name and
 * for operands that do not fit.
 */
export function evaluateExpression(
  expression: Expression,
  lookUp: (name: string) => ExpressionValue | undefined,
): ExpressionValue {
  const evaluate = (part: Expression): ExpressionValue => evaluateExpression(part, lookUp);
  switch (expression.type) {
    case "literal":
      return expression.value;
    case "name": {
      const value = lookUp(expression.name);
      if (value === undefined)
        throw inputError(`Cannot compute the expression: there is no value "${expression.name}"`);
      return value;
    }
    case "list":
      return expression.items.map(evaluate);
    case "call":
      return callFunction(expression.name, expression.items.map(evaluate));
    case "unary": {
      const value = evaluate(expression.operand);
      if (expression.operator === "not") return !toTruth(value, '"not"');
      return typeof value === "object" ? combine("*", value, -1) : -toNumber(value, '"-"');
    }
    case "binary":
      return combine(expression.operator, evaluate(expression.left), evaluate(expression.right));
    default:
      return expression satisfies never;
  }
}
