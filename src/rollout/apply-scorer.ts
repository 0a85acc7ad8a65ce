import type { Scorer, Trajectory } from "../core/index.js";
import { checkScore } from "./check-answers.js";
import { describeFailure } from "./describe-failure.js";
import { waitFor } from "./wait-for.js";

/**
 * Returns the trajectory with the scorer's judgement in place of the env's grade. What the scorer throws, and an answer
 * that is no score, make it an error of the scorer; an episode that ended in an error is not judged.
 */
export async function applyScorer(trajectory: Trajectory, scorer: Scorer, signal?: AbortSignal): Promise<Trajectory> {
  if (trajectory.stopReason.type === "error") return trajectory;
  const { success: _envGrade, ...played } = trajectory;
  const rest = { ...played, grader: `${scorer.id} ${scorer.version}` };
  try {
    const { success, parts } = checkScore(await waitFor(() => scorer.score(trajectory), { signal }));
    return {
      ...rest,
      ...(success === undefined ? {} : { success }),
      ...(parts === undefined ? {} : { scores: parts }),
    };
  } catch (error) {
    return { ...rest, stopReason: describeFailure("scorer", error) };
  }
}
