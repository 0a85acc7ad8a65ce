import { findTextAction, defaultTextGrammar, pureEnv, readPureState, tagNumber } from "../../core/index.js";
import type { Action, Env, Oracle, StepResult, Task, ToolSpec } from "../../core/index.js";
import { createCallAction, type Command, type CommandAnswer } from "../commands.js";
import { memoize } from "../memo.js";
import { applyOneCommand, findCommand } from "../one-command.js";
import { makeTaskSuite } from "../task-suite.js";
import { countTurnsToAnswer, getAnswerChance, getCandidateChance, readChains } from "./lookup-chances.js";
import { normalizeAnswer, type LookupData, type LookupState } from "./lookup-data.js";
import { generateLookup, lookupLevelCount } from "./lookup-generator.js";
import { createParagraphSearch, type ParagraphSearch } from "./paragraph-search.js";

/** Titles listed after the paragraph that a search shows. */
const listedCount = 2;

const instructions = [
  "Answer the question from a small library of paragraphs. The names in it are made up, so nothing is known beforehand.",
  "search(query) shows the paragraph that matches best and the titles of the next two; read(title) shows a paragraph by its exact title; answer(text) hands in the answer, as short as possible: a name or a number. Only the first answer counts, and it ends the episode.",
  "Make exactly one call in each turn.",
].join("\n");

function createTool(name: string, description: string, parameter: string, meaning: string): ToolSpec {
  const properties = { [parameter]: { type: "string", description: meaning } };
  return {
    name,
    description,
    parameters: { type: "object", properties, required: [parameter], additionalProperties: false },
  };
}
const tools: readonly ToolSpec[] = [
  createTool(
    "search",
    "Show the paragraph that matches the query best, and the titles of the next two.",
    "query",
    "Words to look for.",
  ),
  createTool("read", "Show the paragraph with this title.", "title", "The exact title."),
  createTool("answer", "Hand in the answer. This ends the episode.", "text", "The answer: a name or a number."),
];

function readData(task: Task): LookupData {
  return task.data as LookupData; // made by generateLookup, or given by a user in the same form
}

const getSearch = memoize<Task, ParagraphSearch>(
  (task) => task.hash,
  (task) => createParagraphSearch(readData(task).paragraphs),
);

/** Returns the paragraphs a query or title brings: the first is shown, of the rest only the titles. */
function findParagraphs(task: Task, { name, values }: Command): number[] {
  const text = (values["query"] ?? values["title"]) as string; // the schemas ask for one of them
  if (name === "search") return getSearch(task).find(text, 1 + listedCount);
  const wanted = normalizeAnswer(text);
  const position = readData(task).paragraphs.findIndex(({ title }) => normalizeAnswer(title) === wanted);
  return position < 0 ? [] : [position];
}

function show(task: Task, state: LookupState, command: Command): CommandAnswer<LookupState> {
  const { paragraphs } = readData(task);
  const [first, ...others] = findParagraphs(task, command);
  if (first === undefined) {
    const text =
      command.name === "search"
        ? "No paragraph shares a word with the query."
        : "There is no paragraph with this title.";
    return { state, text, flags: { toolError: true } };
  }
  const titles = others.map((position) => paragraphs[position].title).join("; ");
  const { title, text } = paragraphs[first];
  const shown = state.shown.includes(first) ? state.shown : [...state.shown, first];
  const listed = [...state.listed, ...others.filter((position) => !state.listed.includes(position))];
  return { state: { shown, listed }, text: `${title}: ${text}${titles === "" ? "" : `\nOther paragraphs: ${titles}`}` };
}

function isRight({ answers }: LookupData, answer: string): boolean {
  const given = normalizeAnswer(answer);
  return answers.some((accepted) => normalizeAnswer(accepted) === given);
}

function carryOut(task: Task, state: LookupState, command: Command): CommandAnswer<LookupState> {
  if (command.name !== "answer") return show(task, state, command);
  const answer = command.values["text"] as string; // the schema asks for it
  const isSolved = isRight(readData(task), answer);
  return {
    state: { ...state, answer },
    text: isSolved ? "The answer is right." : "The answer is wrong.",
    reward: isSolved ? 1 : 0,
    ended: isSolved ? "solved" : "wrong_final",
  };
}

