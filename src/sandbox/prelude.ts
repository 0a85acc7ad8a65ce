// internal
/**
 * Runs inside the sandbox before the user's code: fixes the clock and the random numbers, adds a console, and gives
 * the function that turns the result into JSON text, made from built-ins the user's code cannot replace afterwards.
 * A function expression, called with the host's print function, the seed and the time.
 */
export const preludeCode = `(function (print, seed, now) {
  "use strict";
  const { stringify } = JSON;
  const { construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const imul = Math.imul;
  let state = seed | 0;
  // Mulberry32 (Tommy Ettinger, public domain).
  function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
  const hidden = { writable: true, configurable: true, enumerable: false };
  defineProperty(Math, "random", { ...hidden, value: random });
  const EngineDate = Date;
  function FixedDate(...parts) {
    if (new.target === undefined) return new EngineDate(now).toString();
    return construct(EngineDate, parts.length === 0 ? [now] : parts, new.target);
  }
  for (const key of ["UTC", "parse", "prototype"]) {
    defineProperty(FixedDate, key, getOwnPropertyDescriptor(EngineDate, key));
  }
  defineProperty(FixedDate, "name", { value: "Date", configurable: true });
  defineProperty(FixedDate, "length", { value: 7, configurable: true });
  defineProperty(FixedDate, "now", { ...hidden, value: function () { return now; } });
  defineProperty(EngineDate.prototype, "constructor", { ...hidden, value: FixedDate });
  defineProperty(globalThis, "Date", { ...hidden, value: FixedDate });
  function show(value) {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    const text = typeof value === "object" && value !== null ? stringify(value) : undefined;
    return text === undefined ? String(value) : text;
  }
  function log(...values) {
    let line = "";
    for (let i = 0; i < values.length; i += 1) line += (i === 0 ? "" : " ") + show(values[i]);
    print(line);
  }
  const console = {};
  for (const key of ["log", "info", "warn", "error", "debug"]) console[key] = log;
  defineProperty(globalThis, "console", { ...hidden, value: console });
  return function (value) { return stringify(value); };
})`;
