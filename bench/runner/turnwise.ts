// The job in turnwise: the library's runner with a chat policy, every finished episode kept.
import { createChatClient, systemClock } from "turnwise/chat";
import { createRandom, createTask, pureEnv } from "turnwise/core";
import { createChatPolicy } from "turnwise/policies";
import { createMemoryStore, planEpisodes, runEpisodes } from "turnwise/rollout";
import { measure } from "./measure.js";
import { readScenario } from "./scenario.js";

const { episodes, turns, model, instructions, observation } = readScenario();

const walk = pureEnv<number>({
  id: "walk",
  version: "1",
  instructions,
  tools: [],
  isSuccessAbsorbing: true,
  isDeterministic: true,
  initial: () => 0,
  observe: (room) => ({ text: observation(room) }),
  step(room, action) {
    if (!action.text.endsWith("next"))
      return { state: room, observation: { text: "Walk on." }, flags: { invalid: true } };
    const state = room + 1;
    if (state === turns) return { state, observation: { text: "" }, ended: "solved", solvedAfter: true, reward: 1 };
    return { state, observation: { text: observation(state) } };
  },
});

await measure(async () => {
  const client = createChatClient({
    endpoints: [{ baseUrl: process.argv[2] ?? "", model }],
    maxConcurrency: episodes,
    environment: {},
    clock: systemClock,
    random: createRandom(1),
  });
  const policy = createChatPolicy({ id: "instant", client, surface: "text" });
  const tasks = Array.from({ length: episodes }, (_, index) => createTask("walk", index));
  const plan = planEpisodes({
    policyIds: [policy.id],
    tasks,
    sampleCount: 1,
    turnBudgets: [turns],
    disclosure: "hidden",
    terminalRule: "act",
    seed: 1,
  });
  const store = createMemoryStore();
  await runEpisodes(walk, [policy], plan, store, { concurrency: episodes, now: () => performance.now() / 1000 });
  let solved = 0;
  for await (const trajectory of store.read()) if (trajectory.success === true) solved += 1;
  return solved;
});
