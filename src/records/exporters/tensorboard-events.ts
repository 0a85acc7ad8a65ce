import { crc32c, maskCrc } from "../logs/crc32c.js";

/** One step of a run, as TensorBoard shows it. */
export interface ScalarEvent {
  readonly step: number;
  /** Seconds since 1970. */
  readonly wallTime: number;
  /** By tag; NaN and infinite values are kept. */
  readonly scalars: { readonly [tag: string]: number };
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** Returns a protocol buffer field of bytes (wire type 2). */
function encodeBytes(field: number, data: Buffer): Buffer {
  return Buffer.concat([encodeVarint(field * 8 + 2), encodeVarint(data.length), data]);
}

function encodeDouble(field: number, value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleLE(value);
  return Buffer.concat([encodeVarint(field * 8 + 1), data]);
}

function encodeFloat(field: number, value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeFloatLE(value);
  return Buffer.concat([encodeVarint(field * 8 + 5), data]);
}

/** Returns a record of a TFRecord file: length, masked checksum of the length, data, masked checksum of the data. */
function encodeRecord(data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(data.length, 0); // the upper half of the 64-bit length stays 0
  head.writeUInt32LE(maskCrc(crc32c(head.subarray(0, 8))), 8);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(maskCrc(crc32c(data)), 0);
  return Buffer.concat([head, data, tail]);
}

/** Returns the record every event file begins with. */
export function encodeEventFileHeader(wallTime: number): Uint8Array {
  return encodeRecord(Buffer.concat([encodeDouble(1, wallTime), encodeBytes(3, Buffer.from("brain.Event:2"))]));
}

/**
 * Returns one step as a record of a TensorBoard event file (`Event` with one `Summary.Value.simple_value` for each
 * scalar), ready to be appended. Steps are whole numbers from 0; values are stored as 32-bit floats.
 */
export function encodeScalarEvent({ step, wallTime, scalars }: ScalarEvent): Uint8Array {
  const values = Object.entries(scalars).map(([tag, value]) =>
    encodeBytes(1, Buffer.concat([encodeBytes(1, Buffer.from(tag)), encodeFloat(2, value)])),
  );
  const summary = encodeBytes(5, Buffer.concat(values));
  return encodeRecord(Buffer.concat([encodeDouble(1, wallTime), encodeVarint(2 * 8), encodeVarint(step), summary]));
}
