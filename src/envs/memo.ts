// internal

/**
 * Returns `compute` with its last `limit` results kept by key. The result for a key never depends on what is kept, so
 * this only saves time.
 */
export function memoize<Input, Value>(
  getKey: (input: Input) => string,
  compute: (input: Input) => Value,
  limit = 256,
): (input: Input) => Value {
  const kept = new Map<string, Value>();
  return (input) => {
    const key = getKey(input);
    const found = kept.get(key);
    if (found !== undefined) return found;
    const value = compute(input);
    const oldest = kept.keys().next();
    if (kept.size >= limit && oldest.done !== true) kept.delete(oldest.value);
    kept.set(key, value);
    return value;
  };
}
