import { tagNumber } from "../../core/index.js";
import type { Action, Env, EnvSession, JsonObject, JsonValue, StepResult, Task, ToolSpec } from "../../core/index.js";
import { createSandbox, type Sandbox } from "../../sandbox/index.js";
import type { Command, CommandAnswer } from "../commands.js";
import { memoize } from "../memo.js";
import { applyOneCommand, findCommand } from "../one-command.js";
import { makeTaskSuite } from "../task-suite.js";
import { applyLineEdit, numberLines, type LineEdit } from "./line-edit.js";
import { passesAll, runCalls } from "./program-tests.js";
import type { RepairData, RepairState } from "./repair-data.js";
import { generateRepair, repairLevelCount } from "./repair-generator.js";
import { countTurnsToRepair, listAllowedActions, listGambles, listSureActions } from "./repair-oracle.js";

/** Longest text of one file, in UTF-16 units. */
const maxTextLength = 4000;

const instructions = [
  "Mend a small JavaScript program. Each file defines one function; some files are faulty.",
  "read(file) shows a file with line numbers. edit(file, first, last, text) replaces the lines first to last by the text; a file must be read before it is edited. undo() takes back the last edit. test() runs the tests and shows what each expects. submit() hands the program in: hidden tests of the same functions decide, and the episode ends.",
  "Make exactly one call in each turn.",
].join("\n");

function createTool(name: string, description: string, properties: JsonObject = {}): ToolSpec {
  return {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
  };
}
const file = { type: "string", description: "The file's name, such as fee.js." };
const tools: readonly ToolSpec[] = [
  createTool("read", "Show a file with line numbers.", { file }),
  createTool("edit", "Replace lines of a file that was read.", {
    file,
    first: { type: "integer", minimum: 1, description: "The first line to replace." },
    last: { type: "integer", minimum: 1, description: "The last line to replace." },
    text: { type: "string", description: "The new lines." },
  }),
  createTool("test", "Run the tests and show what each expects."),
  createTool("undo", "Take back the last edit."),
  createTool("submit", "Hand the program in. This ends the episode."),
];

function readData(task: Task): RepairData {
  return task.data as RepairData; // made by generateRepair, or given by a user in the same form
}
function readState(snapshot: JsonValue): RepairState {
  return snapshot as RepairState; // written by snapshot() below
}

/** What the calls of a file should give. */
interface Expected {
  readonly visible: readonly string[];
  readonly hidden: readonly string[];
}

/** Returns what the fixed program gives for each call, by file. */
function computeExpected(sandbox: Sandbox, { files }: RepairData): Promise<Expected[]> {
  return Promise.all(
    files.map(async ({ name, fixed, visible, hidden }) => {
      const values = await runCalls(sandbox, { name, text: fixed }, [...visible, ...hidden]);
      return { visible: values.slice(0, visible.length), hidden: values.slice(visible.length) };
    }),
  );
}

type Answer = CommandAnswer<RepairState>;
const refuse = (state: RepairState, text: string): Answer => ({ state, text, flags: { toolError: true } });

function replaceAt<T>(list: readonly T[], index: number, item: T): T[] {
  return list.map((current, i) => (i === index ? item : current));
}

/** One episode's rules: what each command does. Only these run code. */
class RepairGame {
  readonly #sandbox: Sandbox;
  readonly #data: RepairData;
  readonly #expected: readonly Expected[];
  constructor(sandbox: Sandbox, data: RepairData, expected: readonly Expected[]) {
    this.#sandbox = sandbox;
    this.#data = data;
    this.#expected = expected;
  }

  async carryOut(state: RepairState, { name, values }: Command): Promise<Answer> {
    const position = this.#data.files.findIndex((each) => each.name === values["file"]);
    if (values["file"] !== undefined && position < 0) {
      const names = this.#data.files.map((each) => each.name).join(", ");
      return refuse(state, `There is no file "${values["file"] as string}": the files are ${names}`); // the schema asks for text
    }
    switch (name) {
      case "read":
        return {
          state: { ...state, isRead: replaceAt(state.isRead, position, true) },
          text: this.#show(state, position),
        };
      case "edit":
        return this.#edit(state, position, values as unknown as LineEdit); // the schema asks for these fields
      case "undo":
        return this.#undo(state);
      case "test":
        return this.#test(state);
      default:
        return this.#submit(state);
    }
  }

