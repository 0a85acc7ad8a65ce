// internal
import type { LossSpec } from "../../../core/index.js";
import { emitBinary, emitSum } from "../graph/elementwise.js";
import { emitReshape, reshapeLike } from "../graph/layout.js";
import type { GraphValue, Tape } from "../graph/tape.js";

/** Which parts a loss has: what of a spec shapes its graph. Weights and bounds are fed at each run. */
export interface LossForm {
  readonly kind: LossSpec["kind"];
  readonly hasDualClip: boolean;
  readonly klEstimator?: "k1" | "k2" | "k3";
  readonly hasValue: boolean;
  readonly hasValueClip: boolean;
}

/** Returns the form of a spec that `assertLossSpec` accepts. */
export function getLossForm(spec: LossSpec): LossForm {
  return {
    kind: spec.kind,
    hasDualClip: spec.dualClip !== undefined,
    ...(spec.klPlacement === "loss" ? { klEstimator: spec.klEstimator } : {}),
    hasValue: (spec.valueWeight ?? 0) !== 0,
    hasValueClip: spec.valueClip !== undefined,
  };
}

/** Numbers of a spec, fed to every run under these names. */
export function listLossScalars(form: LossForm): (keyof LossSpec)[] {
  return [
    ...(form.kind === "sft" ? [] : (["clipLow", "clipHigh"] as const)),
    ...(form.hasDualClip ? (["dualClip"] as const) : []),
    ...(form.klEstimator === undefined ? [] : (["klWeight"] as const)),
    "entropyWeight",
    ...(form.hasValue ? (["valueWeight"] as const) : []),
    ...(form.hasValueClip ? (["valueClip"] as const) : []),
  ];
}

/** Returns a number of a spec as it is fed: without a lower bound ratios go down to 0, without a weight nothing counts. */
export function getLossScalar(spec: LossSpec, name: keyof LossSpec): number {
  const value = spec[name];
  return typeof value === "number" ? value : name === "clipLow" ? 1 : 0;
}

/** Lists of a row that the loss reads, fed as float32 [entries, 1] under these names. */
export function listLossColumns(form: LossForm): LossColumn[] {
  return [
    "weights",
    ...(form.kind === "sft" ? [] : (["advantages", "sampledLogProbs"] as const)),
    ...(form.kind === "decoupled" ? (["proximalLogProbs"] as const) : []),
    ...(form.klEstimator === undefined ? [] : (["referenceLogProbs"] as const)),
    ...(form.hasValue ? (["returns"] as const) : []),
    ...(form.hasValueClip ? (["oldValues"] as const) : []),
  ];
}

/** A list of a training row with one number per token. */
export type LossColumn =
  | "weights"
  | "advantages"
  | "sampledLogProbs"
  | "proximalLogProbs"
  | "referenceLogProbs"
  | "returns"
  | "oldValues";

/** What the loss is taken over; all [entries, 1] but for `tokens` [rows, time]. */
export interface LossInputs {
  readonly tokens: GraphValue;
  /** Bool: sampled by the policy with a weight. */
  readonly trained: GraphValue;
  /** Bool: sampled by the policy. */
  readonly sampled: GraphValue;
  readonly logProbs: GraphValue;
  readonly entropies: GraphValue;
  readonly values?: GraphValue;
  column(name: LossColumn): GraphValue;
  scalar(name: keyof LossSpec): GraphValue;
}

/** Loss of each position and its derivatives, all [entries, 1] and exactly 0 where nothing is trained. */
export interface LossOutputs {
  readonly policy: GraphValue;
  readonly kl?: GraphValue;
  readonly entropy: GraphValue;
  readonly value?: GraphValue;
  /** With respect to log-probability, entropy and value. */
  readonly logProbSlope: GraphValue;
  readonly entropySlope: GraphValue;
  readonly valueSlope?: GraphValue;
  /** 1 where a bound of the ratio acted. */
  readonly clipped?: GraphValue;
}

