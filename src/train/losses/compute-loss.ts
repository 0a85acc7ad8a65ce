import type { LossSpec, TrainingRow } from "../../core/index.js";
import { estimateKl } from "../kl/kl-estimators.js";
import { assertLossSpec } from "./check-loss-spec.js";
import { cispoLoss } from "./cispo-loss.js";
import type { ClipBounds } from "./clipped-surrogate.js";
import { decoupledLoss } from "./decoupled-loss.js";
import { gspoLoss } from "./gspo-loss.js";
import { ppoClipLoss } from "./ppo-clip-loss.js";
import { checkRowLengths, listTrained, type RowLoss } from "./row-loss.js";
import { sftLoss } from "./sft-loss.js";
import { valueLoss } from "./value-loss.js";

/** What the network says about one row now; lists have the length of its ids. A `SequenceScore` will do. */
export interface RowOutputs {
  readonly logProbs: readonly number[];
  /** Entropy of the distribution each token is drawn from, nats; needed with an entropy weight. */
  readonly entropies?: readonly number[];
  /** Needed with a value weight. */
  readonly values?: readonly number[];
}

/** Derivatives of the loss with respect to {@linkcode RowOutputs}; exactly 0 at every token that is not trained. */
export interface RowGradients {
  readonly logProbs: readonly number[];
  readonly entropies?: readonly number[];
  readonly values?: readonly number[];
}

/** What an update record tells beside the loss. Means are over trained tokens, without weights; 0 without any. */
export interface LossDiagnostics {
  /** Trained tokens. */
  readonly tokens: number;
  /** Weighted parts of the loss, which add up to it. */
  readonly parts: { readonly policy: number; readonly kl: number; readonly entropy: number; readonly value: number };
  /** Mean of the KL estimate against the reference, nats; absent without a KL term. */
  readonly kl?: number;
  /** Mean of k3 against the policy that sampled, nats; absent for supervised training. */
  readonly updateKl?: number;
  /** Largest |ratio - 1| against the policy that sampled; absent for supervised training. */
  readonly maxRatioError?: number;
  /** Share of trained tokens that a bound of the ratio kept from moving (cispo: whose weight a bound set). */
  readonly clippedShare: number;
  /** Share of trained tokens whose value estimate was held. */
  readonly valueClippedShare?: number;
}

/** The loss of a batch with its gradient. */
export interface LossResult {
  readonly loss: number;
  /** [row] */
  readonly gradients: readonly RowGradients[];
  readonly diagnostics: LossDiagnostics;
}

/** The bounds of a spec that has passed its check. */
function readBounds({ clipLow = NaN, clipHigh = NaN, dualClip }: LossSpec): ClipBounds {
  return { clipLow, clipHigh, ...(dualClip === undefined ? {} : { dualClip }) };
}

function policyLoss(spec: LossSpec, row: TrainingRow, logProbs: readonly number[]): RowLoss {
  switch (spec.kind) {
    case "sft":
      return sftLoss(row, logProbs);
    case "ppo_clip":
      return ppoClipLoss(row, logProbs, readBounds(spec));
    case "gspo":
      return gspoLoss(row, logProbs, readBounds(spec));
    case "cispo":
      return cispoLoss(row, logProbs, { clipHigh: spec.clipHigh ?? NaN, clipLow: spec.clipLow });
    case "decoupled":
      return decoupledLoss(row, logProbs, readBounds(spec));
    default:
      return spec.kind satisfies never;
  }
}

/** Sums while rows are read. */
interface Totals {
  policy: number;
  kl: number;
  entropy: number;
  value: number;
  tokens: number;
  klSum: number;
  updateKlSum: number;
  maxRatioError: number;
  clipped: number;
  valueClipped: number;
}

function need<List>(list: List | undefined, name: string, why: string): List {
  if (list === undefined) throw new RangeError(`Cannot compute a loss with ${why} from a row without ${name}`);
  return list;
}

