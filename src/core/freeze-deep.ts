function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Returns the value itself with every object and list in it frozen, so that code of the user's that is shown a record
 * cannot change what others read of it later: in a module, trying to throws. What is frozen already is taken to be so
 * throughout; typed arrays cannot be frozen and stay as they are.
 *
 * @example
 * freezeDeep({ turns: [{ flags: {} }] }).turns.push(1); // throws a TypeError
 */
export function freezeDeep<Value>(value: Value): Value {
  const open: object[] = isObject(value) ? [value] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (ArrayBuffer.isView(next) || Object.isFrozen(next)) continue;
    Object.freeze(next);
    open.push(...Object.values(next).filter(isObject));
  }
  return value;
}
