import { createRandom, isJsonObject, type JsonObject, type JsonValue, type Random } from "../../src/core/index.js";
import type { MockCall } from "./server.js";
import { textReply, toolReply, type Reply } from "./reply.js";

/** How the mock plays an env: always the first choice, or any. */
export type PlayerStyle = "first" | "random";

function toText(content: JsonValue | undefined): string {
  return typeof content === "string" ? content : "";
}

function findMessages({ body }: MockCall): readonly JsonObject[] {
  const { messages } = body;
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

/** Returns a value that the parameter's schema allows. Free text is a word of what was shown last. */
function chooseValue(schema: JsonValue | undefined, shown: string, random: Random): JsonValue {
  if (!isJsonObject(schema)) return "x";
  if (Array.isArray(schema["enum"])) return random.pick(schema["enum"] as readonly JsonValue[]); // an array of JSON values
  const { minimum, maximum } = schema;
  const low = typeof minimum === "number" ? minimum : 0;
  const high = typeof maximum === "number" ? maximum : low + 9;
  switch (schema["type"]) {
    case "integer":
    case "number":
      return low + random.nextInt(Math.max(1, high - low + 1));
    case "boolean":
      return random.nextInt(2) === 0;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return random.pick(shown.match(/[\p{L}\d]{3,}/gu) ?? ["x"]);
  }
}

function callTool(tools: readonly JsonObject[], shown: string, random: Random): Reply {
  const { function: tool } = random.pick(tools);
  if (!isJsonObject(tool)) return textReply("I have no tools.");
  const { properties }: JsonObject = isJsonObject(tool["parameters"]) ? tool["parameters"] : {};
  const values = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => [
    name,
    chooseValue(schema, shown, random),
  ]);
  return toolReply([{ name: toText(tool["name"]), arguments: Object.fromEntries(values) as JsonObject }]); // values are JSON
}

/** Always draws the lowest number: the first of everything. */
const firstRandom: Random = {
  next: () => 0,
  nextInt: () => 0,
  nextUint32: () => 0,
  nextNormal: () => 0,
  pick: (items) => items[0],
  shuffle: (items) => [...items],
};

/** Writes words in place of an example's placeholders: DIRECTION becomes one of those that "DIRECTION is" lists. */
function fillPlaceholders(action: string, prompt: string, shown: string, random: Random): string {
  return action.replace(/\b[A-Z]{2,}\b/g, (name) => {
    const listed = new RegExp(`${name} is ([^.<]+)`).exec(prompt)?.[1].split(/,\s*|\s+or\s+|\s+and\s+/) ?? [];
    const words = shown.match(/[\p{L}\d-]{3,}/gu) ?? ["x"];
    return random.pick(listed.length > 0 ? listed : words).trim();
  });
}

/**
 * Returns a script that plays any env over either surface: it calls one of the request's tools with arguments that
 * their schemas allow, or, where the request has none, repeats one of the example actions of the system prompt. What
 * it does depends only on the style, the seed and the request, so that concurrent runs come out the same.
 */
export function createPlayer(style: PlayerStyle, seed = 0): (call: MockCall) => Reply {
  return (call) => {
    const messages = findMessages(call);
    const { tools, seed: requestSeed } = call.body;
    const shown = toText(messages.at(-1)?.["content"]);
    const random =
      style === "first"
        ? firstRandom
        : createRandom(seed, "mock player", JSON.stringify(requestSeed ?? null), messages.length, shown);
    if (Array.isArray(tools) && tools.length > 0) return callTool(tools.filter(isJsonObject), shown, random);
    const prompt = toText(messages[0]?.["content"]);
    const examples = prompt.match(/<action>(?!\.\.\.)[\s\S]+?<\/action>/g) ?? [];
    if (examples.length === 0) return textReply("I do not know how to act.");
    return textReply(fillPlaceholders(random.pick(examples), prompt, shown, random));
  };
}
