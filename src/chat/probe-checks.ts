// internal
import { errorMessage } from "../core/index.js";
import type { ChatClient } from "./client.js";
import type { ChatAnswer, ChatRequest } from "./message.js";
import type { EndpointCheck } from "./endpoint-check.js";

const sayReady: ChatRequest = {
  messages: [{ role: "user", content: "Reply with the single word: ready" }],
  maxTokens: 64,
};

/** Makes one call and reads a check from its answer. What the server refuses is a note: it works without. */
async function tryRequest(
  name: string,
  client: ChatClient,
  request: ChatRequest,
  read: (answer: ChatAnswer) => Omit<EndpointCheck, "name">,
  remedy?: string,
): Promise<EndpointCheck> {
  try {
    return { name, ...read(await client.complete(request)) };
  } catch (error) {
    return {
      name,
      status: "note",
      found: `refused: ${errorMessage(error)}`,
      ...(remedy === undefined ? {} : { remedy }),
    };
  }
}

/** Whether answers say how many tokens they took. */
export function checkUsage(client: ChatClient): Promise<EndpointCheck> {
  return tryRequest("usage", client, sayReady, ({ usage: { promptTokens, completionTokens } }) =>
    promptTokens === undefined || completionTokens === undefined
      ? { status: "note", found: "tokens are not counted: token and cost limits cannot be kept" }
      : { status: "ok", found: `counts tokens (${promptTokens} read, ${completionTokens} written)` },
  );
}

/** Whether the model calls a tool when asked to. */
export function checkTools(client: ChatClient): Promise<EndpointCheck> {
  const parameters = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
  const request: ChatRequest = {
    messages: [{ role: "user", content: 'Call the tool "report" with the word "ready".' }],
    tools: [{ name: "report", description: "Reports a word.", parameters }],
    maxTokens: 512,
  };
  const remedy =
    'Use the text surface, or turn tool calls on in the server (vLLM: "--enable-auto-tool-choice --tool-call-parser ...", llama.cpp: "--jinja")';
  return tryRequest(
    "tools",
    client,
    request,
    ({ message: { toolCalls, content } }) => {
      if (toolCalls.length === 0) {
        return {
          status: "note",
          found: `answered with text instead of a call: ${JSON.stringify(content.slice(0, 60))}`,
          remedy,
        };
      }
      const [{ name, arguments: values, rawArguments }] = toolCalls;
      if (values === undefined)
        return { status: "note", found: `called "${name}" with arguments that are not JSON: ${rawArguments}`, remedy };
      return { status: "ok", found: `called "${name}" with ${JSON.stringify(values)}` };
    },
    remedy,
  );
}

/** Whether log-probabilities of sampled tokens come with the answer. */
export function checkLogProbs(client: ChatClient): Promise<EndpointCheck> {
  return tryRequest("log-probs", client, { ...sayReady, logProbs: true }, ({ tokens }) =>
    tokens?.logProbs === undefined
      ? { status: "note", found: "none in the answer" }
      : { status: "ok", found: `given for ${tokens.logProbs.length} tokens` },
  );
}

/** Whether token ids come with the answer. */
export function checkTokenIds(client: ChatClient): Promise<EndpointCheck> {
  return tryRequest("token ids", client, { ...sayReady, tokenIds: true }, ({ tokens }) => {
    if (tokens?.ids === undefined) return { status: "note", found: "none in the answer (vLLM gives them)" };
    const prompt = tokens.promptIds === undefined ? "" : ` and ${tokens.promptIds.length} of the prompt`;
    return { status: "ok", found: `given for ${tokens.ids.length} sampled tokens${prompt}` };
  });
}

/** Whether the same seed gives the same text and another seed another one. Says what was seen: it proves nothing. */
export async function checkSeed(client: ChatClient): Promise<EndpointCheck> {
  const name = "seed";
  const content = "Invent a name for a ship and tell its story in one sentence.";
  const request: ChatRequest = { messages: [{ role: "user", content }], temperature: 1, maxTokens: 48 };
  try {
    const texts: string[] = [];
    for (const seed of [11, 11, 12]) {
      const { message } = await client.complete({ ...request, seed });
      texts.push(message.content + (message.reasoning ?? ""));
    }
    const [first, second, other] = texts;
    if (first !== second)
      return { name, status: "note", found: "the same seed gave two different texts: runs cannot be repeated exactly" };
    if (first === other) return { name, status: "note", found: "cannot tell: another seed gave the same text too" };
    return { name, status: "ok", found: "the same seed gave the same text twice, another seed another text" };
  } catch (error) {
    return { name, status: "note", found: `refused: ${errorMessage(error)}`, remedy: 'Set "sendSeed" to false' };
  }
}

/** Whether the answer can come piece by piece, with its token counts. */
export function checkStreaming(client: ChatClient): Promise<EndpointCheck> {
  return tryRequest("streaming", client, sayReady, ({ usage }) =>
    usage.completionTokens === undefined
      ? { status: "note", found: "works, but without token counts" }
      : { status: "ok", found: "works, with token counts" },
  );
}
