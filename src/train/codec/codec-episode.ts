import type { Action, Observation } from "../../core/index.js";

/** One episode a codec learns its words from; a trajectory is one. */
export interface CodecEpisode {
  readonly turns: readonly { readonly observation: Observation; readonly action: Action }[];
  readonly finalObservation?: Observation;
}

/** How a text parameter is written: copied in one piece from what was shown, or put together from words. */
export type TextParameterStyle = "span" | "words";
