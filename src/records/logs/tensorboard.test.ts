import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untagNumber, type CommonMetric, type MetricLog } from "../../core/index.js";
import { crc32c, maskCrc } from "./crc32c.js";
import { readMetricLogs } from "./read-metric-logs.js";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "turnwise-events-"))));
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, data: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, data);
  return path;
}

/** Returns the updates and values of a common metric, as written. */
function series({ columns, rows }: MetricLog, metric: CommonMetric): (readonly [number, number | undefined])[] {
  const column = columns.findIndex((candidate) => candidate.metric === metric);
  return rows.flatMap(({ updateIndex, values }) =>
    values[column] === undefined ? [] : [[updateIndex, untagNumber(values[column])] as const],
  );
}

const problemClasses = (log: MetricLog): string[] => log.problems.map(({ problemClass }) => problemClass);

test("an event file that tensorboardX wrote is read: scalars, not histograms and texts", async () => {
  const [log] = await readMetricLogs(fileURLToPath(new URL("fixtures/events.out.tfevents.1.example", import.meta.url)));
  expect(log.problems).toEqual([]);
  expect(log.columns.map(({ name }) => name).sort()).toEqual(["train/grad_norm", "train/reward"]);
  expect(series(log, "reward")).toEqual([
    [0, 0],
    [1, 0.25],
    [2, 0.5],
  ]);
  expect(series(log, "grad_norm")).toEqual([
    [0, 0.5],
    [1, NaN],
    [2, 0.5],
  ]);
});

/** Returns the bytes of a protocol buffer field. */
function field(number: number, data: Uint8Array | number): Buffer {
  if (typeof data === "number") return Buffer.from([number * 8, data]);
  return Buffer.concat([Buffer.from([number * 8 + 2, data.length]), data]);
}

function scalarEvent(step: number, tag: string, value: number, asTensor = false): Buffer {
  const wall = Buffer.alloc(9);
  wall[0] = 9;
  wall.writeDoubleLE(1000 + step, 1);
  const float = Buffer.alloc(5);
  float[0] = 2 * 8 + 5;
  float.writeFloatLE(value, 1);
  const tensor = field(8, Buffer.concat([field(1, 1), field(4, float.subarray(1))]));
  const summary = field(1, Buffer.concat([field(1, Buffer.from(tag)), asTensor ? tensor : float]));
  return Buffer.concat([wall, field(2, step), field(5, summary)]);
}

function tfRecord(data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(data.length, 0);
  head.writeUInt32LE(maskCrc(crc32c(head.subarray(0, 8))), 8);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(maskCrc(crc32c(data)), 0);
  return Buffer.concat([head, data, tail]);
}

test("crc32c() gives the check value of the standard", () => {
  expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
});

const events = [
  scalarEvent(1, "train/reward", 0.5),
  scalarEvent(1, "train/loss", NaN),
  scalarEvent(2, "train/reward", 0.25, true),
].map(tfRecord);

test("TensorBoard events become rows, scalars and scalar tensors alike", async () => {
  const [log] = await readMetricLogs(await write("events.out.tfevents.1.host", Buffer.concat(events)));
  expect(log).toMatchObject({ format: "tensorboard", problems: [] });
  expect(series(log, "reward")).toEqual([
    [1, 0.5],
    [2, 0.25],
  ]);
  expect(series(log, "loss")).toEqual([[1, NaN]]);
  expect(log.rows[0]).toMatchObject({ timeSeconds: 1001, record: 1 });
});

test("a TensorBoard tag that is written again with the same value is no second row", async () => {
  const again = [events[0], events[1], events[0], tfRecord(scalarEvent(1, "train/epoch", 0.5))];
  const [log] = await readMetricLogs(await write("again.tfevents.1", Buffer.concat(again)));
  expect(log.rows).toHaveLength(1);
});

test("a damaged TensorBoard record is left out, and a damaged length ends the file", async () => {
  const damaged = Buffer.concat(events);
  damaged[events[0].length + 20] ^= 1;
  expect(problemClasses((await readMetricLogs(await write("a.tfevents.1", damaged)))[0])).toEqual(["damaged_record"]);
  const lost = Buffer.concat(events);
  lost[events[0].length] ^= 1;
  const [log] = await readMetricLogs(await write("b.tfevents.1", lost));
  expect(problemClasses(log)).toEqual(["lost_records"]);
  expect(log.rows).toHaveLength(1);
});

test("TensorBoard files cut anywhere give what is whole, or say why nothing is", async () => {
  const whole = Buffer.concat(events);
  for (let length = 1; length < whole.length; length += 1) {
    const path = await write("cut.tfevents.1", whole.subarray(0, length));
    if (length < events[0].length) await expect(readMetricLogs(path)).rejects.toMatchObject({ kind: "input" });
    else {
      const [log] = await readMetricLogs(path);
      const isWhole = length === events[0].length || length === events[0].length + events[1].length;
      expect(problemClasses(log)).toEqual(isWhole ? [] : ["torn_tail"]);
    }
  }
});
