// The job as one writes it without turnwise: the `openai` client, p-limit, a loop per episode.
import OpenAI from "openai";
import pLimit from "p-limit";
import { measure } from "./measure.js";
import { readScenario } from "./scenario.js";

interface Record {
  readonly task: number;
  readonly messages: readonly OpenAI.ChatCompletionMessageParam[];
  readonly isSolved: boolean;
}

const { episodes, turns, model, instructions, observation } = readScenario();
const client = new OpenAI({ baseURL: process.argv[2], apiKey: "none", maxRetries: 2 });

async function playEpisode(task: number): Promise<Record> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: instructions }];
  let room = 0;
  while (room < turns) {
    messages.push({ role: "user", content: observation(room) });
    const completion = await client.chat.completions.create({ model, messages });
    const text = completion.choices[0]?.message.content ?? "";
    messages.push({ role: "assistant", content: text });
    if (!text.endsWith("next")) break;
    room += 1;
  }
  return { task, messages, isSolved: room === turns };
}

await measure(async () => {
  const limit = pLimit(episodes);
  const tasks = Array.from({ length: episodes }, (_, index) => index);
  const records = await Promise.all(tasks.map((task) => limit(() => playEpisode(task))));
  return records.filter(({ isSolved }) => isSolved).length;
});
