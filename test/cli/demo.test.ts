import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Report } from "../../src/report/index.js";
import { createFolder, runTurnwise, type CliRun } from "./cli.js";

const folder = createFolder();
afterAll(() => folder.remove());
const at = (...parts: string[]): string => join(folder.path, ...parts);
const output = "turnwise-demo";

/** Makes every connection fail, so that a demo that needs one does too. */
const offline = `import { Socket } from "node:net";
Socket.prototype.connect = () => { throw new Error("The demo opened a connection"); };`;

let demo: CliRun;
beforeAll(async () => {
  writeFileSync(at("offline.mjs"), offline);
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(at("offline.mjs")).href}` };
  demo = await runTurnwise(["demo", "-o", output], { cwd: folder.path, env });
}, 300_000);

const reports = (): string[] =>
  readdirSync(at(output), { recursive: true, encoding: "utf8" }).filter((path) =>
    /^[^/\\]+.report.report\.json$/.test(path),
  );
const readReport = (name: string): Report =>
  JSON.parse(readFileSync(at(output, name, "report", "report.json"), "utf8")) as Report; // what the demo wrote

test("turnwise demo ends without a connection and writes its reports and an index that links to each", () => {
  expect(demo.stderr).not.toContain("The demo opened a connection");
  expect(demo.code).toBe(0);
  expect(reports().length).toBeGreaterThanOrEqual(5);
  const index = readFileSync(at(output, "index.html"), "utf8");
  const links = [...index.matchAll(/href="([^"#]+report\.html)"/g)].map(([, href]) => href);
  expect(new Set(links).size).toBe(reports().length);
  for (const href of links) expect(readFileSync(at(output, href), "utf8")).toContain("</html>");
});

test("the demo's pages and reports hold no absolute path and load nothing", () => {
  for (const path of readdirSync(at(output), { recursive: true, encoding: "utf8" })) {
    if (!/\.html$|report\.json$/.test(path)) continue;
    const text = readFileSync(at(output, path), "utf8");
    expect({ path, hasFolder: text.includes(folder.path) }).toEqual({ path, hasFolder: false });
    if (!path.endsWith(".html")) continue;
    const loaded =
      text.match(
        /<link\b(?![^>]*\shref="data:)[^>]*>|<[a-z]+\b[^>]*\ssrc="(?!data:)[^"]*"|@import|url\((?!#|data:)/g,
      ) ?? [];
    expect({ path, loaded }).toEqual({ path, loaded: [] });
  }
});

test.each([
  { name: "frozen-lake", cause: "persistence" },
  { name: "lookup", cause: "recovery" },
  { name: "repair", cause: "decision" },
] as const)("the demo's report on $name names its true cause, $cause, and no other", ({ name, cause }) => {
  const { attribution } = readReport(name);
  const row = attribution?.rows.findLast(({ isIdentified }) => isIdentified);
  const gains = (["decision", "recovery", "persistence"] as const).filter((part) => row?.[part].verdict === "gain");
  expect(gains).toEqual([cause]);
  const sentence = new RegExp(`Of the difference of [^\\n]* ${cause}s? adds? `);
  expect(demo.stdout).toMatch(sentence);
});

test("the demo's training run gains at many turns, and its signals leave out what the episodes do not hold", () => {
  const { dynamics } = readReport("training");
  expect(dynamics?.checkpoints.map(({ updateIndex }) => updateIndex)).toEqual([0, 100, 200, 300]);
  const [, persistent, recovering, last] = dynamics?.checkpoints ?? [];
  expect(persistent.measures.quitError?.change?.interval?.upper).toBeLessThan(0);
  expect(recovering.measures.recoveryRate?.change?.interval?.lower).toBeGreaterThan(0);
  expect(last.measures.errorRate?.change?.interval?.lower).toBeGreaterThan(0);
  const [signals] = readReport("signals").signals ?? [];
  const progress = signals.assessments.find(
    ({ signal, target }) => signal === "oracle_progress" && target === "success",
  );
  expect(progress?.word).toBe("higher_means_yes");
  expect(signals.unavailable.map(({ id }) => id)).toContain("entropy");
});
