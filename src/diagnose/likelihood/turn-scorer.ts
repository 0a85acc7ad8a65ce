import {
  errorMessage,
  inputError,
  TurnwiseError,
  untagNumber,
  type TextScore,
  type TextScoreRequest,
  type TextScorer,
  type Trajectory,
} from "../../core/index.js";
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
export type RenderTurn = (trajectory: Trajectory, turnIndex: number) => RenderedTurn | Promise<RenderedTurn>;

/** The text a model saw and wrote in one turn; `undefined` where it is not known. */
export type RenderedTurn = { readonly prompt: string; readonly continuation: string } | undefined;

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

async function createRequest(
  trajectory: Trajectory,
  turnIndex: number,
  render: RenderTurn | undefined,
): Promise<TextScoreRequest | string> {
  const { tokens } = trajectory.turns[turnIndex];
  if (tokens?.ids !== undefined && tokens.promptIds !== undefined) {
    if (tokens.ids.length === 0) return "the turn has no sampled tokens";
    return { prompt: { kind: "ids", ids: tokens.promptIds }, continuation: { kind: "ids", ids: tokens.ids } };
  }
  const rendered = await render?.(trajectory, turnIndex);
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

/** Names the turns of a batch, for messages about all of them. */
function nameBatch(episodes: readonly Trajectory[]): string {
  const [first, last] = [episodes[0], episodes[episodes.length - 1]];
  if (first === undefined || last === undefined) return "no episode";
  return first === last
    ? `episode "${first.episodeId}"`
    : `${episodes.length} episodes, "${first.episodeId}" to "${last.episodeId}"`;
}

/** Returns what a scorer answered about one turn, or why it cannot be used as a fault of the scorer. */
function checkScore(score: unknown): TextScore | string {
  if (typeof score !== "object" || score === null) return `its score is ${String(score)}, not an object`;
  const { kind, reason, logProbs, texts } = score as Readonly<Record<string, unknown>>; // an object: its fields are looked at one by one
  if (kind === "not_available")
    return typeof reason === "string" ? { kind, reason } : { kind, reason: "the scorer gave no reason" };
  if (kind !== "scored") return `the kind of its score is ${JSON.stringify(kind)}, not "scored" or "not_available"`;
  if (!Array.isArray(logProbs) || !logProbs.every((value) => typeof value === "number"))
    return "the log-probs of its score are no list of numbers";
  if (texts !== undefined && (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")))
    return "the texts of its score are no list of strings";
  return score as TextScore; // just checked
}

/** Returns what is said of one turn's score. */
function readScore(score: TextScore, { continuation }: TextScoreRequest): TurnScore {
  if (score.kind === "not_available") return score;
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
}

/**
 * Returns a scorer of turns under a model. The recorded token ids are scored as they are; turns without ids are scored as
 * text only where `render` knows exactly what the producer's model saw. Nothing is re-tokenised or guessed: what is
 * missing is `not_available` with the reason. `source` is the user's file that the scorer comes from, for messages.
 *
 * `scoreTurns` throws a {@linkcode TurnwiseError} (input) for a scorer whose answers cannot be used, or, with a source,
 * that throws; what other scorers throw passes through.
 */
export function createTurnScorer(
  scorer: TextScorer,
  options: { readonly render?: RenderTurn; readonly source?: string } = {},
): TurnScorer {
  const { render, source } = options;
  const attempt = `Cannot use scorer "${scorer.id}"${source === undefined ? "" : ` of "${source}"`}`;
  const remedy = "score(requests) returns one { kind, logProbs } for each request, in order";
  async function scoreAll(
    requests: readonly TextScoreRequest[],
    episodes: readonly Trajectory[],
    settings: { readonly signal?: AbortSignal } | undefined,
  ): Promise<readonly unknown[]> {
    let scores: unknown;
    try {
      scores = await scorer.score(requests, settings);
    } catch (error) {
      const isOwn = source === undefined || error instanceof TurnwiseError || settings?.signal?.aborted === true;
      if (isOwn) throw error;
      throw inputError(
        `${attempt}: it failed on turns of ${nameBatch(episodes)}: ${errorMessage(error)}`,
        remedy,
        error,
      );
    }
    if (!Array.isArray(scores) || scores.length !== requests.length) {
      const found = Array.isArray(scores) ? `${scores.length} scores` : "no list of scores";
      throw inputError(`${attempt}: it gave ${found} for ${requests.length} turns of ${nameBatch(episodes)}`, remedy);
    }
    return scores as readonly unknown[]; // Array.isArray loses the element type
  }
  return {
    id: scorer.id,
    ...(scorer.checkpoint === undefined ? {} : { checkpoint: scorer.checkpoint }),
    async scoreTurns(episodes, settings) {
      const built: (readonly (TextScoreRequest | string)[])[] = [];
      for (const trajectory of episodes)
        built.push(await Promise.all(trajectory.turns.map((_turn, i) => createRequest(trajectory, i, render))));
      const requests = built.flat().filter((one) => typeof one !== "string");
      const scores = requests.length === 0 ? [] : await scoreAll(requests, episodes, settings);
      let next = 0;
      return built.map((turns, episode) =>
        turns.map((request, turn): TurnScore => {
          if (typeof request === "string") return { kind: "not_available", reason: request };
          const score = checkScore(scores[next]);
          next += 1;
          if (typeof score !== "string") return readScore(score, request);
          const place = `turn ${turn + 1} of ${turns.length} in episode "${episodes[episode].episodeId}"`;
          throw inputError(`${attempt}: for ${place}, ${score}`, remedy);
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
