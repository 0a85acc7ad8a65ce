// internal
import type { Dimension, Shape } from "./onnx-model.js";
import type { GraphValue, Tape } from "./tape.js";

/** Operators of two tensors that are stretched along axes of length 1 to a common shape. */
export type BinaryOperator = "Add" | "Sub" | "Mul" | "Div" | "Min" | "Max";

/** Emits a binary operation without a gradient. */
export function emitBinary(tape: Tape, operator: BinaryOperator, a: GraphValue, b: GraphValue): GraphValue {
  return tape.emit(operator, [a, b], broadcastShapes(a.shape, b.shape));
}

/** Emits a sum over axes without a gradient. */
export function emitSum(tape: Tape, value: GraphValue, axes: readonly number[], keepAxes: boolean): GraphValue {
  const shape = keepAxes
    ? value.shape.map((length, axis) => (axes.includes(axis) ? 1 : length))
    : value.shape.filter((_, axis) => !axes.includes(axis));
  return tape.emit("ReduceSum", [value, tape.integers(axes)], shape, { keepdims: keepAxes ? 1 : 0 });
}

/** Returns a + b; either may be stretched. */
export function add(tape: Tape, a: GraphValue, b: GraphValue): GraphValue {
  return tape.onGradient(emitBinary(tape, "Add", a, b), (gradient) => {
    tape.addGradient(a, sumToShape(tape, gradient, a.shape));
    tape.addGradient(b, sumToShape(tape, gradient, b.shape));
  });
}

/** Returns a * b; either may be stretched. */
export function multiply(tape: Tape, a: GraphValue, b: GraphValue): GraphValue {
  return tape.onGradient(emitBinary(tape, "Mul", a, b), (gradient) => {
    tape.addGradient(a, sumToShape(tape, emitBinary(tape, "Mul", gradient, b), a.shape));
    tape.addGradient(b, sumToShape(tape, emitBinary(tape, "Mul", gradient, a), b.shape));
  });
}

/**
 * Returns GELU in its tanh form, written as x s with s = sigmoid(x (a + b x^2)), a = sqrt(8 / pi), b = 0.044715 a
 * (Hendrycks and Gimpel 2016); the slope is s + x s (1 - s) (a + 3 b x^2).
 */
export function gelu(tape: Tape, x: GraphValue): GraphValue {
  const { shape } = x;
  const linear = tape.scalar(Math.sqrt(8 / Math.PI));
  const cubic = 0.044715 * Math.sqrt(8 / Math.PI);
  const square = emitBinary(tape, "Mul", x, x);
  const slope = emitBinary(tape, "Add", emitBinary(tape, "Mul", square, tape.scalar(cubic)), linear);
  const gate = tape.emit("Sigmoid", [emitBinary(tape, "Mul", x, slope)], shape);
  const result = emitBinary(tape, "Mul", x, gate);
  return tape.onGradient(result, (gradient) => {
    const inner = emitBinary(tape, "Add", emitBinary(tape, "Mul", square, tape.scalar(3 * cubic)), linear);
    const rest = emitBinary(tape, "Sub", result, emitBinary(tape, "Mul", result, gate));
    const derivative = emitBinary(tape, "Add", gate, emitBinary(tape, "Mul", rest, inner));
    tape.addGradient(x, emitBinary(tape, "Mul", gradient, derivative));
  });
}

/** Emits the sum that undoes stretching: a gradient of a stretched tensor belongs to all its copies. */
export function sumToShape(tape: Tape, value: GraphValue, shape: Shape): GraphValue {
  if (isSameShape(value.shape, shape)) return value;
  const missing = value.shape.length - shape.length;
  const leading = value.shape.slice(0, missing).map((_, axis) => axis);
  const stretched = shape.flatMap((length, axis) =>
    length === 1 && value.shape[axis + missing] !== 1 ? [axis + missing] : [],
  );
  const kept = stretched.length === 0 ? value : emitSum(tape, value, stretched, true);
  return leading.length === 0 ? kept : emitSum(tape, kept, leading, false);
}

/** Says whether two shapes have equal lengths or names on every axis. */
export function isSameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((length, axis) => length === b[axis]);
}

function broadcastShapes(a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis): Dimension => {
    const first = a[axis - rank + a.length] ?? 1;
    const second = b[axis - rank + b.length] ?? 1;
    if (first !== second && first !== 1 && second !== 1) {
      throw new RangeError(`Cannot stretch shapes [${a.join()}] and [${b.join()}] to a common one`);
    }
    return first === 1 ? second : first;
  });
}
