import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  auditFileSchema,
  createAuditJsonSchema,
  parseAuditFile,
  renderAuditFile,
  type AuditFile,
} from "./audit-file.js";
import { parseStageArtefact } from "./stage-artefact.js";

const audit: AuditFile = {
  schema: "publish-audit",
  schema_version: "1.0.0",
  skill: "s",
  document_id: "d",
  kind: "tutorial",
  source: "d.md",
  verdict: "PASS",
  stages: {},
  findings: [],
  corrections: [],
  needs_verify: [],
  deferred: [],
  waivers: [],
  traces: [],
  summary: "s",
  created_at: "2030-01-01T00:00:00Z",
  updated_at: "2030-01-01T00:00:00.000Z",
};
const read = (more: Record<string, unknown>) => () => parseAuditFile(JSON.stringify({ ...audit, ...more }), "x.json");

test("renderAuditFile() writes known keys in one order, whatever the order they came in, and unknown ones after", () => {
  const shuffled: AuditFile = {
    zebra: 1,
    ...Object.fromEntries(Object.entries(audit).reverse()),
    alpha: [2],
  } as unknown as AuditFile;
  const text = renderAuditFile(shuffled);
  expect(Object.keys(JSON.parse(text) as object)).toEqual([...Object.keys(audit), "zebra", "alpha"]);
  expect(renderAuditFile(parseAuditFile(text, "x"))).toBe(text);
  expect(text.endsWith("}\n")).toBe(true);
});

test("parseAuditFile() reads any 1.x and keeps what it does not know", () => {
  expect(read({ schema_version: "1.7.2", later: { deep: [1] } })()).toMatchObject({
    schema_version: "1.7.2",
    later: { deep: [1] },
  });
});

test.each([
  { name: "another major version", more: { schema_version: "2.0.0" }, message: "no other major version" },
  { name: "an absolute source", more: { source: "/srv/x.md" }, message: "relative path" },
  { name: "an absolute source on a drive", more: { source: "C:\\x.md" }, message: "relative path" },
  { name: "a verdict of its own", more: { verdict: "PASS (effective)" }, message: "verdict" },
  { name: "a bare hash", more: { source_sha256: "ab" }, message: "64 hex digits" },
  { name: "local time", more: { created_at: "2030-01-01 00:00" }, message: "UTC" },
  {
    name: "an automatic commit",
    more: { gate: { level: "draft", decision: "open", blocking: [], evaluated_at: "x", auto_commit: true } },
    message: "auto_commit",
  },
])("parseAuditFile() refuses $name", ({ more, message }) => {
  expect(read(more)).toThrow(message);
});

test("parseAuditFile() sends old files to the import", () => {
  expect(() => parseAuditFile('{"skill":"s"}', "old.json")).toThrow("before version 1");
  expect(() => parseAuditFile("nonsense", "old.json")).toThrow("it is no JSON");
});

test("renderAuditFile() refuses data that do not fit", () => {
  expect(() => renderAuditFile({ ...audit, source: "/abs" })).toThrow(RangeError);
});

test("the published JSON Schema is that of this version, and takes what we write", () => {
  const schema = createAuditJsonSchema();
  expect(
    JSON.parse(readFileSync("schemas/publish-audit.schema.json", "utf8")),
    "run npx tsx scripts/schemas.ts",
  ).toEqual(JSON.parse(JSON.stringify(schema)));
  const validate = new Ajv2020({ strict: false }).compile(schema);
  expect(validate(JSON.parse(renderAuditFile(audit)))).toBe(true);
  expect(validate({ ...audit, verdict: "FINE" })).toBe(false);
  expect(auditFileSchema.safeParse(audit).success).toBe(true);
});

test("parseStageArtefact() refuses an artefact of another shape", () => {
  expect(() => parseStageArtefact('{"stage":"lint"}', "lint.json")).toThrow("at verdict");
  expect(() => parseStageArtefact("{", "lint.json")).toThrow("it is no JSON");
});
