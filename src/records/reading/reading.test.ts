import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readJsonDocument, readJsonLines, readJsonRecords, type JsonLine } from "./jsonl.js";
import { readRawLines } from "./lines.js";
import { openImportSource } from "./source.js";
import { parseTolerantJson } from "./tolerant-json.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnwise-reading-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeSource(name: string, content: string | Uint8Array) {
  const path = join(folder, name);
  await writeFile(path, content);
  return openImportSource(path);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function summarize(items: readonly JsonLine[]) {
  return items.map((item) =>
    item.type === "value" ? item.value : `${item.severity} ${item.problemClass} at ${item.position}`,
  );
}

const nan = { $number: "NaN" };

test.each([
  { name: "strict JSON", text: '{"a": [1, null]}', values: [{ a: [1, null] }], repairs: 0 },
  {
    name: "NaN and infinities",
    text: '{"a": NaN, "b": [Infinity, -Infinity]}',
    values: [{ a: nan, b: [{ $number: "Infinity" }, { $number: "-Infinity" }] }],
    repairs: 1,
  },
  { name: "the word NaN inside a string", text: '{"a": "NaN", "b": NaN}', values: [{ a: "NaN", b: nan }], repairs: 1 },
  {
    name: "a Python dict",
    text: `{'a': True, "b": None, 'c': (1, 2,), 'd': 'it\\'s', 3: "x" 'y'}`,
    values: [{ a: true, b: null, c: [1, 2], d: "it's", 3: "xy" }],
    repairs: 1,
  },
  { name: "Python escapes", text: `{'a': '\\x41\\U0001F600\\d'}`, values: [{ a: "A\u{1F600}\\d" }], repairs: 1 },
  { name: "two records on one line", text: '{"a": 1}{"a": 2}', values: [{ a: 1 }, { a: 2 }], repairs: 1 },
  { name: "an exponent that overflows", text: "[1e999]", values: [[{ $number: "Infinity" }]], repairs: 1 },
  {
    name: "an integer that a double cannot hold",
    text: '{"id": 12345678901234567891}',
    values: [{ id: "12345678901234567891" }],
    repairs: 1,
  },
  {
    name: "a long integer that a double holds",
    text: '{"id": 9007199254740992}',
    values: [{ id: 9007199254740992 }],
    repairs: 0,
  },
  { name: "a raw tab in a string", text: '{"a": "x\ty"}', values: [{ a: "x\ty" }], repairs: 1 },
])("parseTolerantJson() reads $name", ({ text, values, repairs }) => {
  const result = parseTolerantJson(text);
  expect(result.problem).toBeUndefined();
  expect(result.values).toEqual(values);
  expect(result.repairs).toHaveLength(repairs);
});

test.each([
  { name: "a torn object", text: '{"a": "b', problemClass: "torn_line" },
  { name: "a torn word", text: '{"a": tru', problemClass: "torn_line" },
  { name: "a torn Python dict", text: "{'a': 'b", problemClass: "torn_line" },
  { name: "prose", text: "Hello there, all", problemClass: "not_json" },
  { name: "a wrong bracket", text: '{"a": [1}', problemClass: "not_json" },
  { name: "endless nesting", text: "[".repeat(5000) + "]".repeat(5000) + "x", problemClass: "not_json" },
])("parseTolerantJson() names what is wrong with $name", ({ text, problemClass }) => {
  expect(parseTolerantJson(text)).toMatchObject({ values: [], problem: { problemClass } });
});

test("parseTolerantJson() keeps a record that follows a torn one on the same line", () => {
  const result = parseTolerantJson('{"id": 1, "text": "cut he{"id": 2, "text": "whole"}');
  expect(result.values).toEqual([{ id: 2, text: "whole" }]);
  expect(result.problem?.problemClass).toBe("torn_line");
});

test("parseTolerantJson() does not take a nested object of a torn record for a record", () => {
  expect(parseTolerantJson('{"id": {"id": 1}').values).toEqual([]);
});

