import { untagNumber, type TextScoreRequest, type TextScorer, type Trajectory } from "../../core/index.js";
import type { ProcessSignal } from "../signals/process-signals.js";

/** What a model thinks of one turn: log p of each token the policy wrote, or why there is none. */
export type TurnScore =
  | {
      readonly kind: "scored";
      readonly logProbs: readonly number[];
      readonly texts?: readonly string[];
      /** What the tokens can be matched by; `none` where neither ids nor texts of them are known. */
      readonly alignment: "ids" | "text" | "none";
    }
  | { readonly kind: "not_available"; readonly reason: string };

/** What scores recorded turns. */
export interface TurnScorer {
  readonly id: string;
  readonly checkpoint?: string;
  /** Returns [episode][turn] scores. */
  scoreTurns(
    episodes: readonly Trajectory[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly (readonly TurnScore[])[]>;
}

/**
 * Returns the exact text a model saw and wrote in one turn, where the caller knows how the producer rendered it, or
 * `undefined` where it does not. May throw, which ends the measurement.
 */
export type RenderTurn = (
  trajectory: Trajectory,
  turnIndex: number,
) => { readonly prompt: string; readonly continuation: string } | undefined;

/**
 * Returns a scorer that reads the log-probs recorded with each turn: what the producing policy's server reported when it
 * sampled them. Servers report them before or after temperature and top-p, so they equal the model's own only where it
 * sampled at temperature 1 without cuts.
 */
export function createStoredScorer(id = "stored"): TurnScorer {
  return {
    id,
    scoreTurns: (episodes) =>
      Promise.resolve(
        episodes.map(({ turns }) =>
          turns.map(({ tokens }): TurnScore => {
            const logProbs = (tokens?.logProbs ?? [])
              .map(untagNumber)
              .filter((value) => value !== undefined && Number.isFinite(value));
            if (logProbs.length === 0)
              return { kind: "not_available", reason: "the turn has no stored log-probs (record with --log-probs)" };
            if (logProbs.length !== tokens?.logProbs?.length)
              return { kind: "not_available", reason: "some of the turn's stored log-probs are not known" };
            return {
              kind: "scored",
              logProbs: logProbs as number[], // only numbers are left
              alignment: tokens.ids?.length === logProbs.length ? "ids" : tokens.texts === undefined ? "none" : "text",
              ...(tokens.texts === undefined ? {} : { texts: tokens.texts }),
            };
          }),
        ),
      ),
  };
}

function createRequest(
  trajectory: Trajectory,
  turnIndex: number,
  render: RenderTurn | undefined,
): TextScoreRequest | string {
  const { tokens } = trajectory.turns[turnIndex];
  if (tokens?.ids !== undefined && tokens.promptIds !== undefined) {
    if (tokens.ids.length === 0) return "the turn has no sampled tokens";
    return { prompt: { kind: "ids", ids: tokens.promptIds }, continuation: { kind: "ids", ids: tokens.ids } };
  }
  const rendered = render?.(trajectory, turnIndex);
  if (rendered !== undefined) {
    if (rendered.continuation === "") return "the turn has no text";
    return {
      prompt: { kind: "text", text: rendered.prompt },
      continuation: { kind: "text", text: rendered.continuation },
    };
  }
  return tokens?.ids === undefined
    ? "the turn has no token ids (record with --token-ids), and no rendering of it is given"
    : "the turn has no token ids of its prompt, and no rendering of it is given";
}

/**
 * Returns a scorer of turns under a model. The recorded token ids are scored as they are; turns without ids are scored as
 * text only where `render` knows exactly what the producer's model saw. Nothing is re-tokenised or guessed: what is
 * missing is `not_available` with the reason.
 */
export function createTurnScorer(scorer: TextScorer, options: { readonly render?: RenderTurn } = {}): TurnScorer {
  const { render } = options;
  return {
    id: scorer.id,
    ...(scorer.checkpoint === undefined ? {} : { checkpoint: scorer.checkpoint }),
    async scoreTurns(episodes, settings) {
      const built = episodes.map((trajectory) =>
        trajectory.turns.map((_turn, turnIndex) => createRequest(trajectory, turnIndex, render)),
      );
      const requests = built.flat().filter((one) => typeof one !== "string");
      const scores = await scorer.score(requests, settings);
      if (scores.length !== requests.length) {
        throw new TypeError(
          `Cannot use scorer "${scorer.id}": it gave ${scores.length} scores for ${requests.length} requests`,
        );
      }
      let next = 0;
      return built.map((turns) =>
        turns.map((request): TurnScore => {
          if (typeof request === "string") return { kind: "not_available", reason: request };
          const score = scores[next];
          next += 1;
          if (score.kind === "not_available") return score;
          const { continuation } = request;
          if (continuation.kind === "ids" && score.logProbs.length !== continuation.ids.length) {
            return {
              kind: "not_available",
              reason: `the scorer gave ${score.logProbs.length} log-probs for ${continuation.ids.length} tokens: they cannot be aligned`,
            };
          }
          if (!score.logProbs.every((value) => value <= 0))
            return { kind: "not_available", reason: "the scorer gave log-probs above 0 or that are not numbers" };
          return {
            kind: "scored",
            logProbs: score.logProbs,
            alignment: continuation.kind,
            ...(score.texts === undefined ? {} : { texts: score.texts }),
          };
        }),
      );
    },
  };
}

/**
 * Returns the process signal log p(turn) under `to` minus under `from`, summed over the turn's tokens, in nats. A turn that
 * either cannot score has no value.
 */
export function createLogRatioSignal(from: TurnScorer, to: TurnScorer): ProcessSignal {
  return {
    id: "log_ratio",
    description: `log p of the turn under ${to.id} minus under ${from.id}, in nats`,
    needs: `log-probs of given text under both "${from.id}" and "${to.id}"`,
    async read(trajectory) {
      const [[before], [after]] = await Promise.all([from.scoreTurns([trajectory]), to.scoreTurns([trajectory])]);
      return trajectory.turns.map((_turn, i) => {
        const [a, b] = [before[i], after[i]];
        if (a.kind === "not_available" || b.kind === "not_available" || a.logProbs.length !== b.logProbs.length)
          return undefined;
        const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
        const ratio = total(b.logProbs) - total(a.logProbs);
        return Number.isNaN(ratio) ? undefined : ratio;
      });
    },
  };
}
