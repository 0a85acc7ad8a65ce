import { createScriptedPolicy, type ScriptedPolicy, type ScriptedPolicyConfig } from "./scripted-policy.js";

const base = { errorRate: 0.3, recoveryRate: 0.35, quitHazard: { clean: 0.02, error: 0.2 } };

const presets = {
  /** Best play, for the turns left where it is told them. */
  optimal: { planning: "budget_aware" },
  /** Errs often, and does not quite know how to recover. */
  noisy: { errorRate: 0.3, recoveryRate: 0.5, invalidRate: 0.1 },
  /** Gives up, above all after an error. */
  quitting: { errorRate: 0.2, quitHazard: { clean: 0.03, error: 0.3 } },
  /** Does again what it did before. */
  looping: { errorRate: 0.15, loopRate: 0.35 },
  /** Plays as if turns were free. */
  "budget-blind": { errorRate: 0.1 },
  /** The same, playing for the turns left where it is told them. */
  "budget-aware": { errorRate: 0.1, planning: "budget_aware" },
  /** What the next four are compared with. */
  base,
  /** `base` with better decisions only. */
  "better-decision": { ...base, errorRate: 0.1 },
  /** `base` with better recovery only. */
  "better-recovery": { ...base, recoveryRate: 0.8 },
  /** `base` with more persistence only. */
  "better-persistence": { ...base, quitHazard: { clean: 0.01, error: 0.03 } },
  /** Recovers and persists better than `base` but decides worse: behind at few turns, ahead at many. */
  trained: { errorRate: 0.45, recoveryRate: 0.8, quitHazard: { clean: 0.01, error: 0.03 } },
} satisfies Record<string, Omit<ScriptedPolicyConfig, "id">>;

/** The name of a ready-made scripted policy. */
export type ScriptedPresetName = keyof typeof presets;

/** The names of the ready-made scripted policies, in the order they are listed. */
export const scriptedPresetNames: readonly ScriptedPresetName[] = Object.keys(presets) as ScriptedPresetName[]; // the keys of a literal

/** Returns a ready-made scripted policy; its id is its name. */
export function createScriptedPreset(name: ScriptedPresetName): ScriptedPolicy {
  return createScriptedPolicy({ id: name, ...presets[name] });
}
