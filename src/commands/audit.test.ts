import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TurnwiseError } from "../core/index.js";
import { logRules, maskRules, renderRuleReference } from "../diagnose/index.js";
import { runCli } from "../cli/run-cli.js";
import { auditLogFiles, auditMaskFiles, renderSarif } from "./audit.js";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "turnwise-audit-"))));
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, data: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, data);
  return path;
}

async function run(...args: readonly string[]) {
  const text = { out: "", error: "" };
  const code = await runCli(args, {
    stdout: { write: (part: string) => (text.out += part) },
    stderr: { write: (part: string) => (text.error += part) },
  });
  return { code, ...text };
}

const csv = (rows: number, clipped: number): string =>
  [
    "step,response_length/clip_ratio,actor/entropy",
    ...Array.from({ length: rows }, (_, i) => `${i + 1},${clipped},0.5`),
  ].join("\n");

test("audit log ends with 1 on an error, shows place and remedy, and lists rules that could not judge", async () => {
  const path = await write("clipped.csv", csv(30, 1));
  const { code, out } = await run("audit", "log", path);
  expect(code).toBe(1);
  expect(out).toContain("ERROR    clipped-responses: 100 % of responses were cut at the length limit");
  expect(out).toContain(`at ${path}:22, update 21`);
  expect(out).toContain("not judged  kl-blow-up: the log states no KL divergence");
});

test("audit log ends with 0 when a threshold, a rule list or --disable leaves no error", async () => {
  const path = await write("limits.csv", csv(30, 1));
  expect((await run("audit", "log", path, "--disable", "clipped-responses")).code).toBe(0);
  expect((await run("audit", "log", path, "--rule", "entropy-collapse")).code).toBe(0);
  expect((await run("audit", "log", path, "--threshold", "clipped-responses.errorShare=2")).code).toBe(0);
});

test.each([
  { args: ["audit", "log"], code: 2, says: "Name training logs" },
  { args: ["audit", "mask"], code: 2, says: "Name training samples" },
  { args: ["audit", "log", "x.csv", "--rule", "nothing"], code: 2, says: "rules are non-finite-value" },
  { args: ["audit", "log", "x.csv", "--threshold", "kl-blow-up.maxKl"], code: 2, says: "rule.name=number" },
  { args: ["audit", "log", "x.csv", "--threshold", "kl-blow-up.most=3"], code: 2, says: "thresholds are" },
  { args: ["audit", "log", "nowhere.csv"], code: 3, says: "no such file" },
  { args: ["audit", "mask", "nowhere.jsonl"], code: 3, says: "no such file" },
])("turnwise $args ends with $code and says $says", async ({ args, code, says }) => {
  const result = await run(...args);
  expect(result).toMatchObject({ code, out: "" });
  expect(result.error).toContain(says);
});

test("audit log refuses a log without a known metric, names its columns, and reads it once one is named", async () => {
  const path = await write("unknown.csv", "step,my_score,my_other\n1,0.5,1\n2,0.6,1\n");
  const { code, out, error } = await run("audit", "log", path);
  expect({ code, out }).toEqual({ code: 3, out: "" });
  expect(error).toContain("none of its columns is a known metric: my_score, my_other");
  expect(error).toContain("--metric reward=COLUMN");
  expect((await run("audit", "log", path, "--rule", "non-finite-value")).code).toBe(0);
  expect((await run("audit", "log", path, "--metric", "reward=my_score")).code).toBe(0);
});

test("audit mask shows the tokens around the place and writes SARIF beside JSON", async () => {
  const sample = {
    ids: [1, 2, 3, 4],
    lossMask: [0, 1, 1, 1],
    actionMask: [0, 1, 0, 1],
    texts: ["ask", "look", "door", "go"],
    roles: ["user", "assistant", "tool", "assistant"],
  };
  const path = await write("samples.jsonl", `${JSON.stringify(sample)}\n`);
  const { code, out } = await run("audit", "mask", path);
  expect(code).toBe(1);
  expect(out).toContain("ask [look~] ^[door] [go~]");
  const sarif = join(folder, "out.sarif");
  const json = await run("audit", "mask", path, "--json", "--sarif", sarif);
  expect(JSON.parse(json.out)).toMatchObject({
    kind: "mask",
    counts: { error: 1 },
    files: [{ rowCount: 1, facts: { trainedCount: 3 } }],
  });
  expect(JSON.parse(await readFile(sarif, "utf8"))).toMatchObject({
    version: "2.1.0",
    runs: [{ results: [{ ruleId: "observation-trained", level: "error" }] }],
  });
});