/** Adds a row to the totals and returns its gradients. */
function addRow(spec: LossSpec, row: TrainingRow, outputs: RowOutputs, totals: Totals): RowGradients {
  const { klPlacement, klEstimator = "k3", klWeight = 0, entropyWeight = 0, valueWeight = 0, valueClip } = spec;
  const { logProbs } = outputs;
  checkRowLengths(row, logProbs);
  const policy = policyLoss(spec, row, logProbs);
  totals.policy += policy.loss;
  totals.clipped += policy.clippedCount;
  const gradient = [...policy.gradient];
  const zeros = row.ids.map(() => 0);
  const entropyGradient = entropyWeight === 0 ? undefined : [...zeros];
  const valueGradient = valueWeight === 0 ? undefined : [...zeros];
  for (const i of listTrained(row)) {
    const weight = row.weights[i];
    totals.tokens += 1;
    if (spec.kind !== "sft") {
      const change = estimateKl("k3", row.sampledLogProbs[i], logProbs[i]);
      totals.updateKlSum += change.value;
      totals.maxRatioError = Math.max(totals.maxRatioError, Math.abs(Math.expm1(logProbs[i] - row.sampledLogProbs[i])));
    }
    if (klPlacement === "loss") {
      const reference = need(row.referenceLogProbs, "referenceLogProbs", "KL in it");
      const term = estimateKl(klEstimator, logProbs[i], reference[i]);
      totals.klSum += term.value;
      totals.kl += klWeight * weight * term.value;
      gradient[i] += klWeight * weight * term.slope;
    }
    if (entropyGradient !== undefined) {
      totals.entropy -= entropyWeight * weight * need(outputs.entropies, "entropies", "an entropy bonus")[i];
      entropyGradient[i] = -entropyWeight * weight;
    }
    if (valueGradient !== undefined) {
      const value = need(outputs.values, "values", "a value part")[i];
      const target = need(row.returns, "returns", "a value part")[i];
      const clip =
        valueClip === undefined
          ? undefined
          : { valueClip, oldValue: need(row.oldValues, "oldValues", "a clipped value part")[i] };
      const term = valueLoss(value, target, clip);
      totals.value += valueWeight * weight * term.loss;
      valueGradient[i] = valueWeight * weight * term.slope;
      if (term.isClipped) totals.valueClipped += 1;
    }
  }
  return {
    logProbs: gradient,
    ...(entropyGradient === undefined ? {} : { entropies: entropyGradient }),
    ...(valueGradient === undefined ? {} : { values: valueGradient }),
  };
}

/**
 * Returns the loss of a batch and its gradient with respect to what the network says, in float64: the reference that
 * engines are compared with. The loss is the sum over rows and trained tokens of weight x (surrogate + klWeight x KL -
 * entropyWeight x entropy + valueWeight x value loss); averaging is in the weights (`weighRows`). Tokens that
 * the policy did not sample are never looked at, so nothing they hold, NaN and infinite numbers included, can reach
 * the result.
 *
 * @throws {TurnwiseError} (usage) for a spec with gaps or contradictions.
 * @throws {RangeError} for lists of unequal length and rows without what the spec needs.
 */
export function computeLoss(rows: readonly TrainingRow[], outputs: readonly RowOutputs[], spec: LossSpec): LossResult {
  assertLossSpec(spec);
  if (rows.length !== outputs.length) {
    throw new RangeError(`Cannot compute the loss of ${rows.length} rows from outputs of ${outputs.length}`);
  }
  const totals: Totals = {
    policy: 0,
    kl: 0,
    entropy: 0,
    value: 0,
    tokens: 0,
    klSum: 0,
    updateKlSum: 0,
    maxRatioError: 0,
    clipped: 0,
    valueClipped: 0,
  };
  const gradients = rows.map((row, index) => addRow(spec, row, outputs[index], totals));
  const { policy, kl, entropy, value, tokens } = totals;
  const mean = (sum: number): number => (tokens === 0 ? 0 : sum / tokens);
  return {
    loss: policy + kl + entropy + value,
    gradients,
    diagnostics: {
      tokens,
      parts: { policy, kl, entropy, value },
      ...(spec.klPlacement === "loss" ? { kl: mean(totals.klSum) } : {}),
      ...(spec.kind === "sft" ? {} : { updateKl: mean(totals.updateKlSum), maxRatioError: totals.maxRatioError }),
      clippedShare: mean(totals.clipped),
      ...((spec.valueWeight ?? 0) === 0 ? {} : { valueClippedShare: mean(totals.valueClipped) }),
    },
  };
}