  #show({ texts }: RepairState, position: number): string {
    return `${this.#data.files[position].name}\n${numberLines(texts[position])}`;
  }

  async #replaceText(state: RepairState, position: number, text: string): Promise<RepairState> {
    const { name, hidden } = this.#data.files[position];
    const isRight = await passesAll(this.#sandbox, { name, text }, hidden, this.#expected[position].hidden);
    return {
      ...state,
      texts: replaceAt(state.texts, position, text),
      isBroken: replaceAt(state.isBroken, position, !isRight),
    };
  }

  async #edit(state: RepairState, position: number, edit: LineEdit): Promise<Answer> {
    const { name } = this.#data.files[position];
    if (!state.isRead[position]) return refuse(state, `Read ${name} before editing it`);
    const before = state.texts[position];
    const after = applyLineEdit(before, edit);
    if (after === undefined) {
      const lineCount = before.split("\n").length;
      return refuse(state, `${name} has lines 1..${lineCount}: there are no lines ${edit.first}..${edit.last}`);
    }
    if (after.length > maxTextLength)
      return refuse(state, `A file may have ${maxTextLength} characters: this edit makes ${after.length}`);
    const next = await this.#replaceText(state, position, after);
    return {
      state: { ...next, edits: [...state.edits, { file: position, text: before }] },
      text: this.#show(next, position),
    };
  }

  async #undo(state: RepairState): Promise<Answer> {
    const last = state.edits.at(-1);
    if (last === undefined) return refuse(state, "There is no edit to undo");
    const next = await this.#replaceText({ ...state, edits: state.edits.slice(0, -1) }, last.file, last.text);
    return { state: next, text: this.#show(next, last.file) };
  }

  async #test(state: RepairState): Promise<Answer> {
    const reports = await Promise.all(
      this.#data.files.map(async ({ name, visible }, position) => {
        const found = await runCalls(this.#sandbox, { name, text: state.texts[position] }, visible);
        return visible.map((call, i) => {
          const expected = this.#expected[position].visible[i];
          return expected === found[i]
            ? `ok    ${call} -> ${expected}`
            : `FAIL  ${call} -> ${found[i]}, expected ${expected}`;
        });
      }),
    );
    const lines = reports.flat();
    const passed = lines.filter((line) => line.startsWith("ok")).length;
    return {
      state: { ...state, isTested: true },
      text: [...lines, `${passed} of ${lines.length} tests pass.`].join("\n"),
    };
  }

  #submit(state: RepairState): Answer {
    const ended = state.isBroken.some(Boolean) ? "wrong_final" : "solved";
    const text = ended === "solved" ? "All hidden tests pass." : "Some hidden tests fail.";
    return { state: { ...state, ended }, text, ended, reward: ended === "solved" ? 1 : 0 };
  }
}

function describeTask({ files, faultCount, rules }: RepairData): string {
  const names = files.map(({ name }) => name).join(", ");
  const count =
    files.length === 1 ? "It is faulty." : `${faultCount} of them ${faultCount === 1 ? "is" : "are"} faulty.`;
  const source =
    rules === "comments"
      ? "The comments say what each function must do."
      : "What exactly each function must do is shown only by the tests.";
  return `${files.length === 1 ? "File" : "Files"}: ${names}. ${count} ${source}`;
}

function createSession(game: RepairGame, data: RepairData, first: RepairState): EnvSession {
  let state = first;
  return {
    observation: { text: describeTask(data) },
    async step(action: Action): Promise<StepResult> {
      if (state.ended !== undefined)
        throw new RangeError(`Cannot step as the episode has ended: it ended "${state.ended}"`);
      const before = state;
      const command = findCommand(action, tools);
      const carriedOut = command === undefined ? undefined : await game.carryOut(before, command);
      const { state: after, ...answer } = applyOneCommand(
        action,
        tools,
        before,
        (current) => carriedOut ?? { state: current, text: "" },
      );
      state = after;
      return {
        ...answer,
        solvedAfter: after.ended === "solved",
        distanceBefore: tagNumber(countTurnsToRepair(data, before)),
        distanceAfter: tagNumber(countTurnsToRepair(data, after)),
      };
    },
    snapshot: () => state,
    close() {},
  };
}