test("errors beyond the findings shown still end with 1", async () => {
  const rows = [
    "step,a,b",
    ...Array.from({ length: 20 }, (_, i) => `${i + 1},${i === 3 ? "nan" : 1},${i > 9 ? "nan" : 1}`),
  ];
  const path = await write("many.csv", rows.join("\n"));
  const { code, out } = await run(
    "audit",
    "log",
    path,
    "--max-findings",
    "1",
    "--threshold",
    "non-finite-value.maxShare=0.2",
  );
  expect(code).toBe(1);
  expect(out).toContain("1 more finding not shown");
});

test("--metric takes a column as a metric, and refuses metrics and columns that do not exist", async () => {
  const path = await write(
    "own.csv",
    ["step,my/cut", ...Array.from({ length: 12 }, (_, i) => `${i + 1},1`)].join("\n"),
  );
  expect((await run("audit", "log", path)).code).toBe(3);
  const { code, out } = await run("audit", "log", path, "--metric", "clipped_share=my/cut");
  expect(code).toBe(1);
  expect(out).toContain("clipped_share = my/cut");
  expect(await run("audit", "log", path, "--metric", "cut=my/cut")).toMatchObject({ code: 2 });
  expect(await run("audit", "log", path, "--metric", "kl=my/kl")).toMatchObject({
    code: 3,
    error: expect.stringContaining("columns are my/cut") as unknown,
  });
});

const procgen = "../shared/real-data/procgen-training-logs";
test.skipIf(!existsSync(procgen))(
  "no rule fires on six healthy Procgen logs, and each damage done to one is found (skipped without ../shared/real-data)",
  async () => {
    const paths = [0, 1, 2].flatMap((i) =>
      ["train", "test"].map((split) => join(procgen, `hard-500-run${i}`, `progress-coinrun-${split}.csv.gz`)),
    );
    expect((await auditLogFiles(paths)).findings).toEqual([]);
    const lines = gunzipSync(await readFile(paths[0]))
      .toString("utf8")
      .trimEnd()
      .split("\n");
    const entropy = lines[0].split(",").indexOf("loss/policy_entropy");
    const damage = (from: number, change: (value: string) => string): string =>
      lines
        .map((line, i) =>
          i < from
            ? line
            : line
                .split(",")
                .map((cell, j) => (j === entropy ? change(cell) : cell))
                .join(","),
        )
        .join("\n");
    const cases = [
      { text: damage(2000, () => "nan"), rules: ["non-finite-value"] },
      { text: damage(2000, (value) => String(Number(value) / 100)), rules: ["entropy-collapse"] },
      { text: [...lines, ...lines.slice(2000)].join("\n"), rules: ["repeated-updates"] },
      { text: [...lines, ...lines].join("\n"), rules: ["repeated-updates"] },
    ];
    for (const { text, rules } of cases) {
      const { findings } = await auditLogFiles([await write("damaged.csv", text)]);
      expect(findings.map(({ ruleId }) => ruleId)).toEqual(rules);
    }
  },
);

test("renderSarif() names files below the base relative to it", async () => {
  const result = await auditLogFiles([await write("relative.csv", csv(30, 1))]);
  expect(JSON.stringify(renderSarif(result, folder))).toContain('"uri":"relative.csv"');
});

test("--list names every rule with its thresholds, and every format", async () => {
  const { out, code } = await run("audit", "log", "--list");
  expect(code).toBe(0);
  for (const { id } of logRules) expect(out).toContain(id);
  expect(out).toContain("maxUpdateKl = 0.2");
  expect(out).toContain("tensorboard");
});

test("files of random bytes or lines are audited or refused, and never crash the readers", async () => {
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom(
      "step,reward,loss",
      '{"step": 1, "data": {"reward": 1}}',
      "1,nan,inf",
      "step:1 - a:b",
      '{"ids": [1], "lossMask": [1, 0]}',
      '{"nodes": [{"parent": 0}]}',
      '{"completion_ids": [[1]], "logprobs": [null]}',
    ),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(lines.join("\n"))),
  );
  let audited = 0;
  await fc.assert(
    fc.asyncProperty(bytes, async (data) => {
      const path = await write("random", data);
      for (const audit of [auditLogFiles, auditMaskFiles]) {
        await audit([path]).then(
          () => (audited += 1),
          (error: unknown) => expect(error).toBeInstanceOf(TurnwiseError),
        );
      }
    }),
    { numRuns: 150 },
  );
  expect(audited).toBeGreaterThan(0);
});

test("the reference of audit rules is what the rules say", async () => {
  const text = [
    "# Rules of `turnwise audit`",
    "",
    "Written from the rules themselves; `turnwise audit log --list` and `turnwise audit mask --list` print the short form.",
    "A threshold is changed with `--threshold rule.name=value`. A rule that lacks what it needs is listed as not judged:",
    "that is not a pass.",
    "",
    "## Training logs",
    "",
    renderRuleReference(logRules),
    "## Training samples",
    "",
    renderRuleReference(maskRules),
  ].join("\n");
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot("../../docs/audit-rules.md");
});
