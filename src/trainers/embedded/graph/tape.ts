// internal
import { OnnxModel, type Attributes, type ElementType, type Shape } from "./onnx-model.js";

/** One tensor of a graph under construction. */
export interface GraphValue {
  readonly name: string;
  readonly shape: Shape;
}

/**
 * Builds a graph and its gradients. Every operation emits its node at once and leaves a rule behind, which, given the
 * gradient of its result, emits nodes for the gradients of its operands; {@linkcode Tape.runBackward} applies the
 * rules in reverse order. Forward and backward pass so become one graph, which the runtime optimises as a whole.
 */
export class Tape {
  readonly #model = new OnnxModel();
  readonly #gradients = new Map<string, GraphValue[]>();
  readonly #rules: (() => void)[] = [];
  readonly #constants = new Map<string, GraphValue>();
  #count = 0;

  /** Returns a tensor that is fed when the graph runs. */
  input(name: string, shape: Shape, type: ElementType = "float32"): GraphValue {
    this.#model.addInput(name, type, shape);
    return { name, shape };
  }

  /** Returns a tensor of fixed values; equal ones are stored once. */
  constant(values: readonly number[], shape: readonly number[], type: ElementType = "float32"): GraphValue {
    const key = `${type} ${shape.join()} ${values.join()}`;
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const value = { name: this.#createName(), shape };
    this.#model.addConstant(value.name, type, shape, encodeValues(values, type));
    this.#constants.set(key, value);
    return value;
  }

  scalar(value: number): GraphValue {
    return this.constant([value], []);
  }

  /** Axes, shapes and lengths. */
  integers(values: readonly number[]): GraphValue {
    return this.constant(values, [values.length], "int64");
  }

  /** Emits a node with one result and no gradient rule. */
  emit(
    operator: string,
    operands: readonly GraphValue[],
    shape: Shape,
    attributes: Attributes = {},
    domain = "",
  ): GraphValue {
    return this.emitMany(operator, operands, [shape], attributes, domain)[0];
  }

  /** Emits a node with several results and no gradient rule. */
  emitMany(
    operator: string,
    operands: readonly GraphValue[],
    shapes: readonly Shape[],
    attributes: Attributes = {},
    domain = "",
  ): GraphValue[] {
    const results = shapes.map((shape) => ({ name: this.#createName(), shape }));
    const names = (values: readonly GraphValue[]): string[] => values.map(({ name }) => name);
    this.#model.addNode(operator, names(operands), names(results), attributes, domain);
    return results;
  }

  /** Leaves a rule that runs once the gradient of `result` is complete; not at all when nothing depends on it. */
  onGradient(result: GraphValue, rule: (gradient: GraphValue) => void): GraphValue {
    this.#rules.push(() => {
      const gradient = this.findGradient(result);
      if (gradient !== undefined) rule(gradient);
    });
    return result;
  }

  /** Adds to the gradient of a value; it has the value's shape. */
  addGradient(value: GraphValue, gradient: GraphValue): void {
    const known = this.#gradients.get(value.name);
    if (known === undefined) this.#gradients.set(value.name, [gradient]);
    else known.push(gradient);
  }

  /** Returns the sum of what was added to a value's gradient, or `undefined` when nothing was. */
  findGradient(value: GraphValue): GraphValue | undefined {
    const parts = this.#gradients.get(value.name);
    if (parts === undefined) return undefined;
    while (parts.length > 1) parts.push(this.emit("Add", parts.splice(0, 2), value.shape));
    return parts[0];
  }

  /** Emits the backward pass from the gradients added so far. Once per tape. */
  runBackward(): void {
    for (let index = this.#rules.length - 1; index >= 0; index -= 1) this.#rules[index]();
    this.#rules.length = 0;
  }

  /** Makes a value a result of the graph under a name of its own. */
  output(name: string, value: GraphValue, type: ElementType = "float32"): void {
    this.#model.addNode("Identity", [value.name], [name]);
    this.#model.addOutput(name, type, value.shape);
  }

  toBytes(): Uint8Array {
    return this.#model.toBytes();
  }

  #createName(): string {
    this.#count += 1;
    return `t${this.#count}`;
  }
}

function encodeValues(values: readonly number[], type: ElementType): Uint8Array {
  switch (type) {
    case "float32":
      return new Uint8Array(Float32Array.from(values).buffer);
    case "int32":
      return new Uint8Array(Int32Array.from(values).buffer);
    case "int64":
      return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    case "bool":
      return Uint8Array.from(values);
    default:
      return type satisfies never;
  }
}
