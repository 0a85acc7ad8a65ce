import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createParameterStore } from "../network/parameter-store.js";
import { readCheckpointInfo, readCheckpointState, writeCheckpoint } from "./checkpoint-files.js";
import { checkCodec } from "./checkpoint-info.js";

const network = { vocabularySize: 5, contextLength: 4, width: 8, layers: 1, heads: 2, valueHead: false };
const optimizer = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, maxGradNorm: 1 };
const info = {
  network,
  optimizer,
  codec: { id: "test", hash: "abc" },
  seed: 1,
  updates: 3,
  engine: "test",
  meta: { note: "kept word for word", list: [1, null] },
};

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "turnwise-checkpoint-"));
  folder = join(parent, "latest");
});
afterEach(() => rmSync(parent, { recursive: true }));

function makeState(value: number): Parameters<typeof writeCheckpoint>[2] {
  const create = (offset: number) => {
    const store = createParameterStore(network);
    store.flat.forEach((_, index) => {
      store.flat[index] = value + offset + index / 1000;
    });
    return store;
  };
  return { weights: create(0), firstMoment: create(10), secondMoment: create(20) };
}

const load = () => {
  const found = readCheckpointInfo(folder);
  return { ...found, state: readCheckpointState(found.folder, found.info, network) };
};

test("what was written is read, with and without a reference", () => {
  writeCheckpoint(folder, info, makeState(1));
  expect(load().state).toEqual(makeState(1));
  expect(load().info.meta).toEqual(info.meta);
  writeCheckpoint(folder, { ...info, updates: 4 }, { ...makeState(2), reference: makeState(3).weights });
  expect(load().state).toEqual({ ...makeState(2), reference: makeState(3).weights });
  expect(load().info.updates).toBe(4);
  expect(readdirSync(parent)).toEqual(["latest"]);
});

test("a disk that fills up while writing leaves the previous checkpoint valid and nothing beside it", () => {
  writeCheckpoint(folder, info, makeState(1));
  for (const room of [0, 100, 5000, 9000]) {
    let written = 0;
    const write = (descriptor: number, bytes: Uint8Array): number => {
      if (written >= room) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const count = writeSync(descriptor, bytes, 0, Math.min(bytes.length, 1000));
      written += count;
      return count;
    };
    expect(() => writeCheckpoint(folder, info, makeState(2), write)).toThrow("no space left on device");
    expect(load().state).toEqual(makeState(1));
    expect(readdirSync(parent)).toEqual(["latest"]);
  }
});

test("a checkpoint that stepped aside when its writer ended is found", () => {
  writeCheckpoint(folder, info, makeState(1));
  renameSync(folder, `${folder}.former`);
  expect(load().state).toEqual(makeState(1));
  writeCheckpoint(folder, info, makeState(2));
  expect(load().state).toEqual(makeState(2));
});

test("a folder that cannot be made is an input error that names it", () => {
  writeFileSync(folder, "a file");
  expect(() => writeCheckpoint(join(folder, "within"), info, makeState(1))).toThrow("Cannot write the checkpoint");
});

test.each([
  { name: "no folder", damage: () => rmSync(folder, { recursive: true }), message: 'there is no "checkpoint.json"' },
  {
    name: "a cut description",
    damage: () => truncateSync(join(folder, "checkpoint.json"), 20),
    message: '"checkpoint.json" is no JSON',
  },
  {
    name: "another schema",
    damage: () => writeFileSync(join(folder, "checkpoint.json"), '{"schema":"other/9"}'),
    message: 'not of schema "turnwise-checkpoint/1"',
  },
  {
    name: "missing weights",
    damage: () => rmSync(join(folder, "model.safetensors")),
    message: '"model.safetensors" is missing',
  },
  {
    name: "cut weights",
    damage: () => truncateSync(join(folder, "model.safetensors"), 3000),
    message: "it is cut short",
  },
  {
    name: "a changed weight",
    damage: () => {
      const path = join(folder, "optimizer-mean.safetensors");
      const bytes = readFileSync(path);
      bytes[bytes.length - 1] ^= 1;
      writeFileSync(path, bytes);
    },
    message: '"optimizer-mean.safetensors" is not the file that was written with it',
  },
  {
    name: "weights of another program",
    damage: () => writeFileSync(join(folder, "model.safetensors"), "a pickle"),
    message: "another format",
  },
])("a checkpoint with $name is refused", ({ damage, message }) => {
  writeCheckpoint(folder, info, makeState(1));
  damage();
  expect(load).toThrow(message);
});

test("weights of a network of another form are refused by name and shape", () => {
  writeCheckpoint(folder, info, makeState(1));
  const found = readCheckpointInfo(folder);
  expect(() => readCheckpointState(folder, found.info, { ...network, width: 16 })).toThrow(
    '"embedding.tokens" has shape [5,8], and the network needs [5,16]',
  );
  expect(() => readCheckpointState(folder, found.info, { ...network, valueHead: true })).toThrow(
    'there is no array "value.weight"',
  );
  expect(() => readCheckpointState(folder, found.info, { ...network, layers: 2 })).toThrow(
    'there is no array "blocks.1.norm1.gain"',
  );
});

test("checkCodec() refuses weights of another vocabulary", () => {
  expect(() => checkCodec({ id: "words:vault", hash: "1111" }, { id: "words:lookup", hash: "2222" }, "x")).toThrow(
    'Cannot use the weights in "x": they were trained with the codec "words:vault" (1111), and this is "words:lookup" (2222)',
  );
});
