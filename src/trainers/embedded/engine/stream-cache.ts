// internal
import type { NetworkConfig } from "../network/network-config.js";
import { hiddenScore } from "./sequence-feeds.js";

/** The least number of positions a cache has room for. */
const leastCapacity = 16;

/**
 * Keys and values of the streams that are being generated: arrays [slot, head, position, part] for each layer. Streams
 * lie in the slots from 0 on without gaps, and positions have as much room as the longest stream needs, so that a run
 * over the cache touches little that is empty.
 */
export class StreamCache {
  readonly #config: NetworkConfig;
  readonly #streams: string[] = [];
  readonly #slots = new Map<string, number>();
  readonly #lengths: number[] = [];
  #slotCapacity = 0;
  #capacity = leastCapacity;
  /** Keys of each layer, then values of each layer. */
  #arrays: Float32Array[];

  constructor(config: NetworkConfig) {
    this.#config = config;
    this.#arrays = this.#allocate();
  }

  /** Positions there is room for in each slot. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Returns how many positions of a stream are cached; 0 for one that is not known. */
  getLength(stream: string): number {
    const slot = this.#slots.get(stream);
    return slot === undefined ? 0 : this.#lengths[slot];
  }

  /**
   * Makes room for these streams to grow to these lengths, brings them to the first slots and returns the arrays for
   * a run over as many slots, with `filled` [slot, position]: 0 where a position is cached and very negative
   * elsewhere. Slot s is that of stream `order[s]`.
   */
  open(streams: readonly { readonly stream: string; readonly length: number }[]): OpenCache {
    for (const { stream } of streams) {
      if (this.#slots.has(stream)) continue;
      this.#slots.set(stream, this.#streams.length);
      this.#streams.push(stream);
      this.#lengths.push(0);
    }
    const longest = streams.reduce((most, { length }) => Math.max(most, length), 0);
    this.#makeRoom(this.#streams.length, longest);
    streams.forEach(({ stream }) => {
      const slot = this.#getSlot(stream);
      if (slot >= streams.length) this.#swap(slot, this.#findForeign(streams.length, streams));
    });
    const order = this.#streams.slice(0, streams.length);
    const filled = new Float32Array(order.length * this.#capacity).fill(hiddenScore);
    order.forEach((_, slot) => {
      filled.fill(0, slot * this.#capacity, slot * this.#capacity + this.#lengths[slot]);
    });
    return { order, filled, keys: this.#view(0, order.length), values: this.#view(1, order.length) };
  }

  /** Puts the first `counts[slot]` of `time` new positions of each slot into a layer; rows are [slot, head, time, part]. */
  write(layer: number, kind: "keys" | "values", rows: Float32Array, counts: readonly number[], time: number): void {
    const { heads, width, layers } = this.#config;
    const part = width / heads;
    const target = this.#arrays[(kind === "keys" ? 0 : layers) + layer];
    counts.forEach((count, slot) => {
      const start = this.#lengths[slot];
      for (let head = 0; head < heads; head += 1) {
        const from = (slot * heads + head) * time * part;
        const to = ((slot * heads + head) * this.#capacity + start) * part;
        if (count === 1) for (let each = 0; each < part; each += 1) target[to + each] = rows[from + each];
        else target.set(rows.subarray(from, from + count * part), to);
      }
    });
  }

  /** Counts the positions that were written to every layer. */
  advance(counts: readonly number[]): void {
    counts.forEach((count, slot) => {
      this.#lengths[slot] += count;
    });
  }

  /** Forgets streams; unknown names are passed over. */
  end(streams: readonly string[]): void {
    for (const stream of streams) {
      const slot = this.#slots.get(stream);
      if (slot === undefined) continue;
      this.#swap(slot, this.#streams.length - 1);
      this.#streams.pop();
      this.#lengths.pop();
      this.#slots.delete(stream);
    }
    if (this.#streams.length > 0) return;
    this.#capacity = leastCapacity;
    this.#slotCapacity = 0;
    this.#arrays = this.#allocate();
  }

  /** Forgets every stream. */
  clear(): void {
    this.end([...this.#streams]);
  }

  #getSlot(stream: string): number {
    const slot = this.#slots.get(stream);
    if (slot === undefined) throw new RangeError(`Cannot find stream "${stream}" in the cache`);
    return slot;
  }

  /** Returns a slot among the first `count` whose stream is not one of these. */
  #findForeign(count: number, streams: readonly { readonly stream: string }[]): number {
    const wanted = new Set(streams.map(({ stream }) => stream));
    for (let slot = 0; slot < count; slot += 1) if (!wanted.has(this.#streams[slot])) return slot;
    throw new TypeError("Cannot bring streams to the first slots: a stream is named twice");
  }

  #view(kind: 0 | 1, slots: number): Float32Array[] {
    const { layers, width } = this.#config;
    return this.#arrays
      .slice(kind * layers, (kind + 1) * layers)
      .map((array) => array.subarray(0, slots * this.#capacity * width));
  }

  #swap(a: number, b: number): void {
    if (a === b) return;
    const size = this.#capacity * this.#config.width;
    for (const array of this.#arrays) {
      const kept = array.slice(a * size, (a + 1) * size);
      array.copyWithin(a * size, b * size, (b + 1) * size);
      array.set(kept, b * size);
    }
    [this.#streams[a], this.#streams[b]] = [this.#streams[b], this.#streams[a]];
    [this.#lengths[a], this.#lengths[b]] = [this.#lengths[b], this.#lengths[a]];
    this.#slots.set(this.#streams[a], a).set(this.#streams[b], b);
  }

  #allocate(): Float32Array[] {
    const { layers, width } = this.#config;
    const size = this.#slotCapacity * this.#capacity * width;
    return Array.from({ length: 2 * layers }, () => new Float32Array(size));
  }

  /** Grows by doubling and copies what is there. */
  #makeRoom(slots: number, length: number): void {
    if (slots <= this.#slotCapacity && length <= this.#capacity) return;
    const { heads, width } = this.#config;
    const part = width / heads;
    const [oldArrays, oldCapacity] = [this.#arrays, this.#capacity];
    while (this.#slotCapacity < slots) this.#slotCapacity = Math.max(slots, 2 * this.#slotCapacity);
    while (this.#capacity < length) this.#capacity *= 2;
    this.#arrays = this.#allocate();
    this.#arrays.forEach((array, index) => {
      this.#lengths.forEach((count, slot) => {
        if (count === 0) return;
        for (let head = slot * heads; head < (slot + 1) * heads; head += 1) {
          const from = head * oldCapacity * part;
          array.set(oldArrays[index].subarray(from, from + count * part), head * this.#capacity * part);
        }
      });
    });
  }
}

/** A cache that is ready for a run. */
export interface OpenCache {
  /** Stream of each slot. */
  readonly order: readonly string[];
  readonly filled: Float32Array;
  /** By layer. */
  readonly keys: readonly Float32Array[];
  readonly values: readonly Float32Array[];
}
