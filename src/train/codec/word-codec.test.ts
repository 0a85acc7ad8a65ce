import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom, type Action, type Env, type JsonObject, type ToolSpec } from "../../core/index.js";
import {
  createFrozenLakeEnv,
  createLookupEnv,
  createRepairEnv,
  createSokobanEnv,
  createVaultEnv,
} from "../../envs/index.js";
import { gatherCodecEpisodes } from "./gather-episodes.js";
import { checkCodecHash, readWordCodec } from "./read-word-codec.js";
import { joinPieces, splitPieces, getPieceKey } from "./text-pieces.js";
import { createTextRewriter, lookupRewrites, vaultRewrites } from "./text-rewrites.js";
import { createWordCodec, type WordCodec } from "./word-codec.js";

function call(name: string, values: Record<string, string | number | boolean> = {}): Action {
  return { text: "", toolCalls: [{ name, arguments: values }] };
}

function createTool(name: string, properties: ToolSpec["parameters"], required: readonly string[]): ToolSpec {
  return { name, description: name, parameters: { type: "object", properties, required } };
}

function toText(codec: WordCodec, ids: readonly number[]): string {
  return ids.map((id) => codec.vocabulary[id]).join(" ");
}

async function makeCodec(env: Env, level: number, taskCount: number): Promise<WordCodec> {
  const tasks = env.makeTasks?.({ split: "train", level, taskCount, seed: 3 }) ?? [];
  return createWordCodec({ env, episodes: await gatherCodecEpisodes(env, tasks, { seed: 1 }) });
}

test("splitPieces() splits words, digits and punctuation, and keeps a hyphen with its word", () => {
  const keys = (text: string) => splitPieces(text).map(getPieceKey).join("|");
  expect(keys("It's 12, red-round.")).toBe("▁It|'s|▁1|2|,|▁red|-round|.");
  expect(keys("##_O\nOOO")).toBe("▁#|#|_|O|\n|▁O|O|O");
  expect(keys("  return x")).toBe("▁|▁|▁return|▁x");
});

