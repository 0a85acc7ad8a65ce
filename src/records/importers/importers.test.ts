import { expect, test } from "vitest";
import { createSource, createZip, importAll } from "../../../test/support/importing.js";
import { samples } from "../../../test/support/import-samples.js";
import { TurnwiseError, errorMessage } from "../../core/index.js";
import { explainRecord } from "../schema/validate.js";

const formats = [...new Map(samples.map(({ importer }) => [importer.format, importer])).values()];
const cases = samples.map((sample) => ({ ...sample, format: sample.importer.format }));

function write({ name, value, isLines }: (typeof samples)[number]): ReturnType<typeof createSource> {
  return createSource(
    name,
    isLines === true && Array.isArray(value) ? value.map((line) => JSON.stringify(line)).join("\n") : (value as object),
  ); // samples are objects or lists
}

test.each(cases)("$format recognises $name and no other importer claims it more surely", (sample) => {
  const source = write(sample);
  const scores = formats
    .map((importer) => ({ format: importer.format, score: importer.detect(source) }))
    .sort((a, b) => b.score - a.score);
  expect(scores[0].format).toBe(sample.format);
  expect(scores[0].score).toBeGreaterThanOrEqual(0.9);
  expect(scores[1].score).toBeLessThan(scores[0].score);
});

test.each(cases)("$format gives valid records with the meaning of a turn in each, from $name", async (sample) => {
  const { trajectories } = await importAll(sample.importer, write(sample));
  expect(trajectories.length).toBeGreaterThan(0);
  for (const trajectory of trajectories) {
    expect(explainRecord(trajectory)).toBeUndefined();
    expect(trajectory.provenance?.notes[0]).toBe(sample.importer.turnNote);
    expect(trajectory.provenance?.format).toBe(sample.format);
  }
});

test.each(cases)("$format gives the same records twice, from $name", async (sample) => {
  expect(await importAll(sample.importer, write(sample))).toEqual(await importAll(sample.importer, write(sample)));
});

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:a4044ced\nsize 37132\n";
const unusable = [
  { what: "an empty file", content: "", message: /empty/ },
  { what: "blank space", content: " \n\n", message: /nothing but blank space/ },
  { what: "a Git LFS pointer", content: pointer, message: /Git LFS pointer/ },
  { what: "a web page", content: "<!DOCTYPE html><html></html>", message: /web page/ },
  {
    what: "another tool's JSON",
    content: { hello: "world" },
    message: /found an object with "hello"|cannot be read|found no/i,
  },
  { what: "a number", content: "42", message: /found|Cannot/ },
];

test.each(formats.flatMap((importer) => unusable.map((one) => ({ format: importer.format, importer, ...one }))))(
  "$format refuses $what as an input error",
  async ({ importer, content, message }) => {
    const error = await importAll(importer, createSource("some.json", content)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TurnwiseError);
    expect(error).toMatchObject({ kind: "input" });
    expect(errorMessage(error)).toMatch(message);
  },
);

test("inspect refuses an archive that is no Inspect log", async () => {
  const importer = formats.find(({ format }) => format === "inspect");
  if (importer === undefined) throw new Error("No importer for Inspect");
  const source = createSource("some.eval", createZip([{ name: "a.txt", content: "a" }]));
  const error = await importAll(importer, source).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: "input" });
  expect(errorMessage(error)).toContain("neither");
});