/** Returns the turns to a certain right answer: 0 after a right one, infinite after a wrong one. */
function getDistance(data: LookupData, state: LookupState): number {
  if (state.answer === undefined) return countTurnsToAnswer(data, state);
  return isRight(data, state.answer) ? 0 : Infinity;
}

function step(task: Task, before: LookupState, action: Action): StepResult & { readonly state: LookupState } {
  const data = readData(task);
  const answer = applyOneCommand(action, tools, before, (state, command) => carryOut(task, state, command));
  return {
    ...answer,
    solvedAfter: answer.ended === "solved",
    distanceBefore: tagNumber(getDistance(data, before)),
    distanceAfter: tagNumber(getDistance(data, answer.state)),
  };
}

/** Returns the chance of success when this action is taken with `turnsLeft` turns left, itself included. */
function getActionChance(task: Task, state: LookupState, action: Action, turnsLeft: number): number {
  const data = readData(task);
  const unread = readChains(data, state).map((chain) => chain.unread);
  const command = findCommand(action, tools);
  if (turnsLeft < 1) return 0;
  if (command === undefined) return getAnswerChance(data, state, unread, turnsLeft - 1);
  if (command.name === "answer") return getGivenAnswerChance(data, state, command.values["text"] as string); // as in carryOut()
  const [position] = findParagraphs(task, command);
  const after = data.chains.map(
    (chain, i) => unread[i] - (chain.includes(position) && !state.shown.includes(position) ? 1 : 0),
  );
  return getAnswerChance(data, state, after, turnsLeft - 1);
}

function getGivenAnswerChance(data: LookupData, state: LookupState, answer: string): number {
  if (countTurnsToAnswer(data, state) === 1) return isRight(data, answer) ? 1 : 0;
  const { comparison } = data;
  const given = normalizeAnswer(answer);
  const position = comparison?.candidates.findIndex((candidate) => normalizeAnswer(candidate) === given) ?? -1;
  return comparison === undefined || position < 0 ? 0 : getCandidateChance(data, comparison, state, position);
}

/** Returns the names the agent may know: in the question, in the titles shown, and as the next of a chain. */
function listKnownParagraphs(data: LookupData, state: LookupState): number[] {
  const next = readChains(data, state).flatMap((chain) => (chain.next === undefined ? [] : [chain.next]));
  return [...new Set([...next, ...data.chains.map(([first]) => first), ...state.shown, ...state.listed])];
}

/** Returns the answers to weigh: each candidate, or the right one once it is known and a wrong one at any time. */
function listAnswers(data: LookupData, state: LookupState): string[] {
  if (data.comparison !== undefined) return [...data.comparison.candidates];
  const named = listKnownParagraphs(data, state).map((position) => data.paragraphs[position].title);
  const wrong = named.filter((title) => !isRight(data, title)).slice(0, 1);
  return countTurnsToAnswer(data, state) === 1 ? [data.answers[0], ...wrong] : wrong;
}

function listAllowed(data: LookupData, state: LookupState): Action[] {
  const titles = listKnownParagraphs(data, state).map((position) => data.paragraphs[position].title);
  return [
    ...titles.flatMap((title) => [createCallAction("search", { query: title }), createCallAction("read", { title })]),
    ...listAnswers(data, state).map((text) => createCallAction("answer", { text })),
  ];
}

/** Returns the actions that bring a certain answer nearest: opening the next paragraph of a chain, or the answer. */
function listNearest(data: LookupData, state: LookupState): Action[] {
  const next = readChains(data, state).flatMap((chain) =>
    chain.next === undefined ? [] : [data.paragraphs[chain.next].title],
  );
  if (next.length === 0) return [createCallAction("answer", { text: data.answers[0] })];
  return next.flatMap((title) => [createCallAction("search", { query: title }), createCallAction("read", { title })]);
}

