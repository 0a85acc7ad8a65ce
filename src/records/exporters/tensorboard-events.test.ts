import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untagNumber } from "../../core/index.js";
import { readMetricLogs } from "../logs/read-metric-logs.js";
import { encodeEventFileHeader, encodeScalarEvent } from "./tensorboard-events.js";

test("an event file written here is read back: steps, tags and values, NaN included", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnwise-events-"));
  const path = join(folder, "events.out.tfevents.1.turnwise");
  const events = [
    { step: 0, wallTime: 1000, scalars: { reward: 0.25, grad_norm: 1 } },
    { step: 300, wallTime: 1001, scalars: { reward: NaN, grad_norm: 2 } },
  ];
  await writeFile(path, Buffer.concat([encodeEventFileHeader(1000), ...events.map(encodeScalarEvent)]));
  const [log] = await readMetricLogs(path);
  expect(log.problems).toEqual([]);
  expect(log.columns).toEqual([
    { name: "reward", metric: "reward" },
    { name: "grad_norm", metric: "grad_norm" },
  ]);
  expect(log.rows.map(({ updateIndex, values }) => [updateIndex, ...values.map((v) => v && untagNumber(v))])).toEqual([
    [0, 0.25, 1],
    [300, NaN, 2],
  ]);
  await rm(folder, { recursive: true });
});
