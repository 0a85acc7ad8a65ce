import { expect, test } from "vitest";
import { trajectorySchema, type StopReason, type Trajectory, type Turn } from "../../core/index.js";
import { advanceMemory, firstMemory } from "../../policies/index.js";
import { translateMessages } from "../../records/index.js";
import { isInvalidTurn } from "../signals/process-signals.js";
import { advanceMode, firstModeState, getLabelSource, readChainEpisode } from "./mode-labels.js";

function turn(parts: Partial<Turn> = {}): Turn {
  return { observation: { text: "" }, action: { text: "go" }, ...parts };
}

function episode(turns: readonly Turn[], stopReason: StopReason, success?: boolean): Trajectory {
  return {
    schema: trajectorySchema,
    episodeId: "e",
    task: { id: "t", hash: "h" },
    sampleIndex: 0,
    policy: { id: "p" },
    env: { id: "e", version: "1" },
    budget: { maxTurns: 8 },
    disclosure: "hidden",
    terminalRule: "act",
    turns,
    stopReason,
    ...(success === undefined ? {} : { success }),
  };
}

const step = (distanceBefore: number, distanceAfter: number, more: Partial<Turn> = {}): Turn =>
  turn({ distanceBefore, distanceAfter, ...more });
const wrongEnd: StopReason = { type: "env_end", kind: "wrong_final" };

// Names of events: mode c or e, then quit, solved, clean, error, wrong.
const letters = ["cq", "cS", "cc", "ce", "cW", "eq", "eS", "ec", "ee", "eW"];
function read(trajectory: Trajectory, rule: Trajectory["terminalRule"] = "act"): string | undefined {
  const found = readChainEpisode(trajectory, rule);
  return found === undefined ? undefined : [...found.events].map((event) => letters[event]).join(" ");
}

test.each([
  {
    name: "is clean while the distance falls",
    turns: [step(3, 2), step(2, 1), step(1, 0)],
    stop: { type: "env_end", kind: "solved" },
    success: true,
    events: "cc cc cS",
  },
  {
    name: "is in error after a wasted turn and clean again only at the best distance",
    turns: [step(3, 2), step(2, 2), step(2, 3), step(3, 2), step(2, 1)],
    stop: { type: "max_turns" },
    success: false,
    events: "cc ce ee ec cc",
  },
  {
    name: "ends wrongly from the mode it is in",
    turns: [step(3, 3), step(3, Infinity)],
    stop: wrongEnd,
    success: false,
    events: "ce eW",
  },
  {
    name: "quits by its action",
    turns: [step(3, 2), turn({ action: { text: "stop", quit: true } })],
    stop: { type: "quit" },
    success: false,
    events: "cc cq",
  },
  {
    name: "quits in the turn after the last where an import has no turn for it",
    turns: [step(3, 2)],
    stop: { type: "quit" },
    success: false,
    events: "cc cq",
  },
  {
    name: "leaves in its last turn where another limit ended it",
    turns: [step(3, 2), step(2, 2)],
    stop: { type: "max_tokens" },
    success: false,
    events: "cc cW",
  },
  {
    name: "is solved in the first turn from which it stays solved",
    turns: [step(2, 1), step(1, 0, { solvedAfter: true }), step(0, 0, { solvedAfter: true })],
    stop: { type: "max_turns" },
    success: true,
    events: "cc cS",
  },
  { name: "fails without a turn", turns: [], stop: { type: "context_overflow" }, success: false, events: "cW" },
  {
    name: "is left out when it ended in an error",
    turns: [step(2, 1)],
    stop: { type: "error", boundary: "env", errorClass: "exception", message: "" },
    success: undefined,
    events: undefined,
  },
] as const)("readChainEpisode() $name", ({ turns, stop, success, events }) => {
  const withTags = turns.map((one) =>
    one.distanceAfter === Infinity ? { ...one, distanceAfter: { $number: "Infinity" as const } } : one,
  );
  expect(read(episode(withTags, stop, success))).toBe(events);
});

test("readChainEpisode() counts truncation and success that was lost apart", () => {
  expect(readChainEpisode(episode([step(2, 1)], { type: "max_tokens" }, false), "act")).toMatchObject({
    isTruncated: true,
  });
  const lost = episode(
    [step(1, 0, { solvedAfter: true }), step(0, 1, { solvedAfter: false })],
    { type: "max_turns" },
    false,
  );
  expect(readChainEpisode(lost, "act")).toMatchObject({ hasLostSuccess: true, isTruncated: false });
});

test("readChainEpisode() takes success at the last turn where grades of cut states are not used", () => {
  const trajectory = episode(
    [step(1, 0, { solvedAfter: true }), step(0, 0, { solvedAfter: true })],
    { type: "env_end", kind: "solved" },
    true,
  );
  expect(read(trajectory, "act")).toBe("cS");
  expect(read(trajectory, "hard")).toBe("cc cS");
});

test("advanceMode() falls back on what the env signals, and a judge overrides both", () => {
  expect(advanceMode(firstModeState, turn({ flags: { toolError: true } })).mode).toBe("error");
  expect(advanceMode(firstModeState, turn({ regret: 0.2 })).mode).toBe("error");
  expect(advanceMode(firstModeState, turn()).mode).toBe("clean");
  expect(advanceMode(firstModeState, step(3, 3), () => "clean").mode).toBe("clean");
  expect(getLabelSource(turn())).toBe("signals");
  expect(getLabelSource(step(3, 2))).toBe("distance");
  expect(getLabelSource(step(3, 2), () => "error")).toBe("judge");
});

test("advanceMode() is the rule that scripted policies go by", () => {
  const distances = [5, 4, 4, 5, 3, Infinity, 2, 1];
  let [state, memory] = [firstModeState, firstMemory];
  for (let i = 0; i + 1 < distances.length; i += 1) {
    const [before, after] = [distances[i], distances[i + 1]].map((value) =>
      Number.isFinite(value) ? value : { $number: "Infinity" as const },
    );
    const next = turn({ distanceBefore: before, distanceAfter: after });
    state = advanceMode(state, next);
    memory = advanceMemory(memory, next);
    expect(state.mode).toBe(memory.mode);
  }
});

test("an imported call of a tool that does not exist is an error of the turn, in chains and in signals alike", () => {
  const call = (name: string) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ id: name, function: { name, arguments: "{}" } }],
  });
  const { turns } = translateMessages([call("search"), call("fly"), call("search")], {
    toolNames: new Set(["search"]),
  });
  expect(turns.map(({ flags }) => flags)).toEqual([undefined, { unknownTool: true }, undefined]);
  expect(turns.map(isInvalidTurn)).toEqual([false, true, false]);
  expect(read(episode(turns, { type: "env_end", kind: "wrong_final" }, false))).toBe("cc ce eW");
});
