import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-cli-review-"));
  folders.push(folder);
  const file = join(folder, "note.md");
  writeFileSync(
    file,
    "---\nid: note\nkind: page\nlang: en\ntitle: A note\n---\n\n# A note\n\n## 1 One\n\nSome words.\n",
  );
  const out = join(folder, "out");
  async function run(...args: string[]) {
    const text = { stdout: "", stderr: "" };
    const stream = (name: "stdout" | "stderr") => ({ write: (part: string) => void (text[name] += part) });
    const code = await runCli(["publish", ...args], { stdout: stream("stdout"), stderr: stream("stderr") });
    return { code, ...text };
  }
  return { folder, file, out, run };
}

test("publish review without a reviewer says so, and the gate opens at draft and not at release", async () => {
  const { file, out, run } = setUp();
  const review = await run("review", file, "-o", out, "--json");
  expect(review.code).toBe(0);
  expect(JSON.parse(review.stdout)).toMatchObject({ verdict: "REVIEW_UNAVAILABLE", reason_code: "reviewer-missing" });
  expect((await run("gate", file, "-o", out)).code).toBe(0);
  const gate = await run("gate", file, "-o", out, "--level", "release", "--json");
  expect(gate.code).toBe(3);
  expect(JSON.parse(gate.stdout)).toMatchObject({ exitCode: 3, documents: [{ decision: "closed" }] });
  expect((await run("verify", out)).code).toBe(0);
  writeFileSync(file, "changed");
  expect((await run("verify", out)).code).toBe(3);
});

test("publish gate of a document that nothing was run on ends with 3, and of nothing with 2", async () => {
  const { file, out, run } = setUp();
  expect((await run("gate", file, "-o", out)).code).toBe(3);
  const nothing = await run("gate", "-o", out);
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toContain("Name documents, or give --all");
});

test("publish commands refuse what they cannot use", async () => {
  const { folder, file, out, run } = setUp();
  expect((await run("review", join(folder, "none.md"), "-o", out)).code).toBe(3);
  expect((await run("review", file, "-o", out, "--pass", "poetry")).code).toBe(2);
  expect((await run("review", file, "-o", out, "--backend", "command")).code).toBe(2);
  expect((await run("triage", file, "-o", out, "--accept", "f-1")).code).toBe(3);
  expect((await run("import", file, "-o", out)).code).toBe(3);
  expect((await run("verify", join(folder, "none"))).code).toBe(3);
});

test("publish audit, triage, residue and probe print what is on record", async () => {
  const { file, out, run } = setUp();
  await run("review", file, "-o", out);
  expect((await run("audit", file, "-o", out)).stdout).toContain("content REVIEW_UNAVAILABLE");
  expect((await run("triage", file, "-o", out)).stdout).toContain("0 findings");
  expect((await run("residue", file, "-o", out)).stdout).toContain("no corrections on record");
  expect((await run("probe", file, "-o", out)).stdout).toContain("no pass was answered");
});
