import { expect, test } from "vitest";
import { createRandom, type ComparisonResult, type StopReason, type Trajectory, type Turn } from "../core/index.js";
import { createEpisodePicker, type EpisodePickerOptions } from "./episode-picker.js";
import type { EpisodeSelection } from "./report.js";

function makeTurn(change: Partial<Turn> = {}): Turn {
  return { observation: { text: "o" }, action: { text: "a" }, ...change };
}

function makeEpisode(task: string, sampleIndex: number, change: Partial<Trajectory> = {}): Trajectory {
  return {
    schema: "turnwise.trajectory/1",
    episodeId: `${task}/${sampleIndex}`,
    task: { id: task, hash: task },
    sampleIndex,
    policy: { id: "p" },
    env: { id: "e", version: "1" },
    budget: { maxTurns: 4 },
    disclosure: "hidden",
    terminalRule: "act",
    turns: [makeTurn()],
    stopReason: { type: "quit" },
    success: false,
    ...change,
  };
}

const solved: Partial<Trajectory> = { stopReason: { type: "env_end", kind: "solved" }, success: true };

// Only the fields that the picker reads.
const comparison = {
  a: "A",
  b: "B",
  taskDifferences: [
    { taskId: "t1", a: 0.5, b: 0.5, samplesA: 2, samplesB: 2 },
    { taskId: "t2", a: 0, b: 0.5, samplesA: 2, samplesB: 2 },
    { taskId: "t3", a: 1, b: 0, samplesA: 2, samplesB: 2 },
  ],
} as unknown as ComparisonResult;

function offer(
  episodes: readonly (readonly [string, Trajectory])[],
  options: EpisodePickerOptions = {},
): EpisodeSelection {
  const picker = createEpisodePicker(options);
  for (const [label, episode] of episodes) picker.add(label, episode);
  return picker.finish();
}

const study = ["t1", "t2", "t3"].flatMap((task) =>
  [0, 1].flatMap((sample): (readonly [string, Trajectory])[] => [
    ["A", makeEpisode(task, sample, task === "t3" || (task === "t1" && sample === 1) ? solved : {})],
    ["B", makeEpisode(task, sample, task !== "t3" && sample === 1 ? solved : {})],
  ]),
);

test("createEpisodePicker() begins with a success of the better and a failure of the other, largest difference first", () => {
  const { episodes } = offer(study, { comparisons: [comparison] });
  const first = episodes.slice(0, 4).map(({ label, taskId, success, reason }) => [label, taskId, success, reason]);
  expect(first).toEqual([
    ["A", "t3", true, "discordant_task"],
    ["B", "t3", false, "discordant_task"],
    ["B", "t2", true, "discordant_task"],
    ["A", "t2", false, "discordant_task"],
  ]);
});

test("createEpisodePicker() shows every stop reason and outcome of each policy before a second of any", () => {
  const stops: StopReason[] = [{ type: "quit" }, { type: "max_turns" }, { type: "env_end", kind: "wrong_final" }];
  const episodes = stops.flatMap((stopReason) =>
    [0, 1].map(
      (sample) => ["A", makeEpisode("t", sample, { stopReason, episodeId: `${stopReason.type}${sample}` })] as const,
    ),
  );
  expect(
    offer(episodes)
      .episodes.map(({ stop }) => stop)
      .slice(0, 3)
      .sort(),
  ).toEqual(["max_turns", "quit", "wrong_final"]);
});

test("createEpisodePicker() does not depend on the order of offers", () => {
  const straight = offer(study, { comparisons: [comparison] });
  for (let seed = 0; seed < 10; seed += 1) {
    expect(offer(createRandom(seed).shuffle(study), { comparisons: [comparison] })).toEqual(straight);
  }
});

test("createEpisodePicker() shows no episode twice and keeps within its bytes", () => {
  const many = Array.from(
    { length: 200 },
    (_unused, index) =>
      ["A", makeEpisode(`t${index}`, 0, { turns: [makeTurn({ action: { text: "x".repeat(900) } })] })] as const,
  );
  const { episodes, availableCount } = offer(many, { maxBytes: 6000 });
  expect(availableCount).toBe(200);
  expect(new Set(episodes.map(({ episodeId }) => episodeId)).size).toBe(episodes.length);
  expect(JSON.stringify(episodes).length).toBeLessThanOrEqual(6100);
  expect(episodes.length).toBeGreaterThan(2);
});

