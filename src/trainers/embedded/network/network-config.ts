import { createRandom, usageError } from "../../../core/index.js";

/** The form of the network: a GPT with normalisation before each part (pre-LN) and learned positions. */
export interface NetworkConfig {
  readonly vocabularySize: number;
  /** Most tokens of one sequence. */
  readonly contextLength: number;
  /** Length of a token's vector. */
  readonly width: number;
  readonly layers: number;
  /** Parts into which attention is divided; a divisor of the width. */
  readonly heads: number;
  /** Adds an estimate of the return at each position. */
  readonly valueHead: boolean;
}

/** One array of weights. */
export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** What it starts from: zeros, ones, or normal deviates of this standard deviation. */
  readonly start: "zeros" | "ones" | { readonly deviation: number };
}

/** Throws a usage error that names the field unless a network of this form can be built. */
export function checkNetworkConfig(config: NetworkConfig): void {
  const bounds: readonly [keyof NetworkConfig, number, number][] = [
    ["vocabularySize", 2, 65_536],
    ["contextLength", 2, 4096],
    ["width", 8, 1024],
    ["layers", 1, 16],
    ["heads", 1, 64],
  ];
  for (const [field, least, most] of bounds) {
    const value = config[field];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) continue;
    throw usageError(
      `Cannot build the network: "${field}" must be a whole number in ${least}..${most}, found ${String(value)}`,
    );
  }
  if (config.width % config.heads === 0) return;
  throw usageError(
    `Cannot build the network: width ${config.width} is not divisible by ${config.heads} heads`,
    `Use a number of heads that divides ${config.width}`,
  );
}

/** Returns every array of weights of the network, in the order in which they are stored. */
export function listParameters(config: NetworkConfig): ParameterSpec[] {
  const { vocabularySize, contextLength, width, layers, valueHead } = config;
  const blocks = Array.from({ length: layers }, (_, index) => listBlockParameters(config, index)).flat();
  const head: ParameterSpec[] = [
    { name: "norm.gain", shape: [width], start: "ones" },
    { name: "norm.bias", shape: [width], start: "zeros" },
    // Small, so that the first policy is close to uniform.
    { name: "head.weight", shape: [width, vocabularySize], start: { deviation: 0.02 } },
  ];
  const value: ParameterSpec[] = [
    { name: "value.weight", shape: [width, 1], start: "zeros" },
    { name: "value.bias", shape: [1], start: "zeros" },
  ];
  return [
    { name: "embedding.tokens", shape: [vocabularySize, width], start: { deviation: 0.1 } },
    { name: "embedding.positions", shape: [contextLength, width], start: { deviation: 0.1 } },
    ...blocks,
    ...head,
    ...(valueHead ? value : []),
  ];
}

function listBlockParameters({ width, layers }: NetworkConfig, index: number): ParameterSpec[] {
  const name = (part: string): string => `blocks.${index}.${part}`;
  const layer = (part: string, input: number, output: number, scale = 1): ParameterSpec[] => [
    { name: name(`${part}.weight`), shape: [input, output], start: { deviation: scale / Math.sqrt(input) } },
    { name: name(`${part}.bias`), shape: [output], start: "zeros" },
  ];
  const norm = (part: string): ParameterSpec[] => [
    { name: name(`${part}.gain`), shape: [width], start: "ones" },
    { name: name(`${part}.bias`), shape: [width], start: "zeros" },
  ];
  // Parts that add to the residual stream start smaller, so that its size does not grow with depth (as GPT-2 does).
  const residual = 1 / Math.sqrt(2 * layers);
  return [
    ...norm("norm1"),
    ...layer("attention.input", width, 3 * width),
    ...layer("attention.output", width, width, residual),
    ...norm("norm2"),
    ...layer("feedforward.input", width, 4 * width),
    ...layer("feedforward.output", 4 * width, width, residual),
  ];
}

/** Returns the number of elements of a shape. */
export function countElements(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** Fills an array with a parameter's first values. The same seed and name give the same values, whatever else there is. */
export function startParameter(values: Float32Array, spec: ParameterSpec, seed: number): void {
  if (spec.start === "zeros") values.fill(0);
  else if (spec.start === "ones") values.fill(1);
  else {
    const random = createRandom("network", seed, spec.name);
    for (let index = 0; index < values.length; index += 1) values[index] = spec.start.deviation * random.nextNormal();
  }
}