test("parseTolerantJson() keeps lone surrogates, escaped or written as bytes", () => {
  expect(parseTolerantJson('"a\\ud800b"').values).toEqual(["a\ud800b"]);
  const bytes = Buffer.from([0x22, 0x61, 0xed, 0xa0, 0x80, 0x62, 0x22]);
  expect(parseTolerantJson(bytes)).toMatchObject({
    values: ["a\ud800b"],
    repairs: [expect.stringContaining("surrogate")],
  });
});

test("parseTolerantJson() reports bytes that are not UTF-8", () => {
  const result = parseTolerantJson(Buffer.from([0x22, 0xff, 0x22]));
  expect(result).toMatchObject({ values: ["\ufffd"], repairs: [expect.stringContaining("not UTF-8")] });
});

test("parseTolerantJson() agrees with JSON.parse on everything JSON can carry", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (text) => {
      expect(parseTolerantJson(text)).toEqual({ values: [JSON.parse(text)], repairs: [] });
      // A leading NaN record forces the loose parser over the same text.
      expect(parseTolerantJson(`NaN ${text}`).values).toEqual([nan, JSON.parse(text)]);
    }),
  );
});

test("parseTolerantJson() reports every proper prefix of an object as torn", () => {
  const text = '{"a": [1, true, null, "x\\u00e9y"], "b": {"c": -1.5e3}}';
  for (let length = 1; length < text.length; length += 1) {
    expect(parseTolerantJson(text.slice(0, length)).problem?.problemClass).toBe("torn_line");
  }
});

test("readRawLines() gives the same lines however the bytes are cut into chunks", async () => {
  const bytes = Buffer.from('\ufeff{"a":1}\r\n\n"é\u{1F600}"\nlast', "utf8");
  const expected = [
    { lineNumber: 1, offset: 3, text: '{"a":1}', isTerminated: true },
    { lineNumber: 2, offset: 12, text: "", isTerminated: true },
    { lineNumber: 3, offset: 13, text: '"é\u{1F600}"', isTerminated: true },
    { lineNumber: 4, offset: 22, text: "last", isTerminated: false },
  ];
  for (let size = 1; size <= bytes.length; size += 1) {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const lines = await collect(readRawLines(chunks()));
    expect(lines.map(({ bytes: line, ...rest }) => ({ ...rest, text: line.toString() }))).toEqual(expected);
  }
});

test("readJsonLines() imports the rest when a line in the middle is torn inside a character", async () => {
  const torn = Buffer.from('{"text": "caf\u00e9').subarray(0, -1);
  const source = await writeSource(
    "torn.jsonl",
    Buffer.concat([Buffer.from('{"a":1}\n'), torn, Buffer.from('\n\n{"a":2}\n')]),
  );
  expect(summarize(await collect(readJsonLines(source)))).toEqual([{ a: 1 }, "skipped torn_line at 2", { a: 2 }]);
});

test("readJsonLines() reports the torn tail of a file still being written", async () => {
  const source = await writeSource("live.jsonl", '{"a":1}\r\n{"a":2}\r\n{"a":');
  expect(summarize(await collect(readJsonLines(source)))).toEqual([{ a: 1 }, { a: 2 }, "skipped torn_tail at 3"]);
});

test("readJsonLines() reads a last line that is whole but has no line feed", async () => {
  const source = await writeSource("whole.jsonl", '{"a":1}\n{"a":2}');
  expect(summarize(await collect(readJsonLines(source)))).toEqual([{ a: 1 }, { a: 2 }]);
});

test("readJsonLines() reads a data URL of 6 MB", async () => {
  const url = `data:image/png;base64,${"A".repeat(6_000_000)}`;
  const source = await writeSource("image.jsonl", `${JSON.stringify({ url })}\n{"a":1}\n`);
  expect(summarize(await collect(readJsonLines(source)))).toEqual([{ url }, { a: 1 }]);
});

