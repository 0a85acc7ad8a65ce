// internal
/** Throws a `RangeError` unless `level` is strictly between 0 and 1. */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`Cannot make an interval as its level must be in (0, 1): current level is ${level}`);
  }
}