/** Operations on columns [entries, 1] and scalars, short to write. */
class Columns {
  readonly #tape: Tape;
  constructor(tape: Tape) {
    this.#tape = tape;
  }
  number = (value: number): GraphValue => this.#tape.scalar(value);
  add = (a: GraphValue, b: GraphValue): GraphValue => emitBinary(this.#tape, "Add", a, b);
  subtract = (a: GraphValue, b: GraphValue): GraphValue => emitBinary(this.#tape, "Sub", a, b);
  multiply = (a: GraphValue, b: GraphValue): GraphValue => emitBinary(this.#tape, "Mul", a, b);
  negate = (a: GraphValue): GraphValue => this.#tape.emit("Neg", [a], a.shape);
  exp = (a: GraphValue): GraphValue => this.#tape.emit("Exp", [a], a.shape);
  clip = (a: GraphValue, low: GraphValue, high: GraphValue): GraphValue =>
    this.#tape.emit("Clip", [a, low, high], a.shape);
  isGreater = (a: GraphValue, b: GraphValue): GraphValue => this.#tape.emit("Greater", [a, b], a.shape);
  isZero = (a: GraphValue): GraphValue => this.#tape.emit("Equal", [a, this.number(0)], a.shape);
  both = (a: GraphValue, b: GraphValue): GraphValue => this.#tape.emit("And", [a, b], a.shape);
  either = (a: GraphValue, b: GraphValue): GraphValue => this.#tape.emit("Or", [a, b], a.shape);
  /** Chooses and never multiplies: what is not chosen may be infinite or no number at all. */
  choose = (condition: GraphValue, yes: GraphValue, no: GraphValue): GraphValue =>
    this.#tape.emit("Where", [condition, yes, no], condition.shape);
}

/** Loss of each position before weighting, its derivative, and where a bound acted (bool). */
interface Part {
  readonly loss: GraphValue;
  readonly slope: GraphValue;
  readonly isBound?: GraphValue;
}

/** Emits the loss of every position; see `computeLoss` of `train`, which it equals, for the formulas and sources. */
export function emitLoss(tape: Tape, form: LossForm, inputs: LossInputs): LossOutputs {
  const columns = new Columns(tape);
  const { trained } = inputs;
  const zero = columns.number(0);
  const weights = inputs.column("weights");
  const keep = (value: GraphValue): GraphValue => columns.choose(trained, value, zero);
  const weigh = (value: GraphValue): GraphValue => keep(columns.multiply(weights, value));
  const policy = emitPolicyPart(tape, columns, form, inputs);
  // The ratio of a sequence depends on all of its tokens: its slope is spread by the part itself, weights included.
  const policySlope = form.kind === "gspo" ? policy.slope : weigh(policy.slope);
  const kl = form.klEstimator === undefined ? undefined : emitKlPart(columns, form.klEstimator, inputs);
  const klSlope = kl === undefined ? undefined : weigh(columns.multiply(inputs.scalar("klWeight"), kl.slope));
  const entropySlope = weigh(columns.negate(inputs.scalar("entropyWeight")));
  const value = form.hasValue ? emitValuePart(columns, form, inputs) : undefined;
  const weighValue = (part: GraphValue): GraphValue => weigh(columns.multiply(inputs.scalar("valueWeight"), part));
  return {
    policy: weigh(policy.loss),
    entropy: keep(columns.multiply(entropySlope, inputs.entropies)),
    logProbSlope: klSlope === undefined ? policySlope : columns.add(policySlope, klSlope),
    entropySlope,
    ...(kl === undefined ? {} : { kl: weigh(columns.multiply(inputs.scalar("klWeight"), kl.loss)) }),
    ...(value === undefined ? {} : { value: weighValue(value.loss), valueSlope: weighValue(value.slope) }),
    ...(policy.isBound === undefined
      ? {}
      : { clipped: columns.choose(columns.both(trained, policy.isBound), columns.number(1), zero) }),
  };
}

function emitPolicyPart(tape: Tape, columns: Columns, form: LossForm, inputs: LossInputs): Part {
  const { logProbs, trained, sampled } = inputs;
  const changeSince = (old: LossColumn, where: GraphValue): GraphValue =>
    columns.choose(where, columns.subtract(logProbs, inputs.column(old)), columns.number(0));
  switch (form.kind) {
    case "sft":
      return { loss: columns.negate(logProbs), slope: columns.number(-1) };
    case "ppo_clip":
      return emitSurrogate(columns, form, inputs, changeSince("sampledLogProbs", trained));
    case "decoupled": {
      const part = emitSurrogate(columns, form, inputs, changeSince("proximalLogProbs", trained));
      const stale = columns.subtract(inputs.column("proximalLogProbs"), inputs.column("sampledLogProbs"));
      const factor = columns.exp(columns.choose(trained, stale, columns.number(0)));
      const scale = (value: GraphValue): GraphValue =>
        columns.choose(columns.isZero(value), columns.number(0), columns.multiply(factor, value));
      return { ...part, loss: scale(part.loss), slope: scale(part.slope) };
    }
    case "cispo":
      return emitCispo(columns, inputs, changeSince("sampledLogProbs", trained));
    case "gspo":
      return emitSequencePart(tape, columns, form, inputs, changeSince("sampledLogProbs", sampled));
    default:
      return form.kind satisfies never;
  }
}

/** The clipped surrogate of a log-ratio; a position without advantage costs 0 whatever its ratio. */
function emitSurrogate(columns: Columns, form: LossForm, inputs: LossInputs, logRatio: GraphValue): Part {
  const zero = columns.number(0);
  const advantages = inputs.column("advantages");
  const ratio = columns.exp(logRatio);
  const plain = columns.negate(columns.multiply(ratio, advantages));
  const held = columns.negate(columns.multiply(holdRatio(columns, inputs, ratio), advantages));
  const isHeld = columns.isGreater(held, plain);
  let loss = columns.choose(isHeld, held, plain);
  let isBound = isHeld;
  if (form.hasDualClip) {
    const bound = inputs.scalar("dualClip");
    const isNegative = columns.isGreater(columns.negate(advantages), zero);
    const isDual = columns.both(isNegative, columns.isGreater(ratio, bound));
    loss = columns.choose(isDual, columns.negate(columns.multiply(advantages, bound)), loss);
    isBound = columns.either(isHeld, isDual);
  }
  const isFree = columns.isZero(advantages);
  return {
    loss: columns.choose(isFree, zero, loss),
    slope: columns.choose(columns.either(isFree, isBound), zero, plain),
    isBound,
  };
}

function holdRatio(columns: Columns, inputs: LossInputs, ratio: GraphValue): GraphValue {
  const low = columns.subtract(columns.number(1), inputs.scalar("clipLow"));
  return columns.clip(ratio, low, columns.add(columns.number(1), inputs.scalar("clipHigh")));
}

/** The bounded ratio as a constant factor of the log-probability. */
function emitCispo(columns: Columns, inputs: LossInputs, logRatio: GraphValue): Part {
  const ratio = columns.exp(logRatio);
  const held = holdRatio(columns, inputs, ratio);
  const slope = columns.negate(columns.multiply(held, inputs.column("advantages")));
  const isAbove = columns.isGreater(ratio, held);
  const isBelow = columns.isGreater(held, ratio);
  return { loss: columns.multiply(slope, inputs.logProbs), slope, isBound: columns.either(isAbove, isBelow) };
}

/**
 * One ratio per sequence: the mean over sampled tokens. The slope holds the weights already: each sampled token moves
 * the ratio of all trained ones.
 */
function emitSequencePart(tape: Tape, columns: Columns, form: LossForm, inputs: LossInputs, change: GraphValue): Part {
  const zero = columns.number(0);
  const { sampled, trained, tokens } = inputs;
  const ones = columns.choose(sampled, columns.number(1), zero);
  const sumRows = (value: GraphValue): GraphValue => emitSum(tape, reshapeLike(tape, value, tokens), [1], true);
  const count = emitBinary(tape, "Max", sumRows(ones), columns.number(1));
  const spread = (value: GraphValue): GraphValue =>
    emitReshape(
      tape,
      tape.emit("Expand", [value, tape.emit("Shape", [tokens], [2])], tokens.shape),
      inputs.logProbs.shape,
    );
  const mean = spread(emitBinary(tape, "Div", sumRows(change), count));
  const part = emitSurrogate(columns, form, inputs, mean);
  const weighted = columns.choose(trained, columns.multiply(inputs.column("weights"), part.slope), zero);
  const slope = spread(emitBinary(tape, "Div", sumRows(weighted), count));
  return { ...part, slope: columns.choose(sampled, slope, zero) };
}

/** k1, k2 or k3 against the reference, with u = log p - log p_ref: u; u^2 / 2; exp(-u) + u - 1. */
function emitKlPart(columns: Columns, estimator: "k1" | "k2" | "k3", inputs: LossInputs): Part {
  const difference = columns.subtract(inputs.logProbs, inputs.column("referenceLogProbs"));
  const u = columns.choose(inputs.trained, difference, columns.number(0));
  const one = columns.number(1);
  switch (estimator) {
    case "k1":
      return { loss: u, slope: one };
    case "k2":
      return { loss: columns.multiply(columns.number(0.5), columns.multiply(u, u)), slope: u };
    case "k3": {
      const inverse = columns.exp(columns.negate(u));
      return {
        loss: columns.add(inverse, columns.subtract(u, one)),
        slope: columns.subtract(one, inverse),
      };
    }
    default:
      return estimator satisfies never;
  }
}

/** Half the squared error; with a bound, the larger one of it and of the held estimate's. */
function emitValuePart(columns: Columns, form: LossForm, inputs: LossInputs): Part {
  const { values } = inputs;
  if (values === undefined) throw new TypeError("Cannot emit a value loss for a network without a value head");
  const returns = inputs.column("returns");
  const halfSquare = (error: GraphValue): GraphValue =>
    columns.multiply(columns.number(0.5), columns.multiply(error, error));
  const error = columns.subtract(values, returns);
  const plain = halfSquare(error);
  if (!form.hasValueClip) return { loss: plain, slope: error };
  const [old, reach] = [inputs.column("oldValues"), inputs.scalar("valueClip")];
  const step = columns.subtract(values, old);
  const held = columns.add(old, columns.clip(step, columns.negate(reach), reach));
  const heldLoss = halfSquare(columns.subtract(held, returns));
  const isHeld = columns.isGreater(heldLoss, plain);
  return {
    loss: columns.choose(isHeld, heldLoss, plain),
    slope: columns.choose(isHeld, columns.number(0), error),
    isBound: isHeld,
  };
}
