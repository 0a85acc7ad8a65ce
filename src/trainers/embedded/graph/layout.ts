// internal
import type { Dimension, Shape } from "./onnx-model.js";
import type { GraphValue, Tape } from "./tape.js";

/**
 * Returns the same elements under another shape. At most one axis may be known only at run time, unless `lengths`, a
 * list of int64 with the length of every axis, is handed in.
 */
export function reshape(tape: Tape, value: GraphValue, shape: Shape, lengths?: GraphValue): GraphValue {
  const result = emitReshape(tape, value, shape, lengths);
  return tape.onGradient(result, (gradient) => {
    tape.addGradient(value, reshapeLike(tape, gradient, value));
  });
}

/** Emits a change of shape without a gradient; see {@linkcode reshape}. */
export function emitReshape(tape: Tape, value: GraphValue, shape: Shape, lengths?: GraphValue): GraphValue {
  if (lengths !== undefined) return tape.emit("Reshape", [value, lengths], shape);
  const known = shape.map((length) => (typeof length === "number" ? length : -1));
  if (known.filter((length) => length === -1).length > 1) {
    throw new RangeError(`Cannot reshape to [${shape.join()}] without lengths: only one axis may be open`);
  }
  return tape.emit("Reshape", [value, tape.integers(known)], shape);
}

/** Emits the elements of `value` under the shape of `model`, whatever that is at run time; no gradient. */
export function reshapeLike(tape: Tape, value: GraphValue, model: GraphValue): GraphValue {
  const open = model.shape.filter((length) => typeof length !== "number").length;
  if (open <= 1) return emitReshape(tape, value, model.shape);
  return emitReshape(tape, value, model.shape, emitLengths(tape, model));
}

/** Emits the lengths of the axes of `value`, followed by further ones, as int64. */
export function emitLengths(tape: Tape, value: GraphValue, ...more: readonly number[]): GraphValue {
  const own = tape.emit("Shape", [value], [value.shape.length]);
  if (more.length === 0) return own;
  return tape.emit("Concat", [own, tape.integers(more)], [value.shape.length + more.length], { axis: 0 });
}

/** Returns the tensor with its axes in another order. */
export function transpose(tape: Tape, value: GraphValue, order: readonly number[]): GraphValue {
  const result = emitTranspose(tape, value, order);
  return tape.onGradient(result, (gradient) => {
    const inverse = order.map((_, axis) => order.indexOf(axis));
    tape.addGradient(value, emitTranspose(tape, gradient, inverse));
  });
}

function emitTranspose(tape: Tape, value: GraphValue, order: readonly number[]): GraphValue {
  const shape = order.map((axis) => value.shape[axis]);
  return tape.emit("Transpose", [value], shape, { perm: order });
}

/** Returns `count` equal parts along an axis of known length. */
export function split(tape: Tape, value: GraphValue, count: number, axis: number): GraphValue[] {
  const shape = value.shape.map((length, each): Dimension => (each === axis ? Number(length) / count : length));
  const parts = tape.emitMany(
    "Split",
    [value],
    Array.from({ length: count }, () => shape),
    { axis, num_outputs: count },
  );
  // The rule waits for the first part, whose gradient is the last to be complete: rules run in reverse order.
  tape.onGradient(parts[0], (first) => {
    const rest = parts.slice(1).map((part) => tape.findGradient(part));
    const gradients = [first, ...rest].map((gradient) => {
      if (gradient === undefined) throw new TypeError("Cannot differentiate a split whose parts are not all used");
      return gradient;
    });
    tape.addGradient(value, tape.emit("Concat", gradients, value.shape, { axis }));
  });
  return parts;
}

/**
 * Returns the rows of a table at the given positions (int32, any shape). Their gradient is a product with the one-hot
 * rows of the positions: dense, but of a fixed order of summation, and the table is small.
 */
export function gather(tape: Tape, table: GraphValue, positions: GraphValue): GraphValue {
  const [rowCount, width] = table.shape;
  const result = tape.emit("Gather", [table, positions], [...positions.shape, width], { axis: 0 });
  return tape.onGradient(result, (gradient) => {
    const oneHot = emitOneHot(tape, positions, Number(rowCount));
    const flat = emitReshape(tape, oneHot, ["entries", rowCount]);
    const rows = emitReshape(tape, gradient, ["entries", width]);
    tape.addGradient(table, tape.emit("Gemm", [flat, rows], table.shape, { transA: 1 }));
  });
}

/** Emits 1 at the position of each entry and 0 elsewhere, along a new last axis; no gradient. */
export function emitOneHot(tape: Tape, positions: GraphValue, length: number): GraphValue {
  const operands = [positions, tape.constant([length], [], "int32"), tape.constant([0, 1], [2])];
  return tape.emit("OneHot", operands, [...positions.shape, length]);
}