function createFirstState({ files }: RepairData): RepairState {
  return {
    texts: files.map(({ source }) => source),
    isRead: files.map(() => false),
    isTested: false,
    isBroken: files.map(({ source, fixed }) => source !== fixed),
    edits: [],
  };
}

function render({ files }: RepairData, state: RepairState): string {
  const parts = files.map(({ name }, i) => {
    const marks = [state.isRead[i] ? "read" : "unread", state.isBroken[i] ? "broken" : "right"];
    return `${name} (${marks.join(", ")})\n${numberLines(state.texts[i])}`;
  });
  return [...parts, state.isTested ? "The tests were run." : "The tests were not run yet."].join("\n\n");
}

/**
 * Returns the repair env: small generated JavaScript programs with a fault, to be read, edited, tested and handed in.
 * Programs really run, in a sandbox with exact limits, so an edit may do anything; wrong edits can be mended or undone,
 * only the submission is final.
 *
 * Levels: 1 one file whose comment tells the rule; 2 one file whose rule only the tests tell; 3 three such files of
 * which one is faulty; 4 three of which two are. One call is carried out in each turn. The distance is the number of
 * faulty files still to be read and to be edited, the tests where they must be seen, and the submission; what counts
 * as faulty after an edit is found by running the hidden tests.
 *
 * `options.sandbox` runs the programs (default: one of its own, whose idle threads keep no process alive).
 */
export function createRepairEnv(options: { readonly sandbox?: Sandbox } = {}): Env {
  let ownSandbox: Sandbox | undefined;
  const getSandbox = (): Sandbox => options.sandbox ?? (ownSandbox ??= createSandbox());
  const getExpected = memoize<Task, Promise<Expected[]>>(
    (task) => task.hash,
    (task) => computeExpected(getSandbox(), readData(task)),
  );
  async function open(task: Task, state: RepairState): Promise<EnvSession> {
    const data = readData(task);
    // What failed once (a thread that could not be started) is tried again instead of being remembered.
    const expected = await getExpected(task).catch(() => computeExpected(getSandbox(), data));
    return createSession(new RepairGame(getSandbox(), data, expected), data, state);
  }
  return {
    id: "repair",
    version: "1",
    instructions,
    tools,
    text: {
      instructions:
        "Write one action: <action>read fee.js</action>, <action>test</action>, <action>edit fee.js 3 3   return amount;</action> (file, first line, last line, new text), <action>undo</action> or <action>submit</action>.",
      examples: [
        "<action>read fee.js</action>",
        "<action>test</action>",
        "<action>edit fee.js 3 3 return amount;</action>",
        "<action>submit</action>",
      ],
    },
    isSuccessAbsorbing: true,
    isDeterministic: true,
    makeTasks: (request) =>
      makeTaskSuite("repair", request, repairLevelCount, generateRepair).map((task) => {
        const family = readData(task).files.find(({ source, fixed }) => source !== fixed)?.template;
        return family === undefined ? task : { ...task, family };
      }),
    start: (task) => open(task, createFirstState(readData(task))),
    resume: (task, _, snapshot) => open(task, readState(snapshot)),
    render: (task, snapshot) => render(readData(task), readState(snapshot)),
    closing: {
      prompt: "No turns are left. The program will be handed in as it stands; reply with anything.",
      submit: () => ({ text: "", toolCalls: [{ name: "submit", arguments: {} }] }),
    },
    oracle: {
      bestActions(task, snapshot, turnsLeft = Infinity) {
        const data = readData(task);
        const state = readState(snapshot);
        const gambles = turnsLeft < countTurnsToRepair(data, state) ? listGambles(data, state, turnsLeft) : [];
        return gambles.length > 0 ? gambles : listSureActions(data, state);
      },
      allowedActions: (task, snapshot) => listAllowedActions(readData(task), readState(snapshot)),
    },
  };
}