test("createEpisodePicker() cuts long texts without splitting a character and says how much is left out", () => {
  const text = `${"a".repeat(9)}\u{1f600}${"b".repeat(50)}`;
  const [episode] = offer([["A", makeEpisode("t", 0, { turns: [makeTurn({ action: { text } })] })]], {
    maxTextLength: 10,
  }).episodes;
  expect(episode.turns[0].text).toEqual({ text: "a".repeat(9), omittedCharacters: 52 });
});

test("createEpisodePicker() keeps the first and the last turns of a long episode", () => {
  const turns = Array.from({ length: 100 }, () => makeTurn());
  const [episode] = offer([["A", makeEpisode("t", 0, { turns })]], { maxTurns: 6 }).episodes;
  expect(episode.turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 99, 100]);
  expect(episode).toMatchObject({ omittedTurns: 94, turnCount: 100 });
});

test.each<{ name: string; turn: Partial<Turn>; state: string }>([
  { name: "a turn after which it is solved", turn: { solvedAfter: true, flags: { toolError: true } }, state: "solved" },
  { name: "a failed tool", turn: { flags: { toolError: true } }, state: "error" },
  { name: "a tool that does not exist", turn: { flags: { unknownTool: true } }, state: "error" },
  { name: "an action that could not be read", turn: { action: { text: "", invalid: "no action" } }, state: "error" },
  { name: "a step that brings the goal closer", turn: { distanceBefore: 3, distanceAfter: 2 }, state: "clean" },
  { name: "a step that does not", turn: { distanceBefore: 3, distanceAfter: 3 }, state: "error" },
  { name: "a trap", turn: { distanceBefore: 3, distanceAfter: { $number: "Infinity" } }, state: "error" },
  {
    name: "a step after the trap",
    turn: { distanceBefore: { $number: "Infinity" }, distanceAfter: { $number: "Infinity" } },
    state: "clean",
  },
  { name: "bad luck without regret", turn: { distanceBefore: 3, distanceAfter: 5, regret: 0 }, state: "clean" },
  { name: "a choice with regret", turn: { distanceBefore: 3, distanceAfter: 2, regret: 0.2 }, state: "error" },
  { name: "a turn of which nothing is known", turn: {}, state: "clean" },
])("createEpisodePicker() calls $name $state", ({ turn, state }) => {
  const [episode] = offer([["A", makeEpisode("t", 0, { turns: [makeTurn(turn)] })]]).episodes;
  expect(episode.turns[0].state).toBe(state);
});

test("createEpisodePicker() tells an error's boundary, class and message", () => {
  const stopReason: StopReason = { type: "error", boundary: "policy", errorClass: "timeout", message: "no answer" };
  const [episode] = offer([["A", makeEpisode("t", 0, { stopReason, success: undefined, turns: [] })]]).episodes;
  expect(episode).toMatchObject({
    stop: "error",
    stopDetail: "policy/timeout: no answer",
    turns: [],
    success: undefined,
  });
});

test("createEpisodePicker() leaves out episodes of which no word is recorded, and counts them", () => {
  const silent = makeTurn({ observation: { text: "" }, action: { text: "" } });
  const { episodes, availableCount } = offer([
    ["A", makeEpisode("t", 0, { turns: [silent, silent] })],
    ["A", makeEpisode("t", 1, { turns: [silent, makeTurn()] })],
  ]);
  expect(episodes.map(({ sampleIndex }) => sampleIndex)).toEqual([1]);
  expect(availableCount).toBe(2);
});

test("createEpisodePicker() does not show the text of tool results twice", () => {
  const answer = { text: "one\ntwo", toolResults: [{ text: "one" }, { text: "two" }] };
  const [episode] = offer([["A", makeEpisode("t", 0, { finalObservation: answer })]]).episodes;
  expect(episode.turns[0].answer).toEqual({
    text: { text: "" },
    toolResults: [{ text: { text: "one" } }, { text: { text: "two" } }],
  });
});
