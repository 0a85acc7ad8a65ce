// internal
const encoder = new TextEncoder();
const scratch = new DataView(new ArrayBuffer(4));

/** Appends fields to one protocol buffer message: the wire format that ONNX files are written in. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = [];
  #open: number[] = [];

  /** A whole number as a varint; a negative one takes its 64-bit two's complement. */
  integer(field: number, value: number): this {
    this.#key(field, 0);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#open.push(Number(rest & 127n) | 128);
    this.#open.push(Number(rest));
    return this;
  }

  /** A 32-bit float, little endian. */
  float(field: number, value: number): this {
    this.#key(field, 5);
    scratch.setFloat32(0, value, true);
    for (let byte = 0; byte < 4; byte += 1) this.#open.push(scratch.getUint8(byte));
    return this;
  }

  /** Bytes with their length before them. */
  bytes(field: number, data: Uint8Array): this {
    this.#key(field, 2);
    this.#varint(data.length);
    this.#close();
    this.#parts.push(data);
    return this;
  }

  text(field: number, text: string): this {
    return this.bytes(field, encoder.encode(text));
  }

  message(field: number, message: MessageWriter): this {
    return this.bytes(field, message.finish());
  }

  /** Returns the message written so far. */
  finish(): Uint8Array {
    this.#close();
    const result = new Uint8Array(this.#parts.reduce((length, part) => length + part.length, 0));
    let offset = 0;
    for (const part of this.#parts) {
      result.set(part, offset);
      offset += part.length;
    }
    return result;
  }

  #key(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#open.push((rest % 128) | 128);
    this.#open.push(rest);
  }

  #close(): void {
    if (this.#open.length === 0) return;
    this.#parts.push(Uint8Array.from(this.#open));
    this.#open = [];
  }
}
