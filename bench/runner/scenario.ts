import { readFileSync } from "node:fs";

/** The job that every contender does. */
export interface Scenario {
  readonly episodes: number;
  readonly turns: number;
  readonly model: string;
  readonly instructions: string;
  /** What the model says in every room. */
  readonly answer: string;
  /** Returns what is shown in a room, counted from 0. */
  observation(room: number): string;
}

/** Returns the job. */
export function readScenario(): Scenario {
  const text = readFileSync(new URL("scenario.json", import.meta.url), "utf8");
  const scenario = JSON.parse(text) as Omit<Scenario, "observation"> & { readonly observation: string };
  const { observation, turns } = scenario;
  return {
    ...scenario,
    observation: (room) => observation.replaceAll("{room}", String(room)).replaceAll("{turns}", String(turns)),
  };
}