const oracle: Oracle = {
  bestActions(task, snapshot, turnsLeft = Infinity) {
    const data = readData(task);
    const state = readPureState<LookupState>(snapshot);
    const nearest = listNearest(data, state);
    if (turnsLeft >= countTurnsToAnswer(data, state)) return nearest;
    const choices = listAllowed(data, state).map((action) => ({
      action,
      chance: getActionChance(task, state, action, turnsLeft),
    }));
    const best = Math.max(...choices.map(({ chance }) => chance));
    if (best === 0) return nearest;
    return choices.filter(({ chance }) => chance > best - 1e-12).map(({ action }) => action);
  },
  allowedActions: (task, snapshot) => listAllowed(readData(task), readPureState<LookupState>(snapshot)),
  getSuccessChance(task, snapshot, turnsLeft = Infinity, first) {
    const state = readPureState<LookupState>(snapshot);
    const data = readData(task);
    if (state.answer !== undefined) return isRight(data, state.answer) ? 1 : 0;
    if (first !== undefined) return getActionChance(task, state, first, turnsLeft);
    return getAnswerChance(
      data,
      state,
      readChains(data, state).map(({ unread }) => unread),
      turnsLeft,
    );
  },
};

/** Returns the answer inside a closing message: of a call, of a text action, after "Answer:", or all of it. */
function readClosingAnswer({ text, toolCalls }: Action): string {
  const called = toolCalls?.find((call) => call.name === "answer")?.arguments?.["text"];
  if (typeof called === "string") return called;
  const written = findTextAction(text, defaultTextGrammar) ?? text;
  return (/(?:^|\n)\s*(?:final )?answer(?: is)?\s*:?\s+([^\n]+)\s*$/i.exec(written)?.[1] ?? written).trim();
}

function render({ question, paragraphs }: LookupData, { shown, answer }: LookupState): string {
  const lines = paragraphs.map(({ title }, position) => `${shown.includes(position) ? "[x]" : "[ ]"} ${title}`);
  return [question, ...lines, ...(answer === undefined ? [] : [`Answered: ${answer}`])].join("\n");
}

/**
 * Returns the lookup env: multi-hop questions over ten generated paragraphs with a BM25 search and one irrevocable
 * answer. Every name is made up, so nothing can be known beforehand.
 *
 * - A *bridge* question is answered by reading a chain of paragraphs, each naming the next. It cannot be guessed.
 * - A *comparison* asks which of two or three candidates is first or last in something; an agent short of turns can
 *   guess, and one that has read some of the values guesses better.
 *
 * Levels: 1 two paragraphs to read; 2 the same among names that resemble them; 3 three; 4 four (for a comparison two
 * chains of two). A level holds both kinds of question unless `options.kind` names one (default: both). One call is
 * carried out in each turn, so that a turn means the same with tool calls and with text actions. The distance is the
 * number of paragraphs still to be read, and the answer.
 */
export function createLookupEnv(options: { readonly kind?: LookupData["kind"] } = {}): Env {
  return pureEnv<LookupState>({
    id: "lookup",
    version: "1",
    instructions,
    tools,
    text: {
      instructions:
        "Write one action: <action>search words</action>, <action>read title</action> or <action>answer text</action>.",
      examples: [
        "<action>search Skeira Holm</action>",
        "<action>read River Dovan</action>",
        "<action>answer 1834</action>",
      ],
    },
    isSuccessAbsorbing: true,
    isDeterministic: true,
    makeTasks: (request) =>
      makeTaskSuite("lookup", request, lookupLevelCount, (level, random) => {
        const kind = random.nextInt(2) === 0 ? "bridge" : "comparison";
        return generateLookup(options.kind ?? kind, level, random);
      }),
    initial: () => ({ shown: [], listed: [] }),
    observe: (_, task) => ({ text: `Question: ${readData(task).question}` }),
    step: (state, action, task) => step(task, state, action),
    render: (state, task) => render(readData(task), state),
    closing: {
      prompt: "No turns are left. Answer the question now with the name or number only.",
      submit: (answer) => createCallAction("answer", { text: readClosingAnswer(answer) }),
    },
    oracle,
  });
}
