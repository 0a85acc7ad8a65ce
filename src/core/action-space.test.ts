import { expect, test } from "vitest";
import { checkActionSpaces, createActionTally, tallyActions, type ActionTally } from "./action-space.js";
import type { Turn, TurnFlags } from "./trajectory.js";

function call(name: string, flags?: TurnFlags): Turn {
  return {
    observation: { text: "" },
    action: { text: "", toolCalls: [{ name, arguments: {} }] },
    ...(flags === undefined ? {} : { flags }),
  };
}

function tally(turns: readonly Turn[], isImported = false): ActionTally {
  const provenance = { format: "verifiers", source: "x.jsonl", notes: [] };
  const found = createActionTally();
  tallyActions(found, { turns, ...(isImported ? { provenance } : {}) });
  return found;
}

const repeat = (count: number, turn: Turn): Turn[] => Array.from({ length: count }, () => turn);
const check = (x: ActionTally, y: ActionTally) => () =>
  checkActionSpaces("compare", [
    { label: "x", actions: x },
    { label: "y", actions: y },
  ]);

test("checkActionSpaces() refuses a policy whose actions are nearly all rejected, and names the tools", () => {
  const lost = tally([...repeat(39, call("fly", { unknownTool: true })), call("move")]);
  const says =
    'Cannot compare: 39 of 40 turns with calls of "y" could not be carried out, as it calls "fly", "move" in an env';
  expect(check(tally(repeat(5, call("move"))), lost)).toThrow(says);
});

test.each([
  {
    name: "a policy that errs often",
    turns: [...repeat(18, call("fly", { invalid: true })), ...repeat(4, call("go"))],
  },
  { name: "too few turns to say", turns: repeat(19, call("fly", { unknownTool: true })) },
  { name: "wrong arguments of a tool that another uses", turns: repeat(40, call("go", { invalid: true })) },
  {
    name: "unreadable text and quits",
    turns: [
      ...repeat(40, { observation: { text: "" }, action: { text: "hm" }, flags: { invalid: true } }),
      ...repeat(40, { observation: { text: "" }, action: { text: "", quit: true }, flags: { invalid: true } }),
    ],
  },
])("checkActionSpaces() accepts $name", ({ turns }) => {
  expect(check(tally(repeat(40, call("go"))), tally(turns))).not.toThrow();
});

test("checkActionSpaces() refuses rejected calls of tools that nobody uses, even where the env does not call them unknown", () => {
  const lost = tally(repeat(30, call("fly", { invalid: true })));
  expect(check(tally(repeat(30, call("move"))), lost)).toThrow('"x" calls "move"');
});

test("checkActionSpaces() refuses imports that call no tool in common, and accepts tools unused by one of two played policies", () => {
  const [search, submit] = [tally([call("search")]), tally([call("submit")])];
  expect(check(search, submit)).not.toThrow();
  expect(check(search, tally([call("submit")], true))).toThrow('"x" calls "search" and "y" calls "submit"');
  expect(check(search, tally([call("submit"), call("search")], true))).not.toThrow();
  expect(check(search, tally([{ observation: { text: "" }, action: { text: "42" } }], true))).not.toThrow();
});
