// Publishes the tutorial as its readers would, offline and without a reviewer. The state it ends in is on record here:
// open as a draft, closed for release because nobody independent has reviewed it. A review made up to open the release
// gate would be a forgery; a real one changes this test.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gateFiles, publishAll, type PublishAllResult } from "../../src/commands/index.js";
import type { ClaimsDetails, StageArtefact } from "../../src/publish/index.js";
import { repositoryRoot } from "./workspace.js";

const file = "docs/tutorials/agentic-rl.md";
const summaryFile = join(repositoryRoot, "experiments/results/summary.json");

interface Cell {
  readonly disclosure: string;
  readonly maxTurns: number;
  readonly k: number;
  readonly mean: number;
}

describe("the tutorial on agentic RL", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-tutorial-"));
  const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(path, "utf8")) as Value; // written by us
  let published: PublishAllResult;

  beforeAll(async () => {
    published = await publishAll([file], { out: folder, now: () => new Date("2030-01-01T00:00:00Z") });
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const getVerdicts = () =>
    Object.fromEntries(published.documents[0].gate.stages.map(({ stage, verdict }) => [stage, verdict]));

  test("is open as a draft: lint, code and claims pass, and nobody has reviewed it", () => {
    expect(published.exitCode).toBe(0);
    expect(published.documents[0].gate.decision).toBe("open");
    expect(getVerdicts()).toMatchObject({ lint: "PASS", code: "PASS", claims: "PASS", content: "REVIEW_UNAVAILABLE" });
  });

  test("is closed for release by the missing reviewer, with exit code 1", async () => {
    const { documents, exitCode } = await gateFiles([file], { out: folder, level: "release", isRecorded: false });
    expect(exitCode).toBe(1);
    expect(documents[0].decision).toBe("closed");
    expect(documents[0].blocking).toContainEqual({
      stage: "content",
      verdict: "REVIEW_UNAVAILABLE",
      reason_code: "reviewer-missing",
    });
  });

  test("shows on its page that it was not reviewed, and each unverified statement", () => {
    const html = readFileSync(join(folder, "agentic-rl.html"), "utf8");
    const strip = /<[^>]*class="[^"]*verdict[^]*?Summary<\/h2>/.exec(html)?.[0] ?? "";
    expect(strip).toContain("REVIEW_UNAVAILABLE");
    const marked = [...html.matchAll(/data-status="hedged"/g)].length;
    expect(marked).toBeGreaterThan(10);
    expect([...strip.matchAll(/data-hedged/g)]).toHaveLength(marked);
  });

  test("has the sections, questions and code that it promises", () => {
    const { details } = readJson<StageArtefact<ClaimsDetails>>(join(folder, "agentic-rl.publish/claims.json"));
    expect(details.claims.find(({ id }) => id === "c:question-count")?.value).toBe(25);
    const source = readFileSync(join(repositoryRoot, file), "utf8");
    expect([...source.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(source.match(/^```ts/gm)?.length).toBe(source.match(/^```ts exec=run .*expect=/gm)?.length);
  });

  test.skipIf(!existsSync(summaryFile))("takes the numbers of the experiment from the cells that it names", () => {
    const { details } = readJson<StageArtefact<ClaimsDetails>>(join(folder, "agentic-rl.publish/claims.json"));
    const arms = readJson<{ env: string; arms: { arm: string; cells: Cell[] }[] }[]>(summaryFile).find(
      ({ env }) => env === "vault",
    )?.arms;
    for (const arm of ["base", "rl-large", "rl-tight", "curriculum", "budgetmix"])
      for (const turns of [2, 3, 4, 12]) {
        const disclosure = arm === "budgetmix" ? "static" : "hidden";
        const cell = arms
          ?.find((each) => each.arm === arm)
          ?.cells.find((each) => each.disclosure === disclosure && each.maxTurns === turns && each.k === 1);
        expect(details.claims.find(({ id }) => id === `c:vault-${arm}-${turns}`)?.value, `${arm} ${turns}`).toBe(
          cell?.mean,
        );
      }
  });
});
