import type { Action, ContextMode, JsonValue, Observation, Turn } from "../core/index.js";

/** The beginning of an episode that was played before, by this policy or another. */
export interface EpisodePrefix {
  /** Names the prefix in records. */
  readonly id: string;
  /** Which continuation of it this is; for records. */
  readonly arm?: string;
  readonly turns: readonly Turn[];
  /** What the env showed after them. */
  readonly observation: Observation;
  /**
   * The state after them, as a session's `snapshot` returned it. Without one, or in an env without `resume`, the turns
   * are played again from the env seed.
   */
  readonly snapshot?: JsonValue;
  /** What the policy is shown of the turns; default `full`. */
  readonly context?: ContextMode;
}

/** What a policy is shown of a prefix. */
export interface ShownPrefix {
  readonly turns: readonly Turn[];
  readonly observation: Observation;
}

/** Most characters of one answer in a summary. */
const maxSummaryText = 240;

function cutText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxSummaryText ? line : `${line.slice(0, maxSummaryText - 1)}…`;
}

/** Returns an action in one line: its calls, else its text. */
export function renderAction({ text, toolCalls = [], invalid }: Action): string {
  if (invalid !== undefined) return "(no action could be read)";
  if (toolCalls.length === 0) return cutText(text);
  return toolCalls
    .map(({ name, arguments: values, rawArguments }) => `${name}(${rawArguments ?? JSON.stringify(values ?? {})})`)
    .join(", ");
}

/** Returns the turns as a numbered list of actions and answers, one line each; long answers are cut. */
export function summarizeTurns(turns: readonly Turn[], last: Observation): string {
  return turns
    .map(({ action }, index) => {
      const answer = turns[index + 1]?.observation ?? last;
      const results = (answer.toolResults ?? []).map((result) => result.text);
      return `${index + 1}. ${renderAction(action)} -> ${cutText([answer.text, ...results].join(" "))}`;
    })
    .join("\n");
}

/** Returns the turn without what told its policy a budget, which is not the budget of this episode. */
function dropNotice({ notice: _notice, ...turn }: Turn): Turn {
  return turn;
}

/**
 * Returns what a policy is shown of a prefix. `full`: every turn, without the budget texts of the time. `summary`: the
 * first observation, a list of what was done and answered, and the last observation, all in one observation.
 * `state_only`: `atState`, what the env shows when it is taken up in this state, and nothing of how it came about; an
 * env that cannot be taken up shows its first and its last observation.
 */
export function showPrefix(prefix: EpisodePrefix, atState: Observation): ShownPrefix {
  const { turns, observation, context = "full" } = prefix;
  switch (context) {
    case "full":
      return { turns: turns.map(dropNotice), observation };
    case "summary": {
      if (turns.length === 0) return { turns: [], observation };
      const text = [turns[0].observation.text, `So far in this episode:\n${summarizeTurns(turns, observation)}`];
      return { turns: [], observation: { ...observation, text: [...text, `Now:\n${observation.text}`].join("\n\n") } };
    }
    case "state_only":
      return { turns: [], observation: turns.length === 0 ? observation : atState };
    default:
      return context satisfies never;
  }
}
