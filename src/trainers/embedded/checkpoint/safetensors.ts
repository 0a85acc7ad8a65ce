import { inputError, isJsonObject, type JsonObject } from "../../../core/index.js";

/** Element types that are read and written: 32-bit and 16-bit floats. */
export type SafetensorsType = "F32" | "F16";

/** One array of a file; half precision is read as float32. */
export interface SafetensorsArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** What a safetensors file holds. */
export interface SafetensorsFile {
  readonly arrays: readonly SafetensorsArray[];
  /** The free text fields of its header. */
  readonly metadata: { readonly [name: string]: string };
}

/** The header's length comes first, as 64 bits, little endian. */
const prefixLength = 8;
/** The format's own limit, against headers that fill the memory. */
const maxHeaderLength = 100_000_000;
const bytesPerElement = { F32: 4, F16: 2 } as const;

/**
 * Returns the bytes of a safetensors file: header length (u64, little endian), header (JSON, padded with spaces to a
 * multiple of 8), data without gaps, in the order given.
 */
export function encodeSafetensors(
  arrays: readonly SafetensorsArray[],
  options: { readonly metadata?: { readonly [name: string]: string }; readonly type?: SafetensorsType } = {},
): Uint8Array<ArrayBuffer> {
  const { metadata = {}, type = "F32" } = options;
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const { name, shape, values } of arrays) {
    const start = end;
    end += values.length * bytesPerElement[type];
    header[name] = { dtype: type, shape, data_offsets: [start, end] };
  }
  const text = JSON.stringify(header);
  const unpadded = new TextEncoder().encode(text);
  const dataStart = Math.ceil((prefixLength + unpadded.length) / 8) * 8;
  const bytes = new Uint8Array(dataStart + end);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(dataStart - prefixLength), true);
  bytes.fill(0x20, prefixLength, dataStart).set(unpadded, prefixLength);
  let offset = dataStart;
  for (const { values } of arrays) {
    for (const value of values) {
      if (type === "F32") view.setFloat32(offset, value, true);
      else view.setUint16(offset, toHalf(value), true);
      offset += bytesPerElement[type];
    }
  }
  return bytes;
}

/**
 * Returns what a safetensors file holds; `source` names it in messages.
 *
 * @throws {TurnwiseError} (input) when it is cut short, when it is another format, or when its arrays overlap, leave
 * gaps, do not fit their shapes or are of another type than F32 and F16.
 */
export function decodeSafetensors(bytes: Uint8Array, source: string): SafetensorsFile {
  const fail = (reason: string): never => {
    throw inputError(`Cannot read "${source}" as safetensors: ${reason}`);
  };
  if (bytes.length < prefixLength) fail(`it has ${bytes.length} bytes, less than a header's length takes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = Number(view.getBigUint64(0, true));
  if (headerLength > maxHeaderLength) fail("it does not begin with the length of a header: it is another format");
  const dataStart = prefixLength + headerLength;
  if (dataStart > bytes.length)
    fail(`its header of ${headerLength} bytes is cut off after ${bytes.length - prefixLength}`);
  const header = parseHeader(bytes.subarray(prefixLength, dataStart)) ?? fail("its header is not a JSON object");
  const { __metadata__: metadata, ...entries } = header;
  const arrays: (SafetensorsArray & { readonly start: number; readonly end: number })[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const read =
      readEntry(entry) ?? fail(`the entry of "${name}" is not one of type F32 or F16 with shape and offsets`);
    const { type, shape, start, end } = read;
    const count = shape.reduce((product, length) => product * length, 1);
    if (end - start !== count * bytesPerElement[type]) {
      fail(`"${name}" of shape [${shape.join()}] cannot lie in ${end - start} bytes`);
    }
    if (dataStart + end > bytes.length) {
      fail(`it is cut short: "${name}" ends at byte ${dataStart + end}, and the file has ${bytes.length}`);
    }
    arrays.push({ name, shape, values: readValues(view, dataStart + start, count, type), start, end });
  }
  arrays.sort((a, b) => a.start - b.start);
  let covered = 0;
  for (const { name, start, end } of arrays) {
    if (start !== covered) fail(`"${name}" begins at byte ${start} of the data, where ${covered} was expected`);
    covered = end;
  }
  if (dataStart + covered !== bytes.length) fail(`${bytes.length - dataStart - covered} bytes follow its last array`);
  return {
    arrays: arrays.map(({ name, shape, values }) => ({ name, shape, values })),
    metadata: readMetadata(metadata),
  };
}

/** The format allows only text here; anything else is passed over. */
function readMetadata(metadata: unknown): { readonly [name: string]: string } {
  if (!isJsonObject(metadata)) return {};
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

function parseHeader(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One entry of a header. */
interface Entry {
  readonly type: SafetensorsType;
  readonly shape: readonly number[];
  readonly start: number;
  readonly end: number;
}

function readEntry(entry: unknown): Entry | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { dtype, shape, data_offsets: offsets } = entry;
  if (dtype !== "F32" && dtype !== "F16") return undefined;
  if (!isCountList(shape) || !isCountList(offsets) || offsets.length !== 2) return undefined;
  const [start, end] = offsets;
  return start <= end ? { type: dtype, shape, start, end } : undefined;
}

function isCountList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function readValues(view: DataView, offset: number, count: number, type: SafetensorsType): Float32Array {
  const size = bytesPerElement[type];
  return Float32Array.from({ length: count }, (_, index) =>
    type === "F32"
      ? view.getFloat32(offset + index * size, true)
      : fromHalf(view.getUint16(offset + index * size, true)),
  );
}

const scratch = new DataView(new ArrayBuffer(4));

/** Returns the IEEE 754 half nearest to a number, ties to even; beyond its range infinity. */
export function toHalf(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  const fraction = bits & 0x7fffff;
  if (exponent >= 31) return sign | (Number.isNaN(value) ? 0x7e00 : 0x7c00);
  if (exponent >= 1) return sign + roundShift((exponent << 23) | fraction, 13);
  if (exponent < -10) return sign;
  return sign + roundShift(fraction | 0x800000, 14 - exponent); // a subnormal half
}

function roundShift(bits: number, shift: number): number {
  const kept = bits >>> shift;
  const rest = bits & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

/** Returns the number that an IEEE 754 half stands for. */
export function fromHalf(half: number): number {
  const sign = (half & 0x8000) === 0 ? 1 : -1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
