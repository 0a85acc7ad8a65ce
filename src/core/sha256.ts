import { canonicalJson } from "./json.js";

const encoder = new TextEncoder();
const roundConstants = new Uint32Array(64);
const initialState = new Uint32Array(8);

// The constants are the first 32 bits of the fractional parts of cube and square roots of primes (FIPS 180-4, 4.2.2 and 5.3.3).
for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
    if (candidate % divisor === 0) isPrime = false;
  }
  if (!isPrime) continue;
  const cubeRoot = Math.cbrt(candidate);
  roundConstants[found] = Math.floor((cubeRoot - Math.floor(cubeRoot)) * 2 ** 32);
  if (found < 8) {
    const squareRoot = Math.sqrt(candidate);
    initialState[found] = Math.floor((squareRoot - Math.floor(squareRoot)) * 2 ** 32);
  }
  found += 1;
}

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function compress(state: Uint32Array, schedule: Uint32Array, block: Uint8Array, offset: number): void {
  for (let i = 0; i < 16; i += 1) {
    const at = offset + i * 4;
    schedule[i] = (block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3];
  }
  for (let i = 16; i < 64; i += 1) {
    const early = schedule[i - 15];
    const late = schedule[i - 2];
    const sigma0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const sigma1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    schedule[i] = (schedule[i - 16] + sigma0 + schedule[i - 7] + sigma1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i += 1) {
    const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + roundConstants[i] + schedule[i]) | 0;
    const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/**
 * Returns the SHA-256 digest of `data` as 64 lower-case hex digits (FIPS 180-4). Text is hashed as UTF-8;
 * a lone surrogate counts as U+FFFD, as the platform's encoder has it. Pure and synchronous, so it also runs in a browser.
 *
 * @example
 * sha256("abc"); // "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 */
export function sha256(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  const tailLength = bytes.length % 64 < 56 ? 64 : 128;
  const tail = new Uint8Array(tailLength);
  const wholeLength = bytes.length - (bytes.length % 64);
  tail.set(bytes.subarray(wholeLength));
  tail[bytes.length - wholeLength] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tailLength - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(tailLength - 4, (bytes.length * 8) >>> 0);
  const state = initialState.slice();
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < wholeLength; offset += 64) compress(state, schedule, bytes, offset);
  for (let offset = 0; offset < tailLength; offset += 64) compress(state, schedule, tail, offset);
  let digest = "";
  for (let i = 0; i < 8; i += 1) digest += state[i].toString(16).padStart(8, "0");
  return digest;
}

/** Returns the SHA-256 digest of the canonical JSON of `value`: equal data, equal hash. */
export function hashJson(value: unknown): string {
  return sha256(canonicalJson(value));
}
