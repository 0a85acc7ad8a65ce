import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSource, importAll } from "../../../test/support/importing.js";
import { outcomeTable } from "../../../test/support/import-samples.js";
import { openImportSource } from "../reading/source.js";
import type { OutcomeRow, OutcomeTable } from "./outcomes.js";
import { createOutcomeTable, outcomesImporter } from "./outcomes.js";

test("reads counted turns without transcripts, stop labels, and each policy's own limit", async () => {
  const { trajectories, problems } = await importAll(outcomesImporter, createSource("barns.json", outcomeTable));
  expect(problems).toEqual([]);
  expect(
    trajectories.map(({ policy, task, sampleIndex, turns, success, stopReason, budget }) => [
      policy.id,
      task.id,
      sampleIndex,
      turns.length,
      success,
      stopReason.type,
      budget.maxTurns,
    ]),
  ).toEqual([
    ["base", "b1", 0, 3, false, "max_turns", 3],
    ["base", "b2", 0, 2, true, "env_end", 3],
    ["base", "b2", 1, 1, false, "env_end", 3],
    ["rl", "b1", 0, 1, undefined, "error", 1],
    ["rl", "b2", 0, 1, true, "env_end", 1],
  ]);
  expect(trajectories[0].provenance?.notes.join(" ")).toContain("no transcripts");
});

test("policies share tasks, so that they can be compared by task", async () => {
  const { trajectories } = await importAll(outcomesImporter, createSource("barns.json", outcomeTable));
  expect(trajectories[0].task.hash).toBe(trajectories[3].task.hash);
});

test.each([
  { name: "a task that is not listed", row: [9, 0, 1, 1] },
  { name: "a negative turn count", row: [0, 0, -1, 1] },
  { name: "too short a row", row: [0] },
  { name: "no row", row: "x" },
])("reports $name", async ({ row }) => {
  const table = { ...outcomeTable, policies: [{ id: "base", episodes: [row, [0, 0, 1, 1]] }] };
  const { trajectories, problems } = await importAll(outcomesImporter, createSource("barns.json", table));
  expect(trajectories).toHaveLength(1);
  expect(problems).toMatchObject([{ severity: "skipped", position: 0 }]);
});

test("createOutcomeTable() and the importer are inverse", async () => {
  const row: fc.Arbitrary<OutcomeRow> = fc.oneof(
    fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 50 }), fc.integer({ min: 1, max: 3 }), fc.constant(1 as const)),
    fc.tuple(
      fc.nat({ max: 1 }),
      fc.nat({ max: 50 }),
      fc.integer({ min: 1, max: 2 }),
      fc.constant(0 as const),
      fc.constantFrom("wrong_final" as const, "quit" as const, "max_seconds" as const),
    ),
    fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 50 }), fc.constant(3), fc.constant(0 as const)),
  );
  const rows = fc.uniqueArray(row, { minLength: 1, selector: ([task, sample]) => `${task} ${sample}` });
  await fc.assert(
    fc.asyncProperty(rows, async (episodes) => {
      const table = {
        ...outcomeTable,
        policies: [{ id: "base", label: "base", episodes: [[0, 99, 1, 1], [1, 99, 1, 1], ...episodes] }],
      };
      const { trajectories } = await importAll(outcomesImporter, createSource("barns.json", table));
      const again = createOutcomeTable(
        {
          title: "Barns",
          source: { repository: "", commit: "", licence: "", turn: "" },
          envId: "barns",
          terminalRule: "hard",
          maxTurns: 3,
        },
        [{ id: "base", label: "base", trajectories }],
      );
      expect(again.policies).toEqual(table.policies);
      expect(again.tasks).toEqual(["b1", "b2"]);
    }),
  );
});

test("every table that ships reads without a problem and names its source and licence", async () => {
  const files = readdirSync("data/outcomes");
  expect(files.length).toBeGreaterThanOrEqual(6);
  for (const file of files) {
    const source = await openImportSource(`data/outcomes/${file}`);
    const { trajectories, problems } = await importAll(outcomesImporter, source);
    expect(problems).toEqual([]);
    expect(trajectories.length).toBeGreaterThan(0);
    const table = JSON.parse(Buffer.from(await source.readAll()).toString("utf8")) as OutcomeTable; // made by our script
    expect(table.source.repository).toMatch(/^https:/);
    expect(table.source.licence).toBe("MIT");
    expect(table.source.turn).not.toBe("");
  }
});
