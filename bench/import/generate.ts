// Writes a file of made-up conversations with tool calls, about 2 KB each: the same bytes for the same size.
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { createRandom, type Random } from "../../src/core/index.js";

const words =
  "barn river copper lantern valley ticket morning engine harbour orchard signal paper window ladder meadow bridge cellar garden market station winter silver thunder velvet marble canyon pocket mirror button candle é 東京 naïve".split(
    " ",
  );
const system =
  "You answer questions with the tools you are given. Search before you answer, read what you find, and call answer once you are sure. An answer cannot be taken back.";
const tools = ["search", "open_page", "answer"];

function makeText(random: Random, wordCount: number): string {
  let text = "";
  for (let i = 0; i < wordCount; i += 1) text += `${i === 0 ? "" : " "}${random.pick(words)}`;
  return text;
}

/** Returns one conversation of 2 to 6 turns as a line; every task is attempted four times. */
function makeLine(episode: number, random: Random): string {
  const task = episode >> 2;
  const taskRandom = createRandom("task", task);
  const messages: unknown[] = [
    { role: "system", content: system },
    { role: "user", content: `Question ${task}: ${makeText(taskRandom, 24)}?` },
  ];
  const turnCount = 2 + random.nextInt(5);
  for (let turn = 0; turn < turnCount; turn += 1) {
    const id = `call_${episode}_${turn}`;
    const name = turn === turnCount - 1 ? "answer" : tools[random.nextInt(2)];
    // Arguments as Python writes them, with spaces, and as JavaScript does.
    const value = makeText(random, 4);
    const text = random.nextInt(2) === 0 ? `{"query": ${JSON.stringify(value)}}` : JSON.stringify({ query: value });
    messages.push({
      role: "assistant",
      content: makeText(random, 10),
      tool_calls: [{ id, type: "function", function: { name, arguments: text } }],
    });
    messages.push({ role: "tool", tool_call_id: id, content: makeText(random, 24) });
  }
  messages.push({ role: "assistant", content: makeText(random, 12) });
  const isSolved = random.nextInt(2) === 0;
  return `${JSON.stringify({ messages, task_id: `task-${task}`, sample_index: episode & 3, model: "made-up", reward: Number(isSolved), success: isSolved })}\n`;
}

/** Writes conversations until the file has at least `byteCount` bytes; returns how many and the exact size. */
export async function writeConversations(
  path: string,
  byteCount: number,
): Promise<{ readonly episodeCount: number; readonly byteCount: number }> {
  const random = createRandom("import benchmark");
  const file = createWriteStream(path);
  let episodeCount = 0;
  let written = 0;
  let piece = "";
  while (written < byteCount) {
    const line = makeLine(episodeCount, random);
    piece += line;
    written += Buffer.byteLength(line);
    episodeCount += 1;
    if (piece.length > 1 << 20) {
      if (!file.write(piece)) await once(file, "drain");
      piece = "";
    }
  }
  file.end(piece);
  await once(file, "close");
  return { episodeCount, byteCount: written };
}
