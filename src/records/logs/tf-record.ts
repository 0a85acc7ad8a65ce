// internal
import { crc32c, maskCrc } from "./crc32c.js";

/** One record of a TFRecord file, or why there is none at this place. */
export type TfRecord =
  | { readonly type: "record"; readonly data: Uint8Array; readonly position: number }
  /** The data do not have the checksum that stands with them; the next record can still be found. */
  | { readonly type: "damaged"; readonly position: number }
  /** The file ends inside a record. */
  | { readonly type: "torn"; readonly position: number; readonly byteCount: number }
  /** The length of a record is damaged, so nothing after it can be found. */
  | { readonly type: "lost"; readonly position: number; readonly byteCount: number };

/**
 * Yields the records of a TFRecord file: length (8 bytes), its checksum (4), data, their checksum (4), all little
 * endian. Positions are 1-based. Reading stops at a damaged length, since nothing says where the next record begins.
 */
export function* readTfRecords(bytes: Uint8Array): Generator<TfRecord> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 1;
  for (let at = 0; at < bytes.length; position += 1) {
    const byteCount = bytes.length - at;
    if (byteCount < 12) {
      yield { type: "torn", position, byteCount };
      return;
    }
    const length = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    if (maskCrc(crc32c(bytes.subarray(at, at + 8))) !== view.getUint32(at + 8, true)) {
      yield { type: "lost", position, byteCount };
      return;
    }
    if (byteCount < length + 16) {
      yield { type: "torn", position, byteCount };
      return;
    }
    const data = bytes.subarray(at + 12, at + 12 + length);
    const isSound = maskCrc(crc32c(data)) === view.getUint32(at + 12 + length, true);
    yield isSound ? { type: "record", data, position } : { type: "damaged", position };
    at += length + 16;
  }
}
