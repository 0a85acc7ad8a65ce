import { parseDocument as parseYaml } from "yaml";
import { z } from "zod";
import { inputError, type ClaimKind } from "../../core/index.js";

const kinds = [
  "value",
  "delta",
  "relative_delta",
  "ratio",
  "count",
  "interval",
  "test",
  "rank",
  "comparison",
  "scope",
  "quantifier",
] as const satisfies readonly ClaimKind[];

/** What the numbers were measured with; caps what may be said of them. */
export const evaluationTypes = [
  "real_gt",
  "synthetic_proxy",
  "self_supervised_proxy",
  "simulation_only",
  "human_eval",
] as const;

/** The strongest wording a claim may have. */
export const wordingCeilings = ["full", "proxy", "relative_only", "in_simulation", "with_agreement"] as const;

const id = z
  .string()
  .regex(/^(?:c:)?[\w.:-]+$/, "must hold letters, digits, dots, colons, hyphens and underscores")
  .transform((text) => (text.startsWith("c:") ? text : `c:${text}`));
const path = z.string().min(1);
const display = z.strictObject({
  format: z.enum(["plain", "grouped", "scientific"]).default("plain"),
  decimals: z.int().min(0).max(15).optional(),
  rounding: z.enum(["half_even", "half_up"]).default("half_up"),
  percent: z.boolean().default(false),
  signed: z.boolean().default(false),
});
const defaultDisplay = { format: "plain", rounding: "half_up", percent: false, signed: false } as const;
const input = z.strictObject({
  artefact: path,
  sha256: z
    .string()
    .regex(/^(?:sha256:)?[0-9a-f]{64}$/, "must be 64 hex digits, with or without sha256: before them")
    .transform((hash) => (hash.startsWith("sha256:") ? hash : `sha256:${hash}`))
    .optional(),
  select: z.string(),
  /** Name in the expression; else `value` (and `a`) for one input, `a`, `b`, ... for several. */
  name: z
    .string()
    .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, "must be a name")
    .optional(),
  /** The artefact that says how the input was made: status, counts, settings. */
  manifest: path.optional(),
});
const tolerance = z.union([
  z.number().nonnegative(),
  z.string().regex(/^\d+(?:\.\d+)?%$/, "must be a number, or a share such as 5%"),
]);
const aggregation = z.strictObject({
  method: z.enum(["mean", "median", "best", "worst", "single"]),
  /** What is aggregated: seeds, runs, tasks, ... */
  over: z.string().min(1).optional(),
  n: z.int().positive().optional(),
  /** Expression that counts what was aggregated; else the length of the only list among the inputs. */
  count: z.string().min(1).optional(),
});
const claim = z.strictObject({
  id,
  kind: z.enum(kinds),
  expr: z.string().min(1).default("value"),
  inputs: z.array(input).min(1).max(26),
  unit: z.string().min(1).optional(),
  display: display.default(defaultDisplay),
  tolerance: tolerance.optional(),
  aggregation: aggregation.optional(),
  /** Keys that all inputs must agree on; default those of {@linkcode comparabilityKeys} that are there. */
  comparability: z.array(z.string().min(1)).optional(),
  /** Keys in which the sides differ on purpose: what is compared. */
  varies: z.array(z.string().min(1)).optional(),
  /** Expression for the interval of the estimate: [lower, upper]. */
  interval: z.string().min(1).optional(),
  eval_type: z.enum(evaluationTypes).optional(),
  wording_ceiling: z.enum(wordingCeilings).optional(),
  note: z.string().optional(),
});
const table = z.strictObject({
  /** Label or block id of the table in the document. */
  table: z.string().min(1),
  artefact: path,
  sha256: input.shape.sha256,
  manifest: path.optional(),
  /** Head of the column that names the rows, and the field of the artefact's rows that holds the same names. */
  row_key: z.string().min(1),
  field: z.string().min(1),
  /** Head of a column to JSON Pointer or field of the artefact's row. */
  columns: z.record(z.string(), z.string().min(1)),
  display: display.default(defaultDisplay),
});
const sum = z.strictObject({ parts: z.array(id).min(1), total: z.union([z.number(), id]) });
const illustrative = z.strictObject({ text: z.string().min(1), reason: z.string().min(1) });

const ledgerSchema = z.strictObject({
  version: z.literal(1).default(1),
  claims: z.array(claim).default([]),
  tables: z.array(table).default([]),
  /** Shares that must add up. */
  sums: z.array(sum).default([]),
  /** Passages whose numbers are examples, with the reason. */
  illustrative: z.array(illustrative).default([]),
});

/** One claim of a ledger: what a number of the document is computed from, and how it may be said. */
export type ClaimEntry = z.output<typeof claim>;
/** How the value of a claim is written. */
export type LedgerDisplay = z.output<typeof display>;
/** A table bound as a whole. */
export type LedgerTable = z.output<typeof table>;
/** The claims of a document. */
export type ClaimLedger = z.output<typeof ledgerSchema>;

/**
 * Returns the ledger that YAML (or JSON) holds.
 *
 * @throws {TurnwiseError} (input) for text that cannot be read or does not fit, with every place that does not.
 */
export function parseClaimLedger(text: string, file: string): ClaimLedger {
  const document = parseYaml(text, { prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined)
    throw inputError(`Cannot read the ledger "${file}" as YAML: ${error.message.split("\n")[0]}`, "Mend the file");
  const parsed = ledgerSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  throw inputError(
    `Cannot use the ledger "${file}":\n${z.prettifyError(parsed.error)}`,
    "A ledger is a mapping of claims, tables, sums and illustrative to lists",
    parsed.error,
  );
}

/** Returns the names by which an expression knows the inputs of a claim. */
export function nameInputs({ inputs }: Pick<ClaimEntry, "inputs">): readonly (readonly string[])[] {
  return inputs.map(({ name }, index) => {
    const letter = String.fromCharCode("a".charCodeAt(0) + index);
    return [...(name === undefined ? [] : [name]), letter, ...(inputs.length === 1 ? ["value"] : [])];
  });
}
