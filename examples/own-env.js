// A whole environment in one file: find a hidden number. Copy it, change it, then
//   npx turnwise doctor --env ./own-env.js
//   npx turnwise eval budget --env ./own-env.js --policy ./own-agent.js --budgets 1,2,4,8
import { pureEnv } from "turnwise/core";
import { applyCommands, makeTaskSuite } from "turnwise/envs";

/** @typedef {{ low: number, high: number, secret: number }} Data  What a task holds. */
/** @typedef {{ guesses: number[] }} State  What happened so far: plain JSON, so that every prefix can be resumed. */

const number = { type: "integer", description: "A whole number." };
const parameters = { type: "object", properties: { number }, required: ["number"], additionalProperties: false };
const tools = [{ name: "guess", description: "Guess the number.", parameters }];
const getData = (/** @type {import("turnwise/core").Task} */ task) => /** @type {Data} */ (task.data);

/** @type {import("turnwise/core").PureEnvConfig<State>} */
const config = {
  id: "guess-number",
  version: "1", // another one whenever the same task and actions could give another episode
  instructions: "Find the hidden whole number. Each guess is answered with higher, lower or found.",
  tools,
  text: { instructions: "Write <action>guess 12</action>.", examples: ["<action>guess 12</action>"] },
  isSuccessAbsorbing: true,
  isDeterministic: true,
  // Draws tasks until enough of them belong to the split (train or eval) asked for; three levels.
  makeTasks: (request) =>
    makeTaskSuite("guess-number", request, 3, (level, random) => {
      const low = random.nextInt(1000);
      const high = low + 4 ** (level + 1) - 2;
      return { low, high, secret: low + random.nextInt(high - low + 1) };
    }),
  initial: () => ({ guesses: [] }),
  observe: (_, task) => ({ text: `The number is in ${getData(task).low}..${getData(task).high}.` }),
  step(before, action, task) {
    const { secret } = getData(task);
    // Reads the calls and answers those that cannot be carried out; what is left has arguments that fit the tool.
    const answer = applyCommands(action, tools, before, (state, { values }) => {
      const guess = Number(values["number"]);
      const next = { guesses: [...state.guesses, guess] };
      if (guess === secret) return { state: next, text: "Found.", reward: 1, ended: "solved" };
      return { state: next, text: guess < secret ? "Higher." : "Lower." };
    });
    return { ...answer, solvedAfter: answer.ended === "solved" };
  },
  render: ({ guesses }) => `Guesses: ${guesses.join(", ") || "none"}`,
  // With an oracle (see Oracle in turnwise/core) the scripted policies can play it and errors are labelled.
};
export const env = pureEnv(config);
