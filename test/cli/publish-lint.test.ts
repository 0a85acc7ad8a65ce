import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFolder, runTurnwise } from "./cli.js";

const folder = createFolder();
afterAll(() => folder.remove());
const run = (...args: string[]) => runTurnwise(["publish", ...args], { cwd: folder.path });
const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
const head = (id: string, more = ""): string => `---\nid: ${id}\nkind: page\nlang: en\n${more}---\n\n`;

test.each([
  { args: ["lint"], code: 2, says: "without a document" },
  { args: ["lint", "none.md"], code: 3, says: "none.md" },
  { args: ["lint", "--rule", "math.aritt", "none.md"], code: 3, says: "none.md" },
  { args: ["lint", "--level", "high", "none.md"], code: 2, says: "draft, release" },
  { args: ["lint", "--threshold", "x", "none.md"], code: 2, says: "rule.name=number" },
  { args: ["code", "none.md"], code: 3, says: "none.md" },
  { args: ["parity", "none.md"], code: 2, says: "translation" },
])("turnwise publish $args ends with $code", async ({ args, code, says }) => {
  const result = await run(...args);
  expect(result.code).toBe(code);
  expect(result.stderr).toContain(says);
});

test("lint judges, writes its artefact and SARIF, and says what is next", async () => {
  write("a.md", `${head("a")}##Glued\n\nTODO: $2 \\times 2 = 5$.\n`);
  const result = await run("lint", "a.md", "--sarif", "a.sarif", "-o", "out");
  expect(result.code).toBe(1);
  expect(result.stdout).toContain('a.md:9  math.arith  "2 \\times 2" is 4, not "5"');
  expect(result.stdout).toContain("next     turnwise publish code a.md");
  const artefact: unknown = JSON.parse(readFileSync(join(folder.path, "out/a.publish/lint.json"), "utf8"));
  expect(artefact).toMatchObject({ stage: "lint", verdict: "FAIL", details: { counts: { error: 2, warning: 1 } } });
  expect(readFileSync(join(folder.path, "a.sarif"), "utf8")).toContain("partialFingerprints");
});

test("--fix-safe --dry-run shows, --fix-safe mends", async () => {
  write("b.md", `${head("b")}##Glued \n`);
  const shown = await run("lint", "b.md", "--fix-safe", "--dry-run", "-o", "dry");
  expect(shown.stdout).toContain("-##Glued \n+## Glued");
  expect(existsSync(join(folder.path, "dry"))).toBe(false);
  expect(readFileSync(join(folder.path, "b.md"), "utf8")).toContain("##Glued \n");
  expect((await run("lint", "b.md", "--fix-safe")).code).toBe(0);
  expect(readFileSync(join(folder.path, "b.md"), "utf8")).toContain("\n## Glued\n");
});

test("parity names what differs, and lint of both does so by itself", async () => {
  write("c.md", `${head("c")}## One\n\n## Two\n`);
  write("c.vi.md", `${head("c-vi", "translation_of: c\n").replace("lang: en", "lang: vi")}## Một\n`);
  const alone = await run("parity", "c.md", "c.vi.md", "--json");
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain("headings of level 2: 1 here, 2 in the original");
  expect((await run("lint", "c.md", "c.vi.md")).stdout).toContain("c.vi.md  parity FAIL");
});

test("code runs what is marked and blocks what it cannot run", async () => {
  write("d.md", `${head("d")}\`\`\`ts exec=run expect=3\nconst a: number = 1;\na + 2;\n\`\`\`\n`);
  expect(await run("code", "d.md")).toMatchObject({ code: 0 });
  write("e.md", `${head("e")}\`\`\`python exec=run\nprint(1)\n\`\`\`\n`);
  const blocked = await run("code", "e.md", "--python", "none");
  expect(blocked.code).toBe(1);
  expect(blocked.stdout).toContain("BLOCKED e.md:7");
});

test("a ban list in plain text inside a repository is refused, a hashed one is taken", async () => {
  write("f.md", `${head("f")}We work at Acme Labs.\n`);
  write("ban.txt", "acme labs\n");
  expect((await run("lint", "f.md", "--ban-list", "ban.txt")).stdout).toContain("entry 1 of the ban list");
  const hashed = await run("lint", "--hash-ban-list", "ban.txt");
  expect(hashed.stdout).toMatch(/^sha256:ban\.txt:2:[0-9a-f]{64}\n$/);
  write("hashed.txt", hashed.stdout);
  const found = await run("lint", "f.md", "--ban-list", "hashed.txt");
  expect(found.stdout).toContain("entry 1 of the ban list");
  expect(found.stdout).not.toContain("acme labs");
  write(".git", "gitdir: elsewhere\n");
  expect(await run("lint", "f.md", "--ban-list", "ban.txt")).toMatchObject({ code: 2 });
  expect((await run("lint", "f.md", "--ban-list", "hashed.txt")).stdout).toContain("entry 1 of the ban list");
});
