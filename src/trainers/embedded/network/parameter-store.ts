// internal
import { countElements, listParameters, startParameter, type NetworkConfig } from "./network-config.js";

/** One named array inside a store. */
export interface StoredArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Arrays of one network (weights, gradients or moments) that lie in one piece of memory, in the order of their names. */
export interface ParameterStore {
  /** All values, one array after another. */
  readonly flat: Float32Array;
  /** Views into `flat`. */
  readonly arrays: readonly StoredArray[];
}

/** Returns a store in memory of its own, of zeros, or in given memory from a byte on, of what is there. */
export function createParameterStore(config: NetworkConfig, memory?: ArrayBufferLike, byteOffset = 0): ParameterStore {
  const specs = listParameters(config);
  const length = specs.reduce((sum, { shape }) => sum + countElements(shape), 0);
  const flat = memory === undefined ? new Float32Array(length) : new Float32Array(memory, byteOffset, length);
  let offset = 0;
  const arrays = specs.map(({ name, shape }) => {
    const values = flat.subarray(offset, offset + countElements(shape));
    offset += values.length;
    return { name, shape, values };
  });
  return { flat, arrays };
}

/** Fills a store with the weights that training starts from. */
export function startParameters(store: ParameterStore, config: NetworkConfig, seed: number): void {
  listParameters(config).forEach((spec, index) => startParameter(store.arrays[index].values, spec, seed));
}
