import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
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

const good = { ids: [1, 2], lossMask: [0, 1], actionMask: [0, 1] };
const lines = (...records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

test("audit mask ends with 3 when no record could be read, or no sample could be judged", async () => {
  const unread = await run("audit", "mask", await write("unread.jsonl", lines({ ids: ["a"], lossMask: [1] })));
  expect(unread).toMatchObject({ code: 3, out: "" });
  expect(unread.error).toContain("no record of it could be read (1 found): line 1: its ids are no list of token ids");
  const bare = await run("audit", "mask", await write("bare.jsonl", lines({ ids: [1, 2], lossMask: [0, 1] })));
  expect(bare).toMatchObject({ code: 3, out: "" });
  expect(bare.error).toContain("no rule about masks could judge a sample of it (1 read): ");
  expect(bare.error).toContain("give an action mask");
  const empty = await run("audit", "mask", await write("empty.jsonl", lines({ ids: [], lossMask: [] })));
  expect(empty.code).toBe(3);
  expect(empty.out).toContain("NOTE     nothing-trained: the sample holds no token");
});

test("audit mask says in a line of its own which records of a mixed file it could not read", async () => {
  const path = await write("mixed.jsonl", lines(good, { ids: ["a"], lossMask: [1] }, good, 3));
  const { code, out } = await run("audit", "mask", path);
  expect(code).toBe(0);
  expect(out).toContain(`UNREAD   2 records of ${path} could not be read, beside 2 samples that could`);
  expect(out).toContain("line 2: its ids are no list of token ids");
  const { files } = JSON.parse((await run("audit", "mask", path, "--json")).out) as {
    files: [{ unreadCount: number; rowCount: number; judgedCount: number }];
  }; // written by the command
  expect(files[0]).toMatchObject({ unreadCount: 2, rowCount: 2, judgedCount: 2 });
});

test("audit mask finds a loss mask with other values than 0 and 1, and fields that cannot be used", async () => {
  const path = await write("fields.jsonl", lines({ ...good, lossMask: [2, -1] }, { ...good, turns: "two" }));
  const { code, out } = await run("audit", "mask", path);
  expect(code).toBe(1);
  expect(out).toContain(
    'ERROR    unusable-field: "lossMask" cannot be used, so the sample is not judged: entry 0 is 2',
  );
  expect(out).toContain('WARNING  unusable-field: "turns" cannot be used: it is no list of turns');
});

test("one bad file takes neither findings nor SARIF of the others with it, and ends with 3", async () => {
  const paths = [await write("fine.csv", csv(30, 1)), join(folder, "nowhere.csv"), await write("text.txt", "hello")];
  const sarif = join(folder, "some.sarif");
  const { code, out, error } = await run("audit", "log", ...paths, "--sarif", sarif);
  expect(code).toBe(3);
  expect(out).toContain("ERROR    clipped-responses");
  expect(out).toContain(`REFUSED  Cannot read "${paths[1]}": there is no such file`);
  expect(out).toContain("its format was not recognised");
  expect(error).toContain("Cannot audit 2 of the files");
  expect(await readFile(sarif, "utf8")).toContain("clipped-responses");
  const masks = [await write("ok.jsonl", lines(good)), join(folder, "nowhere.jsonl")];
  const result = await run("audit", "mask", ...masks, "--json");
  expect(result.code).toBe(3);
  expect(JSON.parse(result.out)).toMatchObject({ files: [{ rowCount: 1 }], refused: [{ file: masks[1] }] });
});

test.each([
  { name: "a.parquet", bytes: "PAR1xxxx", says: "it is a Parquet table, not text" },
  { name: "a.pkl", bytes: "\u0080\u0004\u0095", says: "it is a Python pickle" },
  { name: "a.npy", bytes: "\u0093NUMPY\u0001", says: "it is a NumPy array" },
  { name: "a.pt", bytes: "PK\u0003\u0004aaaa", says: "it is a zip archive" },
  { name: "a.png", bytes: "\u0089PNG\r\n", says: "it is an image" },
  { name: "a.txt", bytes: "hello world", says: "hello" },
  { name: "a.yaml", bytes: "a: 1\nb: 2\n", says: "a" },
  { name: "n.json", bytes: "42", says: "it begins with" },
])("audits refuse $name with what it is and what to do", async ({ name, bytes, says }) => {
  const path = await write(name, Buffer.from(bytes, "latin1"));
  for (const kind of ["log", "mask"]) {
    const { code, error } = await run("audit", kind, path);
    expect(code).toBe(3);
    expect(error).toContain(says);
    expect(error.trimEnd().split("\n")).toHaveLength(2);
  }
});

test("audit log of a folder lists what it passed over", async () => {
  await mkdir(join(folder, "logs"));
  await write("logs/progress-a.csv.gz", gzipSync(csv(30, 0.1)));
  await write("logs/notes.txt", "hello");
  const { code, out } = await run("audit", "log", join(folder, "logs"));
  expect(code).toBe(0);
  expect(out).toContain("Passed over 1 file:");
  expect(out).toContain("notes.txt: it was not recognised as a training log");
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
