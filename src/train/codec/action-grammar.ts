import type { JsonValue } from "../../core/index.js";

/** How the value of one tool parameter is written. */
export type ParameterRule =
  /** One of fixed values, each with its ids; `isPrefixFree` when no value's ids begin another's, so that none needs an end. */
  | { readonly type: "choice"; readonly values: readonly ChoiceValue[]; readonly isPrefixFree: boolean }
  /** Digits, with a sign and a point where allowed. */
  | { readonly type: "number"; readonly isSigned: boolean; readonly isWhole: boolean; readonly maxTokens: number }
  /** Whole words of one line that this episode showed, in a row. */
  | { readonly type: "span"; readonly maxTokens: number }
  /** Any of `ids` and whatever this episode showed, in any order. */
  | {
      readonly type: "words";
      readonly ids: readonly number[];
      readonly isEmptyAllowed: boolean;
      readonly maxTokens: number;
    };

/** One of the values of a choice. */
export interface ChoiceValue {
  readonly value: JsonValue;
  readonly ids: readonly number[];
}

/** One parameter of a tool as the grammar writes it. */
export interface ParameterGrammar {
  readonly name: string;
  /** Whether it may be left out; a token says so. */
  readonly isOptional: boolean;
  readonly rule: ParameterRule;
}

/** One tool: its token, then its parameters in the order of the schema. */
export interface ToolGrammar {
  readonly name: string;
  readonly id: number;
  readonly parameters: readonly ParameterGrammar[];
}