test("joinPieces() gives every text back", () => {
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.stringMatching(/^[ a-z'\n#_-]{0,20}$/));
  fc.assert(
    fc.property(texts, (text) => {
      expect(joinPieces(splitPieces(text))).toBe(text);
    }),
  );
});

test.each([
  { env: createFrozenLakeEnv(), level: 2, taskCount: 40 },
  { env: createSokobanEnv(), level: 1, taskCount: 40 },
  { env: createVaultEnv(), level: 2, taskCount: 40 },
  { env: createLookupEnv(), level: 2, taskCount: 60 },
  { env: createRepairEnv(), level: 1, taskCount: 60 },
])(
  "a word codec of $env.id writes every action of the oracle on tasks it never saw",
  async ({ env, level, taskCount }) => {
    const codec = await makeCodec(env, level, taskCount);
    const tasks = env.makeTasks?.({ split: "eval", level, taskCount: 12, seed: 5 }) ?? [];
    for (const { turns } of await gatherCodecEpisodes(env, tasks, { seed: 2 })) {
      const session = codec.startSession();
      for (const { observation, action } of turns) {
        session.encodeObservation(observation);
        const ids = session.encodeAction(action);
        expect(ids, JSON.stringify(action)).toBeDefined();
        if (ids === undefined) continue;
        expect(ids.length).toBeLessThanOrEqual(codec.maxActionTokens);
        expect(session.decodeAction(ids)).toEqual(action);
        ids.forEach((id, index) => expect(session.listAllowed(ids.slice(0, index))).toContain(id));
        expect(session.listAllowed(ids)).toEqual([]);
      }
    }
  },
);

test.each([
  { env: createVaultEnv(), level: 2 },
  { env: createLookupEnv(), level: 1 },
  { env: createSokobanEnv(), level: 1 },
  { env: createRepairEnv(), level: 2 },
])("whatever is drawn among the allowed ids of $env.id becomes an action", async ({ env, level }) => {
  const codec = await makeCodec(env, level, 20);
  const [task] = env.makeTasks?.({ split: "eval", level, taskCount: 1, seed: 8 }) ?? [];
  for (let seed = 0; seed < 12; seed += 1) {
    const random = createRandom(seed, env.id);
    const session = codec.startSession();
    const played = await env.start(task, seed);
    let { observation } = played;
    for (let turn = 0; turn < 5; turn += 1) {
      session.encodeObservation(observation);
      const ids: number[] = [];
      for (;;) {
        const allowed = session.listAllowed(ids);
        expect(allowed).toEqual([...new Set(allowed)].sort((a, b) => a - b));
        if (allowed.length === 0) break;
        ids.push(random.pick(allowed));
      }
      expect(ids.length).toBeLessThanOrEqual(codec.maxActionTokens);
      const action = session.decodeAction(ids);
      const written = session.encodeAction(action);
      expect(written === undefined ? undefined : session.decodeAction(written)).toEqual(
        written === undefined ? undefined : action,
      );
      if (action.quit === true) break;
      const result = await played.step(action);
      ({ observation } = result);
      if (result.ended !== undefined) break;
    }
    await played.close();
  }
});

const reader: Pick<Env, "id" | "tools"> = {
  id: "reader",
  tools: [
    createTool("open", { title: { type: "string" } }, ["title"]),
    createTool("go", { where: { enum: ["up", "up there", "down"] }, fast: { type: "boolean" } }, ["where"]),
    createTool("set", { level: { type: "integer", minimum: 0 }, ratio: { type: "number" } }, ["level", "ratio"]),
  ],
};
const plain = createWordCodec({
  env: reader,
  episodes: [],
  texts: ["the book by a man is open red-round", "the book is red-round"],
});

test("words the vocabulary lacks take slots in the order they appear, and are copied back", () => {
  const session = plain.startSession();
  const first = session.encodeObservation({ text: "the Brae by Skoun (Skoun-Ruwoun) is open" });
  expect(toText(plain, first)).toBe("<obs> ▁the <w0> <w1> <w2> <w3> <+> <w2> - <+> <w4> <+> <w5> ▁is <w6> <act>");
  const ids = session.encodeAction(call("open", { title: "Brae by Skoun" }));
  expect(ids === undefined ? undefined : session.decodeAction(ids)).toEqual(call("open", { title: "Brae by Skoun" }));
  expect(session.encodeAction(call("open", { title: "Dovan" }))).toBeUndefined();
  const other = plain.startSession();
  other.encodeObservation({ text: "the Dovan" });
  expect(other.encodeAction(call("open", { title: "Brae" }))).toBeUndefined();
});

test("a span is whole words: neither half a number nor half a hyphenated word can be copied", () => {
  const session = plain.startSession();
  session.encodeObservation({ text: "key red-round 1275" });
  const [tool] = session.encodeAction(call("open", { title: "1275" })) ?? [];
  const digit = plain.vocabulary.indexOf("▁1");
  expect(session.listAllowed([tool, digit]).map((id) => plain.vocabulary[id])).toEqual(["2"]);
  expect(session.encodeAction(call("open", { title: "127" }))).toBeUndefined();
  expect(session.encodeAction(call("open", { title: "red" }))).toBeUndefined();
  expect(session.encodeAction(call("open", { title: "red-round 1275" }))).toBeDefined();
});

test("before anything can be copied, any word of the vocabulary can be said", () => {
  const session = plain.startSession();
  session.encodeObservation({ text: "" });
  const tool = plain.vocabulary.indexOf("<call:open>");
  expect(session.listAllowed([tool]).map((id) => plain.vocabulary[id])).toContain("▁book");
});

test.each([
  { action: call("go", { where: "up" }), tokens: "<call:go> ▁up <next> <skip> <end>" },
  { action: call("go", { where: "up there", fast: true }), tokens: "<call:go> ▁up ▁there <next> ▁true <end>" },
  { action: call("set", { level: 12, ratio: -0.5 }), tokens: "<call:set> 1 2 <next> - 0 . 5 <end>" },
  { action: { text: "I stop.", quit: true } as const, tokens: "<quit> <end>" },
])("an action is written as $tokens", ({ action, tokens }) => {
  const session = plain.startSession();
  const ids = session.encodeAction(action) ?? [];
  expect(toText(plain, ids)).toBe(tokens);
  expect(session.decodeAction(ids).toolCalls).toEqual("quit" in action ? undefined : action.toolCalls);
});

test.each([
  { name: "a tool the env lacks", action: call("fly") },
  { name: "a missing parameter", action: call("set", { level: 1 }) },
  { name: "an unknown parameter", action: call("go", { where: "up", why: "so" }) },
  { name: "a value outside its choice", action: call("go", { where: "left" }) },
  { name: "a negative number where none may be", action: call("set", { level: -1, ratio: 1 }) },
  { name: "no call", action: { text: "hm" } },
  { name: "two calls", action: { text: "", toolCalls: [{ name: "go" }, { name: "go" }] } },
])("encodeAction() cannot write $name", ({ action }) => {
  expect(plain.startSession().encodeAction(action)).toBeUndefined();
});

test("decodeAction() refuses what is not complete, not allowed, or goes on after its end", () => {
  const session = plain.startSession();
  const ids = session.encodeAction(call("go", { where: "down", fast: false })) ?? [];
  expect(() => session.decodeAction(ids.slice(0, -1))).toThrow("Cannot decode an action of 4 ids: it is not complete");
  expect(() => session.decodeAction([...ids, ...ids])).toThrow("stands where the end must be");
  expect(() => session.decodeAction([0])).toThrow("begins with id 0, which is no tool");
  expect(() => session.decodeAction([ids[0], 0])).toThrow('id 0 at position 1 is not allowed in "where" of "go"');
});

test("a budget is written as it is told: at the first turn, every turn, or never", () => {
  const write = (disclosure: "static" | "countdown" | "hidden", turnsLeft: number) =>
    toText(
      plain,
      plain.startSession().encodeObservation({ text: "the book" }, { disclosure, maxTurns: 12, turnsLeft }),
    );
  expect(write("static", 12)).toBe("<obs> ▁the ▁book <budget> 1 2 <act>");
  expect(write("static", 11)).toBe("<obs> ▁the ▁book <act>");
  expect(write("countdown", 12)).toBe("<obs> ▁the ▁book <left> 1 2 <act>");
  expect(write("countdown", 3)).toBe("<obs> ▁the ▁book <left> 3 <act>");
  expect(write("hidden", 12)).toBe("<obs> ▁the ▁book <act>");
});

test("an observation without text shows its tool results", () => {
  const ids = plain.startSession().encodeObservation({ text: "", toolResults: [{ text: "the book" }] });
  expect(toText(plain, ids)).toBe("<obs> ▁the ▁book <act>");
});

test("a word without a free slot is written as one that cannot be copied", () => {
  const codec = createWordCodec({ env: reader, episodes: [], texts: ["the book"], slots: 1 });
  const session = codec.startSession();
  expect(toText(codec, session.encodeObservation({ text: "the Brae Skoun" }))).toBe("<obs> ▁the <w0> <other> <act>");
  expect(session.encodeAction(call("open", { title: "Brae" }))).toBeDefined();
  expect(session.encodeAction(call("open", { title: "Brae Skoun" }))).toBeUndefined();
});

test("a codec without quits cannot quit", () => {
  const codec = createWordCodec({ env: reader, episodes: [], texts: ["a"], canQuit: false });
  const session = codec.startSession();
  expect(session.encodeAction({ text: "", quit: true })).toBeUndefined();
  expect(session.listAllowed([]).map((id) => codec.vocabulary[id])).toEqual(["<call:open>", "<call:go>", "<call:set>"]);
});

test("the same episodes give the same codec, and JSON gives it back", async () => {
  const first = await makeCodec(createVaultEnv(), 1, 10);
  const second = await makeCodec(createVaultEnv(), 1, 10);
  expect(second.hash).toBe(first.hash);
  const read = readWordCodec(JSON.parse(JSON.stringify(first.toJson())) as JsonObject);
  expect(read.hash).toBe(first.hash);
  expect(read.vocabulary).toEqual(first.vocabulary);
  expect(read.maxActionTokens).toBe(first.maxActionTokens);
  const shown = { text: "keys\n- red-round-iron-new\n" };
  expect(read.startSession().encodeObservation(shown)).toEqual(first.startSession().encodeObservation(shown));
});

test.each([
  { name: "no object", json: 7, message: "it is no object" },
  { name: "another schema", json: { schema: "x" }, message: 'its schema is "x", not "turnwise-word-codec/1"' },
  { name: "a list that is not of texts", json: { ...plain.toJson(), vocabulary: [1] }, message: "is no list of texts" },
  { name: "a repeated entry", json: { ...plain.toJson(), vocabulary: ["a", "a"] }, message: "holds an entry twice" },
  { name: "other special tokens", json: { ...plain.toJson(), vocabulary: ["a"] }, message: 'id 0 is "a", not "<pad>"' },
  {
    name: "a changed word",
    json: { ...plain.toJson(), envId: "vault" },
    message: "it was changed after it was written",
  },
  { name: "no tools", json: { ...plain.toJson(), tools: [] }, message: "it has no tools" },
])("readWordCodec() refuses $name", ({ json, message }) => {
  expect(() => readWordCodec(json)).toThrow(message);
});

test("checkCodecHash() refuses weights of another vocabulary", () => {
  const other = createWordCodec({ env: reader, episodes: [], texts: ["another word"] });
  expect(() => checkCodecHash(plain, plain.hash)).not.toThrow();
  expect(() => checkCodecHash(plain, other.hash)).toThrow("they were trained with codec hash");
});

test.each([
  {
    name: "an env without tools",
    env: { id: "talk", tools: [] },
    message: "it has no tools, so its actions have no grammar",
  },
  {
    name: "a list parameter",
    env: { id: "pick", tools: [createTool("pick", { items: { type: "array" } }, ["items"])] },
    message: 'Cannot write actions of parameter "items" of tool "pick" as tokens',
  },
])("createWordCodec() refuses $name", ({ env, message }) => {
  expect(() => createWordCodec({ env, episodes: [], texts: ["a"] })).toThrow(message);
});

test("createWordCodec() refuses sizes out of range, no episode, and a rewrite that is no pattern", () => {
  const make = (options: object) => () => createWordCodec({ env: reader, episodes: [], texts: ["a"], ...options });
  expect(make({ slots: 0 })).toThrow("with slots 0: allowed is 1 to 1024");
  expect(make({ minShare: 2 })).toThrow("with minShare 2");
  expect(make({ texts: [] })).toThrow("without episodes");
  expect(make({ rewrites: [{ pattern: "(", replacement: "" }] })).toThrow('Cannot use the text rewrite "("');
});

test("the rewrites of vault and lookup keep every fact and every name", () => {
  const vault = createTextRewriter(vaultRewrites);
  const shown =
    "There are 2 keys:\n- red-oval-iron-new\n- blue-oval-iron-new\nThe plates tell colour, shape, metal, age. One plate in 4 sticks at its first reading. Force opens one door in 5.\nPlates read: none. The reader works.";
  expect(vault(shown)).toBe("keys\nred-oval-iron-new blue-oval-iron-new stick 4 force 5");
  expect(vault("The colour plate stuck and jammed the reader.\nPlates read: shape. The reader is jammed.")).toBe(
    "colour stuck jammed",
  );
  const lookup = createTextRewriter(lookupRewrites);
  expect(lookup("The River Dovan is fed by Lake Mora. The author of The Brae of Skoun is Ana Ruwoun.")).toBe(
    "River Dovan fed Lake Mora. author of The Brae of Skoun Ana Ruwoun.",
  );
});