test("openImportSource() opens gzip by its content and drops the ending from the name", async () => {
  const source = await writeSource("data.jsonl.gz", gzipSync('{"a":1}\n'));
  expect(source).toMatchObject({ name: "data.jsonl", size: undefined });
  expect(Buffer.from(source.head).toString()).toBe('{"a":1}\n');
  expect(summarize(await collect(readJsonLines(source)))).toEqual([{ a: 1 }]);
});

test("readJsonLines() gives what a cut gzip file holds, then reports the tail", async () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `{"a":${(i * 7919) % 100_003}}`).join("\n");
  const whole = gzipSync(lines);
  const source = await writeSource("cut.jsonl.gz", whole.subarray(0, Math.floor(whole.length / 2)));
  const items = await collect(readJsonLines(source));
  expect(items.length).toBeGreaterThan(1000);
  expect(items.at(-1)).toMatchObject({ type: "problem", problemClass: "torn_tail" });
});

test("ImportSource.sibling() finds a file beside, compressed or not, and says when there is none", async () => {
  const source = await writeSource("results.jsonl", "{}\n");
  await writeSource("meta.json.gz", gzipSync('{"b":2}'));
  expect(await source.sibling("absent.json")).toBeUndefined();
  const beside = await source.sibling("meta.json");
  expect(beside && (await readJsonDocument(beside)).value).toEqual({ b: 2 });
});

test.each([
  { name: "an empty file", content: "", message: "the file is empty" },
  { name: "blank space", content: " \n\n", message: "blank space" },
  {
    name: "a Git LFS pointer",
    content: "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    message: "Git LFS pointer",
  },
  { name: "a web page", content: "\n<!DOCTYPE html><html>", message: "web page" },
  { name: "UTF-16", content: Buffer.from("\ufeff{}", "utf16le"), message: "UTF-16" },
])("readJsonLines() and readJsonDocument() refuse $name", async ({ content, message }) => {
  const source = await writeSource("unusable", content);
  await expect(collect(readJsonLines(source))).rejects.toThrow(message);
  await expect(readJsonDocument(source)).rejects.toThrow(message);
});

test("openImportSource() names a missing file and a folder", async () => {
  await expect(openImportSource(join(folder, "absent"))).rejects.toThrow("there is no such file");
  await expect(openImportSource(folder)).rejects.toThrow("it is a folder");
});

test("readJsonRecords() reports lines that are no objects", async () => {
  const source = await writeSource("mixed.jsonl", '{"a":1}\n[1]\nnull\n"x"\n');
  expect(
    (await collect(readJsonRecords(source))).map((item) => (item.type === "record" ? item.record : item.message)),
  ).toEqual([
    { a: 1 },
    "the line holds an array where a record should be",
    "the line holds null where a record should be",
    "the line holds a string where a record should be",
  ]);
});

test("readJsonDocument() keeps the complete elements of an array that ends early", async () => {
  const source = await writeSource("array.json", '[{"a": 1}, {"a": NaN}, {"a": ');
  expect(await readJsonDocument(source)).toMatchObject({
    value: [{ a: 1 }, { a: nan }],
    problems: [{ problemClass: "repaired_json" }, { problemClass: "torn_tail" }],
  });
});

test("readJsonDocument() refuses a torn object and several documents", async () => {
  await expect(readJsonDocument(await writeSource("torn.json", '{"a": 1, "b"'))).rejects.toThrow("cut short");
  await expect(readJsonDocument(await writeSource("two.json", '{"a": 1}\n{"a": 2}'))).rejects.toThrow("2 documents");
});

test("openImportSource() says that a name too long, or with a null character, is no file", async () => {
  await expect(openImportSource("x".repeat(5000))).rejects.toThrow("there is no such file");
  await expect(openImportSource("a\0b")).rejects.toThrow("there is no such file");
});

test.skipIf(process.platform === "win32")("openImportSource() refuses a pipe without waiting for it", async () => {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  await expect(openImportSource(path)).rejects.toMatchObject({
    kind: "input",
    message: expect.stringContaining("it is a pipe or a device") as unknown,
  });
});
