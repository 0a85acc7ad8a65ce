import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSafetensors, encodeSafetensors, fromHalf, toHalf } from "./safetensors.js";

const arrays = [
  { name: "a", shape: [2, 2], values: Float32Array.of(1, -2.5, 3e-8, 65504) },
  { name: "b", shape: [], values: Float32Array.of(7) },
  { name: "c", shape: [0, 3], values: new Float32Array(0) },
];

test("encodeSafetensors() writes the header's length as u64 little endian, the header, and data from a multiple of 8", () => {
  const bytes = encodeSafetensors(arrays, { metadata: { note: "x" } });
  const view = new DataView(bytes.buffer);
  const length = Number(view.getBigUint64(0, true));
  expect((8 + length) % 8).toBe(0);
  expect(JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))).toEqual({
    __metadata__: { note: "x" },
    a: { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] },
    b: { dtype: "F32", shape: [], data_offsets: [16, 20] },
    c: { dtype: "F32", shape: [0, 3], data_offsets: [20, 20] },
  });
  expect(view.getFloat32(8 + length + 4, true)).toBe(-2.5);
  expect(bytes).toHaveLength(8 + length + 20);
});

test("what was written is read, bit for bit", () => {
  const read = decodeSafetensors(encodeSafetensors(arrays, { metadata: { note: "x" } }), "x");
  expect(read).toEqual({ arrays, metadata: { note: "x" } });
});

test("halves take two bytes and keep eleven bits", () => {
  const bytes = encodeSafetensors([{ name: "a", shape: [3], values: Float32Array.of(0.1, 1, -3.75) }], { type: "F16" });
  const { values } = decodeSafetensors(bytes, "x").arrays[0];
  expect([...values].slice(1)).toEqual([1, -3.75]);
  expect(values[0]).toBeCloseTo(0.1, 4);
  expect(values[0]).not.toBe(Math.fround(0.1));
});

test.each([
  [0, 0],
  [-0, 0x8000],
  [1, 0x3c00],
  [-2, 0xc000],
  [65504, 0x7bff],
  [65520, 0x7c00],
  [Infinity, 0x7c00],
  [2 ** -24, 1],
  [2 ** -25, 0],
  [2 ** -14, 0x0400],
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
])("toHalf(%d) is %d", (value, half) => {
  expect(toHalf(value)).toBe(half);
});

test("every half survives the way through a number", () => {
  for (let half = 0; half < 65_536; half += 1) {
    const value = fromHalf(half);
    if (Number.isNaN(value)) expect(fromHalf(toHalf(value))).toBeNaN();
    else expect(toHalf(value)).toBe(half);
  }
});

test("toHalf() takes the nearest half", () => {
  fc.assert(
    fc.property(fc.double({ min: -70_000, max: 70_000, noNaN: true }), (double) => {
      const value = Math.fround(double);
      const half = toHalf(value);
      const error = Math.abs(fromHalf(half) - value);
      for (const other of [half - 1, half + 1]) {
        if (other < 0 || other > 0xfbff || (other & 0x7fff) > 0x7bff || (half & 0x7fff) > 0x7bff) continue;
        expect(error).toBeLessThanOrEqual(Math.abs(fromHalf(other) - value));
      }
    }),
  );
});

/** Bytes with this header and so much data. */
function forge(header: unknown, dataLength: number): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + dataLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
}

const entry = (start: number, end: number, shape = [1], dtype = "F32") => ({
  dtype,
  shape,
  data_offsets: [start, end],
});

test.each([
  { name: "an empty file", bytes: new Uint8Array(0), message: "it has 0 bytes" },
  { name: "another format", bytes: new TextEncoder().encode("PK\u0003\u0004 and so on"), message: "another format" },
  { name: "a cut header", bytes: forge("{}", 0).subarray(0, 9), message: "header of 2 bytes is cut off after 1" },
  { name: "a header that is no JSON", bytes: forge("{a}", 0), message: "its header is not a JSON object" },
  { name: "an unknown type", bytes: forge({ a: entry(0, 2, [1], "BF16") }, 2), message: 'the entry of "a" is not' },
  { name: "a shape that does not fit", bytes: forge({ a: entry(0, 4, [2]) }, 4), message: "cannot lie in 4 bytes" },
  { name: "cut data", bytes: forge({ a: entry(0, 4) }, 3), message: "it is cut short" },
  { name: "overlapping arrays", bytes: forge({ a: entry(0, 4), b: entry(0, 4) }, 4), message: "where 4 was expected" },
  { name: "a gap", bytes: forge({ a: entry(4, 8) }, 8), message: "where 0 was expected" },
  { name: "more data than arrays", bytes: forge({ a: entry(0, 4) }, 5), message: "1 bytes follow" },
  { name: "offsets that run backwards", bytes: forge({ a: entry(4, 0) }, 4), message: 'the entry of "a" is not' },
])("decodeSafetensors() refuses $name", ({ bytes, message }) => {
  expect(() => decodeSafetensors(bytes, "some/file")).toThrow(`Cannot read "some/file" as safetensors`);
  expect(() => decodeSafetensors(bytes, "some/file")).toThrow(message);
});
