import { PolicyError, type Policy, type Trajectory } from "../core/index.js";

/**
 * Returns a policy that plays the actions of a recorded episode again, turn by turn, and closes it with the recorded
 * closing answer. It does not look at what it is shown, so it also serves to find where an env answers differently.
 * Past the last recorded turn it throws a {@linkcode PolicyError} of class `replay_exhausted`.
 */
export function createReplayPolicy(trajectory: Trajectory): Policy {
  const { episodeId, policy, turns, closing } = trajectory;
  return {
    id: `replay-of-${policy.id}`,
    config: { type: "replay", episodeId, policy: { ...policy } },
    act({ turnIndex, closingPrompt }) {
      const recorded = closingPrompt === undefined ? turns[turnIndex] : closing;
      if (recorded !== undefined)
        return { action: recorded.action, ...(recorded.usage === undefined ? {} : { usage: recorded.usage }) };
      const wanted = closingPrompt === undefined ? `turn ${turnIndex}` : "closing answer";
      throw new PolicyError(
        "replay_exhausted",
        `Cannot replay episode "${episodeId}": it has ${turns.length} turns and no ${wanted}`,
      );
    },
  };
}
