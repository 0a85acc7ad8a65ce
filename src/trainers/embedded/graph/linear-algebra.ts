// internal
import { emitBinary, emitSum } from "./elementwise.js";
import { microsoftDomain, type Shape } from "./onnx-model.js";
import type { GraphValue, Tape } from "./tape.js";

/** Returns x w + b for x [rows, in], w [in, out], b [out]. */
export function linear(tape: Tape, x: GraphValue, w: GraphValue, b?: GraphValue): GraphValue {
  const result = tape.emit("Gemm", b === undefined ? [x, w] : [x, w, b], [x.shape[0], w.shape[1]]);
  return tape.onGradient(result, (gradient) => {
    tape.addGradient(x, tape.emit("Gemm", [gradient, w], x.shape, { transB: 1 }));
    tape.addGradient(w, tape.emit("Gemm", [x, gradient], w.shape, { transA: 1 }));
    if (b !== undefined) tape.addGradient(b, emitSum(tape, gradient, [0], false));
  });
}

/** How a product of matrices is taken. */
interface MatMulOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  readonly scale?: number;
}

/** Emits scale * a b over the last two axes, without a gradient; the axes before them are those of `a`. */
export function emitMatMul(tape: Tape, a: GraphValue, b: GraphValue, options: MatMulOptions = {}): GraphValue {
  const { transposeA = false, transposeB = false, scale = 1 } = options;
  const rank = a.shape.length;
  const shape: Shape = [
    ...a.shape.slice(0, rank - 2),
    transposeA ? a.shape[rank - 1] : a.shape[rank - 2],
    transposeB ? b.shape[rank - 2] : b.shape[rank - 1],
  ];
  const attributes = { alpha: { float: scale }, transA: Number(transposeA), transB: Number(transposeB) };
  return tape.emit("FusedMatMul", [a, b], shape, attributes, microsoftDomain);
}

/** Returns scale * a b, over the last two axes; with `transposeB`, scale * a b^T. Both have the same leading axes. */
export function matMul(
  tape: Tape,
  a: GraphValue,
  b: GraphValue,
  options: Omit<MatMulOptions, "transposeA"> = {},
): GraphValue {
  const { transposeB = false, scale = 1 } = options;
  return tape.onGradient(emitMatMul(tape, a, b, options), (gradient) => {
    tape.addGradient(a, emitMatMul(tape, gradient, b, { scale, transposeB: !transposeB }));
    tape.addGradient(
      b,
      transposeB
        ? emitMatMul(tape, gradient, a, { scale, transposeA: true })
        : emitMatMul(tape, a, gradient, { scale, transposeA: true }),
    );
  });
}

/** Returns the softmax over the last axis; its gradient is y (g - sum(g y)). */
export function softmax(tape: Tape, x: GraphValue): GraphValue {
  const result = tape.emit("Softmax", [x], x.shape, { axis: -1 });
  return tape.onGradient(result, (gradient) => {
    const product = emitBinary(tape, "Mul", gradient, result);
    const total = emitSum(tape, product, [x.shape.length - 1], true);
    tape.addGradient(x, emitBinary(tape, "Sub", product, emitBinary(tape, "Mul", result, total)));
  });
}

/** What keeps the variance of a constant row from dividing by zero. */
export const normEpsilon = 1e-5;

/** Returns each row of x [rows, width] with mean 0 and variance 1, times `gain`, plus `bias` (Ba et al. 2016). */
export function layerNorm(tape: Tape, x: GraphValue, gain: GraphValue, bias: GraphValue): GraphValue {
  const [rows, width] = x.shape;
  const column: Shape = [rows, 1];
  const attributes = { axis: -1, epsilon: { float: normEpsilon } };
  const [result, mean, inverse] = tape.emitMany(
    "LayerNormalization",
    [x, gain, bias],
    [x.shape, column, column],
    attributes,
  );
  return tape.onGradient(result, (gradient) => {
    const normal = emitBinary(tape, "Mul", emitBinary(tape, "Sub", x, mean), inverse);
    const slope = emitBinary(tape, "Mul", gradient, normal);
    tape.addGradient(bias, emitSum(tape, gradient, [0], false));
    tape.addGradient(gain, emitSum(tape, slope, [0], false));
    const scaled = emitBinary(tape, "Mul", gradient, gain);
    const share = tape.scalar(1 / Number(width));
    const meanOf = (value: GraphValue): GraphValue => emitBinary(tape, "Mul", emitSum(tape, value, [1], true), share);
    const along = emitBinary(tape, "Mul", normal, meanOf(emitBinary(tape, "Mul", slope, gain)));
    const centered = emitBinary(tape, "Sub", emitBinary(tape, "Sub", scaled, meanOf(scaled)), along);
    tape.addGradient(x, emitBinary(tape, "Mul", centered, inverse));
  });
}
