// internal
import { isJsonObject, usageError, type JsonValue, type ToolSpec } from "../../core/index.js";
import type { ParameterRule, ToolGrammar } from "./action-grammar.js";

/** What a tool parameter's schema asks for, before there are ids. */
export type ParameterKind =
  | { readonly type: "choice"; readonly values: readonly JsonValue[] }
  | { readonly type: "number"; readonly isSigned: boolean; readonly isWhole: boolean; readonly maximum?: number }
  | { readonly type: "string" };

/** One parameter of a tool as its schema has it. */
export interface ToolParameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly kind: ParameterKind;
}

function readKind(schema: JsonValue | undefined, place: string): ParameterKind {
  const fields = isJsonObject(schema) ? schema : {};
  if (Array.isArray(fields["enum"]) && fields["enum"].length > 0) return { type: "choice", values: fields["enum"] };
  if (fields["const"] !== undefined) return { type: "choice", values: [fields["const"]] };
  const { type } = fields;
  const [minimum, maximum] = [fields["minimum"], fields["maximum"]];
  switch (type) {
    case "boolean":
      return { type: "choice", values: [true, false] };
    case "integer":
    case "number": {
      const isSigned = !(typeof minimum === "number" && minimum >= 0);
      const isWhole = type === "integer";
      return { type: "number", isSigned, isWhole, ...(typeof maximum === "number" ? { maximum } : {}) };
    }
    case "string":
      return { type: "string" };
    default:
      throw usageError(
        `Cannot write actions of ${place} as tokens: its schema is ${JSON.stringify(schema ?? null)}`,
        "Parameters may be of type string, integer, number or boolean, or have an enum; for others, write a TokenCodec of your own",
      );
  }
}

/**
 * Returns the parameters of a tool in the order of its schema.
 *
 * @throws {TurnwiseError} (usage) for a parameter that is an array or an object, or of no single type.
 */
export function readToolParameters(tool: ToolSpec): ToolParameter[] {
  const { properties, required } = tool.parameters;
  const needed: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    isOptional: !needed.includes(name),
    kind: readKind(schema, `parameter "${name}" of tool "${tool.name}"`),
  }));
}

/** Returns the text a choice's value is split by: strings as they are, everything else as JSON. */
export function getChoiceText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns how many tokens the longest action takes: name, values with their ends, and the end. */
export function countMaxActionTokens(tools: readonly ToolGrammar[]): number {
  const counts = tools.map(({ parameters }) =>
    parameters.reduce((sum, { rule }) => sum + 1 + countMaxValueTokens(rule), 2),
  );
  return Math.max(2, ...counts);
}

function countMaxValueTokens(rule: ParameterRule): number {
  return rule.type === "choice" ? Math.max(0, ...rule.values.map(({ ids }) => ids.length)) : rule.maxTokens;
}
