// internal

/** One field of a protocol buffer message. */
export interface ProtoField {
  readonly number: number;
  /** Numbers below 2^53 for varints, raw bytes for the rest. */
  readonly value: number | Uint8Array;
}

/** Reads a base-128 number; digits beyond 2^53 are lost, which no field read here has. */
function readVarint(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 10 && start + i < bytes.length; i += 1) {
    const byte = bytes[start + i];
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  return undefined;
}

/**
 * Yields the fields of a protocol buffer message in the order they are written; unknown ones included. Stops at the
 * first byte that is no field: a caller that needs the whole message checks what it got.
 */
export function* readProtoFields(bytes: Uint8Array): Generator<ProtoField> {
  let at = 0;
  while (at < bytes.length) {
    const key = readVarint(bytes, at);
    if (key === undefined) return;
    const number = Math.floor(key.value / 8);
    const wireType = key.value % 8;
    if (wireType === 0) {
      const found = readVarint(bytes, key.end);
      if (found === undefined) return;
      yield { number, value: found.value };
      at = found.end;
      continue;
    }
    const length = wireType === 2 ? readVarint(bytes, key.end) : { value: wireType === 1 ? 8 : 4, end: key.end };
    if (length === undefined || (wireType !== 1 && wireType !== 2 && wireType !== 5)) return;
    const end = length.end + length.value;
    if (end > bytes.length) return;
    yield { number, value: bytes.subarray(length.end, end) };
    at = end;
  }
}

/** Returns a little-endian number of 4 (float) or 8 bytes (double), or `undefined` for another length. */
export function readProtoFloat(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length === 4) return view.getFloat32(0, true);
  return bytes.length === 8 ? view.getFloat64(0, true) : undefined;
}
