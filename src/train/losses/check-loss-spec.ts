import { usageError, type LossSpec } from "../../core/index.js";

const ratioKinds: readonly LossSpec["kind"][] = ["ppo_clip", "gspo", "decoupled"];

function checkBounds({ kind, clipLow, clipHigh, dualClip }: LossSpec): string[] {
  const reasons: string[] = [];
  if (kind === "sft") {
    if (clipLow !== undefined || clipHigh !== undefined || dualClip !== undefined)
      reasons.push("sft has no ratio to clip: leave out clipLow, clipHigh and dualClip");
    return reasons;
  }
  if (ratioKinds.includes(kind) && clipLow === undefined)
    reasons.push(`${kind} needs clipLow, the distance of the lower bound from 1, e.g. 0.2`);
  if (clipHigh === undefined) reasons.push(`${kind} needs clipHigh, the distance of the upper bound from 1, e.g. 0.2`);
  if (clipLow !== undefined && !(clipLow > 0 && clipLow <= 1))
    reasons.push(`clipLow must be in (0, 1]: it is ${clipLow}`);
  if (clipHigh !== undefined && !(clipHigh > 0)) reasons.push(`clipHigh must be above 0: it is ${clipHigh}`);
  if (dualClip !== undefined && kind === "cispo")
    reasons.push("cispo has no dual clip: its ratio is a bounded constant already");
  if (dualClip !== undefined && !(dualClip > 1 && Number.isFinite(dualClip)))
    reasons.push(`dualClip must be a finite number above 1: it is ${dualClip}`);
  return reasons;
}

function checkKl({ kind, klPlacement, klEstimator, klWeight }: LossSpec): string[] {
  if (klPlacement === "none") {
    return klEstimator === undefined && (klWeight === undefined || klWeight === 0)
      ? []
      : [
          'klPlacement is "none", but a KL estimator or weight is given: place KL in "loss" or "reward", or leave both out',
        ];
  }
  const reasons: string[] = [];
  if (kind === "sft" && klPlacement === "reward")
    reasons.push('sft has no reward to put KL in: use klPlacement "loss" or "none"');
  if (klEstimator === undefined)
    reasons.push(`KL in the ${klPlacement} needs klEstimator: k1, k2 or k3 have different gradients`);
  if (klWeight === undefined) reasons.push(`KL in the ${klPlacement} needs klWeight`);
  else if (!(klWeight >= 0 && Number.isFinite(klWeight)))
    reasons.push(`klWeight must be finite and not below 0: it is ${klWeight}`);
  return reasons;
}

function checkExtras({ kind, entropyWeight, valueWeight, valueClip }: LossSpec): string[] {
  const reasons: string[] = [];
  if (entropyWeight !== undefined && !Number.isFinite(entropyWeight))
    reasons.push(`entropyWeight must be a finite number: it is ${entropyWeight}`);
  if (valueWeight !== undefined && !(valueWeight >= 0 && Number.isFinite(valueWeight)))
    reasons.push(`valueWeight must be finite and not below 0: it is ${valueWeight}`);
  if (valueClip !== undefined && !(valueClip > 0)) reasons.push(`valueClip must be above 0: it is ${valueClip}`);
  if (valueClip !== undefined && (valueWeight === undefined || valueWeight === 0))
    reasons.push("valueClip bounds a value loss that has no weight: give valueWeight or leave out valueClip");
  if (kind === "sft" && (valueWeight ?? 0) !== 0)
    reasons.push("sft has no returns for a value head to learn: leave out valueWeight");
  return reasons;
}

/**
 * Returns why a loss cannot be trained with, a sentence for each reason; empty when it is sound. Bounds, KL estimator
 * and weight have no silent defaults: what is missing is a reason.
 *
 * @example
 * checkLossSpec({ kind: "cispo", klPlacement: "none" }); // ["cispo needs clipHigh, ..."]
 */
export function checkLossSpec(spec: LossSpec): string[] {
  return [...checkBounds(spec), ...checkKl(spec), ...checkExtras(spec)];
}

/**
 * Does nothing for a loss that can be trained with.
 *
 * @throws {TurnwiseError} (usage) that gives every reason of {@linkcode checkLossSpec} otherwise.
 */
export function assertLossSpec(spec: LossSpec): void {
  const reasons = checkLossSpec(spec);
  if (reasons.length > 0) throw usageError(`Cannot train with this ${spec.kind} loss: ${reasons.join("; ")}`);
}
