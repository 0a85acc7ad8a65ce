// internal
import { MessageWriter } from "./protobuf.js";

/** Length of one axis: a number, or a name where it is known only when the graph runs. */
export type Dimension = number | string;
/** Axes of a tensor, outermost first. */
export type Shape = readonly Dimension[];
/** Element types the graphs use, with their codes in `TensorProto.DataType`. */
export const elementCodes = { float32: 1, int32: 6, int64: 7, bool: 9 } as const;
/** Element type of a tensor. */
export type ElementType = keyof typeof elementCodes;
/** What qualifies an operator; `float` marks numbers that are not whole by their type. */
export type Attributes = { readonly [name: string]: number | readonly number[] | { readonly float: number } };
/** An operator outside the ONNX standard that both runtimes have. */
export const microsoftDomain = "com.microsoft";

// Field numbers of onnx.proto (ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto, ValueInfoProto).
const attributeKinds = { float: 1, integer: 2, integers: 7 } as const;
const irVersion = 9;
const operatorSetVersion = 18;

/** Collects the parts of one ONNX model. Nodes must be added in an order in which they can run. */
export class OnnxModel {
  readonly #nodes: MessageWriter[] = [];
  readonly #constants: MessageWriter[] = [];
  readonly #inputs: MessageWriter[] = [];
  readonly #outputs: MessageWriter[] = [];

  addInput(name: string, type: ElementType, shape: Shape): void {
    this.#inputs.push(describeValue(name, type, shape));
  }

  addOutput(name: string, type: ElementType, shape: Shape): void {
    this.#outputs.push(describeValue(name, type, shape));
  }

  /** Adds a tensor whose values are part of the model. */
  addConstant(name: string, type: ElementType, shape: readonly number[], data: Uint8Array): void {
    const tensor = new MessageWriter();
    for (const length of shape) tensor.integer(1, length);
    this.#constants.push(tensor.integer(2, elementCodes[type]).text(8, name).bytes(9, data));
  }

  addNode(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Attributes = {},
    domain = "",
  ): void {
    const node = new MessageWriter();
    for (const input of inputs) node.text(1, input);
    for (const output of outputs) node.text(2, output);
    node.text(4, operator);
    for (const [name, value] of Object.entries(attributes)) node.message(5, describeAttribute(name, value));
    if (domain !== "") node.text(7, domain);
    this.#nodes.push(node);
  }

  /** Returns the model as the bytes of an `.onnx` file. */
  toBytes(): Uint8Array {
    const graph = new MessageWriter();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, "graph");
    for (const constant of this.#constants) graph.message(5, constant);
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    return new MessageWriter()
      .integer(1, irVersion)
      .text(2, "turnwise")
      .message(7, graph)
      .message(8, new MessageWriter().text(1, "").integer(2, operatorSetVersion))
      .message(8, new MessageWriter().text(1, microsoftDomain).integer(2, 1))
      .finish();
  }
}

function describeAttribute(name: string, value: Attributes[string]): MessageWriter {
  const attribute = new MessageWriter().text(1, name);
  if (typeof value === "number") return attribute.integer(3, value).integer(20, attributeKinds.integer);
  if ("float" in value) return attribute.float(2, value.float).integer(20, attributeKinds.float);
  for (const item of value) attribute.integer(8, item);
  return attribute.integer(20, attributeKinds.integers);
}

function describeValue(name: string, type: ElementType, shape: Shape): MessageWriter {
  const axes = new MessageWriter();
  for (const length of shape) {
    axes.message(
      1,
      typeof length === "number" ? new MessageWriter().integer(1, length) : new MessageWriter().text(2, length),
    );
  }
  const tensor = new MessageWriter().integer(1, elementCodes[type]).message(2, axes);
  return new MessageWriter().text(1, name).message(2, new MessageWriter().message(1, tensor));
}
