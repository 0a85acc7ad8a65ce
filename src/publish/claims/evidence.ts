import { inputError, isJsonObject, TurnwiseError, type JsonValue } from "../../core/index.js";
import type { Artefact } from "./artefact.js";
import type { ClaimStatus } from "./claim-status.js";
import { evaluateExpression, parseExpression } from "./expression.js";
import type { ExpressionValue } from "./expression-value.js";
import { nameInputs, type ClaimEntry } from "./ledger.js";
import { selectValue, toExpressionValue } from "./select.js";

/** The artefacts that claims are computed from. */
export interface Evidence {
  /**
   * Returns the artefact of a name, `undefined` when there is none.
   *
   * @throws {TurnwiseError} (input) for one that cannot be read.
   */
  find(name: string): Artefact | undefined;
}

/** Why a claim could not be computed. */
export class ClaimFault extends Error {
  readonly status: ClaimStatus;
  constructor(status: ClaimStatus, message: string) {
    super(message);
    this.status = status;
  }
}

/** What is selected by one input. */
export interface SelectedInput {
  readonly input: ClaimEntry["inputs"][number];
  readonly artefact: Artefact;
  readonly manifest?: Artefact;
  readonly value: JsonValue;
}

function explain(error: unknown): string {
  if (!(error instanceof TurnwiseError)) throw error; // a fault of ours, not of the ledger
  return error.message;
}

function findArtefact(evidence: Evidence, name: string): Artefact {
  let artefact: Artefact | undefined;
  try {
    artefact = evidence.find(name);
  } catch (error) {
    throw new ClaimFault("missing_evidence", explain(error));
  }
  if (artefact === undefined) throw new ClaimFault("missing_evidence", `There is no artefact "${name}"`);
  return artefact;
}

function selectInput(evidence: Evidence, input: SelectedInput["input"]): SelectedInput {
  const artefact = findArtefact(evidence, input.artefact);
  if (input.sha256 !== undefined && input.sha256 !== artefact.sha256)
    throw new ClaimFault(
      "stale_evidence",
      `The artefact "${input.artefact}" has changed: the ledger states ${input.sha256.slice(0, 19)}, its bytes give ${artefact.sha256.slice(0, 19)}`,
    );
  const manifest = input.manifest === undefined ? undefined : findArtefact(evidence, input.manifest);
  try {
    const value = selectValue(artefact, input.select);
    return { input, artefact, value, ...(manifest === undefined ? {} : { manifest }) };
  } catch (error) {
    throw new ClaimFault("selector_error", explain(error));
  }
}

/** A claim with its inputs and what they come to. */
export interface ComputedClaim {
  readonly inputs: readonly SelectedInput[];
  readonly value: ExpressionValue;
  readonly interval?: readonly [number, number];
  /** Number of items of the only list among the inputs. */
  readonly listCount?: number;
  /** What another expression over the same inputs comes to. */
  compute(expr: string): ExpressionValue;
}

function toInterval(value: ExpressionValue): readonly [number, number] {
  if (typeof value === "object" && value.length === 2) {
    const [lower, upper] = value;
    if (typeof lower === "number" && typeof upper === "number") return [lower, upper];
  }
  throw inputError("Cannot use the interval of the claim: its expression must give [lower, upper]");
}

/** What claims of turnwise's own reports may count: lists and objects as they are. */
function toValue(value: JsonValue, what: string): ExpressionValue {
  if (isJsonObject(value) && typeof value["$number"] === "string") return toExpressionValue(value, what);
  // A list of objects can be counted, and nothing else.
  if (Array.isArray(value) && value.some((item) => isJsonObject(item)))
    return (value as readonly JsonValue[]).map((_item, index) => index); // an array inside JSON holds JSON
  return toExpressionValue(value, what);
}

/** Returns what a claim comes to. Throws a {@linkcode ClaimFault} with the status that says why it cannot be computed. */
export function computeClaim(claim: ClaimEntry, evidence: Evidence): ComputedClaim {
  const inputs = claim.inputs.map((input) => selectInput(evidence, input));
  try {
    const values = new Map<string, ExpressionValue>();
    for (const [index, names] of nameInputs(claim).entries()) {
      const value = toValue(inputs[index].value, `the input ${names[0]} of ${claim.id}`);
      for (const name of names) values.set(name, value);
    }
    const compute = (expr: string): ExpressionValue =>
      evaluateExpression(parseExpression(expr), (name) => values.get(name));
    const lists = inputs.flatMap(({ value }) => (Array.isArray(value) ? [(value as readonly JsonValue[]).length] : [])); // an array inside JSON holds JSON
    return {
      inputs,
      value: compute(claim.expr),
      compute,
      ...(claim.interval === undefined ? {} : { interval: toInterval(compute(claim.interval)) }),
      ...(lists.length === 1 ? { listCount: lists[0] } : {}),
    };
  } catch (error) {
    throw new ClaimFault("selector_error", explain(error));
  }
}
