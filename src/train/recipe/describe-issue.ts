// internal
import { z } from "zod";

/** What is looked at of a JSON schema: the keys an object may have, and its variants. */
interface SchemaNode {
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly const?: unknown;
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** Whether a variant is the one that is written: its constants, such as its kind, are those found. */
function isMeant({ properties = {} }: SchemaNode, found: unknown): boolean {
  return Object.entries(properties).every(
    ([name, node]) => node.const === undefined || (isRecord(found) && found[name] === node.const),
  );
}

/** Returns the variants of a node that are meant; the node itself where it has none. */
function listVariants(node: SchemaNode, found: unknown): readonly SchemaNode[] {
  const variants = node.oneOf ?? node.anyOf;
  return variants === undefined ? [node] : variants.filter((each) => isMeant(each, found));
}

/** Returns the keys that may stand where the path leads. */
function listKeys(root: SchemaNode, path: readonly PropertyKey[], input: unknown): string[] {
  let nodes = listVariants(root, input);
  let found = input;
  for (const step of path) {
    found = isRecord(found) ? found[String(step)] : undefined;
    nodes = nodes.flatMap(({ properties = {} }) => {
      const next = properties[String(step)];
      return next === undefined ? [] : listVariants(next, found);
    });
  }
  return [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function getAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), input);
}

const mostShown = 60;

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value); // JSON has no NaN
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

/** Returns a message without what is said around it: that the input is invalid, and of which type it is. */
function trim(message: string): string {
  return message.replace(/^Invalid input: /, "").replace(/, received \w+$/, "");
}

/** Returns what would have been taken: of a choice that is no object, every form. */
function getMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return trim(issue.message);
  const forms = issue.errors.flat().map(({ message }) => trim(message).replace(/^expected /, ""));
  return `expected ${[...new Set(forms)].join(" or ")}`;
}

/** Returns what is wrong with an input in words: where, what was found there, and what is allowed. */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown, schema: z.ZodType): string {
  const where = issue.path.map(String).join(".") || "recipe";
  if (issue.code === "unrecognized_keys") {
    const known = listKeys(z.toJSONSchema(schema, { io: "input" }) as SchemaNode, issue.path, input); // read defensively
    const names = issue.keys.map((key) => `"${key}"`).join(", ");
    return `${where}: it has no ${names}${known.length === 0 ? "" : `, only ${known.join(", ")}`}`;
  }
  return `${where}: ${getMessage(issue)}, found ${show(getAt(input, issue.path))}`;
}
