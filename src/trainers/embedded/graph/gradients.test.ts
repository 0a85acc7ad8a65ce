import { beforeAll, expect, test } from "vitest";
import { createRandom } from "../../../core/index.js";
import { loadRuntime, type LoadedRuntime } from "../runtime.js";
import { add, emitBinary, emitSum, gelu, multiply } from "./elementwise.js";
import { emitLengths, gather, reshape, split, transpose } from "./layout.js";
import { layerNorm, linear, matMul, softmax } from "./linear-algebra.js";
import { Tape, type GraphValue } from "./tape.js";

/** An operation with the shapes of its operands, all of which are differentiated. */
interface Case {
  readonly name: string;
  readonly shapes: readonly (readonly number[])[];
  readonly apply: (tape: Tape, operands: readonly GraphValue[]) => GraphValue;
}

const cases: readonly Case[] = [
  {
    name: "add",
    shapes: [
      [2, 3],
      [2, 3],
    ],
    apply: (tape, [a, b]) => add(tape, a, b),
  },
  {
    name: "add with stretched axes",
    shapes: [
      [2, 1, 3],
      [4, 1],
    ],
    apply: (tape, [a, b]) => add(tape, a, b),
  },
  { name: "multiply with stretched axes", shapes: [[2, 4, 3], [3]], apply: (tape, [a, b]) => multiply(tape, a, b) },
  { name: "an operand used twice", shapes: [[2, 3]], apply: (tape, [a]) => multiply(tape, a, a) },
  { name: "gelu", shapes: [[3, 5]], apply: (tape, [a]) => gelu(tape, a) },
  { name: "linear", shapes: [[4, 3], [3, 2], [2]], apply: (tape, [x, w, b]) => linear(tape, x, w, b) },
  {
    name: "linear without bias",
    shapes: [
      [4, 3],
      [3, 2],
    ],
    apply: (tape, [x, w]) => linear(tape, x, w),
  },
  {
    name: "matMul",
    shapes: [
      [2, 2, 3, 4],
      [2, 2, 4, 5],
    ],
    apply: (tape, [a, b]) => matMul(tape, a, b, { scale: 0.5 }),
  },
  {
    name: "matMul with a transposed operand",
    shapes: [
      [2, 2, 3, 4],
      [2, 2, 5, 4],
    ],
    apply: (tape, [a, b]) => matMul(tape, a, b, { transposeB: true, scale: 0.7 }),
  },
  { name: "softmax", shapes: [[2, 3, 5]], apply: (tape, [a]) => softmax(tape, a) },
  { name: "layerNorm", shapes: [[3, 6], [6], [6]], apply: (tape, [x, gain, bias]) => layerNorm(tape, x, gain, bias) },
  { name: "reshape", shapes: [[2, 6]], apply: (tape, [a]) => reshape(tape, a, [3, 4]) },
  {
    name: "reshape to lengths known at run time",
    shapes: [[6, 2]],
    apply: (tape, [a]) => {
      const model = tape.constant([0, 0, 0, 0, 0, 0], [2, 3]);
      return reshape(tape, reshape(tape, a, ["rows", "time", 2], emitLengths(tape, model, 2)), [12]);
    },
  },
  { name: "transpose", shapes: [[2, 3, 4]], apply: (tape, [a]) => transpose(tape, a, [2, 0, 1]) },
  {
    name: "split",
    shapes: [[3, 2, 2]],
    apply: (tape, [a]) => {
      const [first, second, third] = split(tape, a, 3, 0);
      return add(tape, multiply(tape, first, second), third);
    },
  },
  {
    name: "gather with repeated positions",
    shapes: [[5, 3]],
    apply: (tape, [table]) => gather(tape, table, tape.constant([1, 4, 1, 0], [2, 2], "int32")),
  },
];

let runtime: LoadedRuntime;
beforeAll(async () => {
  runtime = await loadRuntime("node");
});

/** Returns a function to the sum of the results, each times a fixed factor, and its gradients by operand. */
async function compile({ shapes, apply }: Case): Promise<(values: Float32Array[]) => Promise<Float32Array[]>> {
  const tape = new Tape();
  const operands = shapes.map((shape, index) => tape.input(`x${index}`, shape));
  const result = apply(tape, operands);
  const known = result.shape.map(Number);
  const random = createRandom("factors");
  const factors = tape.constant(
    Array.from({ length: known.reduce((product, length) => product * length, 1) }, () => random.nextNormal()),
    known,
  );
  const axes = known.map((_, axis) => axis);
  tape.output("loss", emitSum(tape, emitBinary(tape, "Mul", result, factors), axes, false));
  tape.addGradient(result, factors);
  tape.runBackward();
  operands.forEach((operand, index) => {
    const gradient = tape.findGradient(operand);
    expect(gradient?.shape).toEqual(operand.shape);
    if (gradient !== undefined) tape.output(`d${index}`, gradient);
  });
  const session = await runtime.createSession(tape.toBytes());
  return async (values) => {
    const tensors = values.map((each, index) => [`x${index}`, new runtime.onnx.Tensor("float32", each, shapes[index])]);
    const results = await session.run(Object.fromEntries(tensors) as Parameters<typeof session.run>[0]);
    return ["loss", ...shapes.map((_, index) => `d${index}`)].map((name) => results[name].data as Float32Array);
  };
}

test.each(cases)("the gradient of $name equals central finite differences", async (each) => {
  const run = await compile(each);
  const random = createRandom("operands");
  const values = each.shapes.map((shape) =>
    Float32Array.from({ length: shape.reduce((product, length) => product * length, 1) }, () => random.nextNormal()),
  );
  const [, ...gradients] = await run(values);
  const step = 1 / 64; // exact in float32, wide enough that rounding stays small beside the difference
  for (const [operand, gradient] of gradients.entries()) {
    for (let index = 0; index < gradient.length; index += 1) {
      const losses: number[] = [];
      for (const sign of [1, -1]) {
        const moved = values.map((list) => list.slice());
        moved[operand][index] += sign * step;
        losses.push((await run(moved))[0][0]);
      }
      const slope = (losses[0] - losses[1]) / (2 * step);
      expect(Math.abs(slope - gradient[index])).toBeLessThan(2e-3 * (1 + Math.abs(slope)));
    }
  }
});

test("shapes that cannot be stretched to a common one are refused", () => {
  const tape = new Tape();
  expect(() => add(tape, tape.input("a", [2, 3]), tape.input("b", [2]))).toThrow("Cannot stretch shapes [2,3] and [2]");
});

test("a value that the loss does not depend on has no gradient", () => {
  const tape = new Tape();
  const [a, b] = [tape.input("a", [2]), tape.input("b", [2])];
  const sum = add(tape, a, a);
  add(tape, b, b);
  tape.addGradient(sum, tape.constant([1, 1], [2]));
  tape.runBackward();
  expect(tape.findGradient(b)).toBeUndefined();
  expect(tape.findGradient(a)?.shape).toEqual([2]);
});
