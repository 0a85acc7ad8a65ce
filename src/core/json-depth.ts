/**
 * The deepest nesting that a record may have. Deeper values would exhaust the stack of what walks them: JSON.stringify,
 * hashing, validation.
 */
export const maxRecordDepth = 1000;

/** Levels of lists and objects that an action's arguments may have: far more than any tool wants, and safe to walk through. */
export const maxArgumentDepth = 500;

/**
 * Says whether arrays and objects are nested more than `limit` levels within a value; a scalar has no level. The walk
 * itself goes no deeper than the limit, so it is safe for any value, one that contains itself included.
 */
export function isDeeperThan(value: unknown, limit = maxRecordDepth): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1));
  for (const key in value) {
    if (isDeeperThan((value as Readonly<Record<string, unknown>>)[key], limit - 1)) return true; // an object, so keyed
  }
  return false;
}
