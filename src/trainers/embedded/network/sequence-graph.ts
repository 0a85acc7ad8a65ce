// internal
import { emitBinary, emitSum } from "../graph/elementwise.js";
import { emitOneHot, emitReshape } from "../graph/layout.js";
import { linear } from "../graph/linear-algebra.js";
import { Tape, type GraphValue } from "../graph/tape.js";
import { emitLoss, listLossColumns, listLossScalars, type LossForm, type LossOutputs } from "./loss-graph.js";
import { listParameters, type NetworkConfig } from "./network-config.js";
import { attendCausally, emitBody, emitPositions, emitValues, inputParameters } from "./network-graph.js";
import type { GraphParameters } from "./network-graph.js";

/** What an illegal id's logit is replaced by: its probability is exactly 0 in float32. */
const illegalLogit = -1e9;

/** Everything that graphs over whole sequences read beside the parameters. */
interface SequenceInputs {
  /** int32 [rows, time] */
  readonly tokens: GraphValue;
  /** int32 [entries]: the id that follows each token. */
  readonly targets: GraphValue;
  /** Bool [entries, vocabulary]. */
  readonly legal: GraphValue;
  /** [entries, 1]: 1 / temperature. */
  readonly sharpness: GraphValue;
}

/** Distribution of the next token at every position; columns are [entries, 1]. */
interface Distribution {
  readonly logits: GraphValue;
  readonly allLogProbs: GraphValue;
  readonly probabilities: GraphValue;
  readonly logProbs: GraphValue;
  readonly entropies: GraphValue;
  readonly values?: GraphValue;
}

/**
 * Returns the graph that scores sequences. Feeds: the parameters, `tokens`, `places`, `causal`, `targets`, `legal`,
 * `sharpness`; fetches `logProbs`, `entropies` and, with a value head, `values`, each [entries, 1].
 */
export function buildScoringGraph(config: NetworkConfig): Uint8Array {
  const tape = new Tape();
  const parameters = inputParameters(tape, config);
  outputDistribution(tape, emitDistribution(tape, config, parameters, declareInputs(tape, config)));
  return tape.toBytes();
}

/**
 * Returns the graph of one micro-batch: forward pass, loss and gradients. Feeds those of the scoring graph, `trained`
 * and `sampled` (bool [entries, 1]), the columns and the scalars of the loss; fetches what the scoring graph does, the
 * parts of the loss (`policy`, `kl`, `entropy`, `value`, summed), `clipped`, and `gradient.<parameter>` for each one.
 */
export function buildTrainingGraph(config: NetworkConfig, form: LossForm): Uint8Array {
  const tape = new Tape();
  const parameters = inputParameters(tape, config);
  const inputs = declareInputs(tape, config);
  const distribution = emitDistribution(tape, config, parameters, inputs);
  const column: readonly ["entries", 1] = ["entries", 1];
  const columns = new Map(listLossColumns(form).map((name) => [name, tape.input(name, column)]));
  const scalars = new Map(listLossScalars(form).map((name) => [name, tape.input(name, [])]));
  const loss = emitLoss(tape, form, {
    ...distribution,
    tokens: inputs.tokens,
    trained: tape.input("trained", column, "bool"),
    sampled: tape.input("sampled", column, "bool"),
    column: (name) => getNamed(columns, name),
    scalar: (name) => getNamed(scalars, name),
  });
  addLossGradient(tape, config, inputs, distribution, loss);
  tape.runBackward();
  outputDistribution(tape, distribution);
  outputLoss(tape, loss);
  outputGradients(tape, config, parameters);
  return tape.toBytes();
}

function declareInputs(tape: Tape, { vocabularySize }: NetworkConfig): SequenceInputs {
  return {
    tokens: tape.input("tokens", ["rows", "time"], "int32"),
    targets: tape.input("targets", ["entries"], "int32"),
    legal: tape.input("legal", ["entries", vocabularySize], "bool"),
    sharpness: tape.input("sharpness", ["entries", 1]),
  };
}

function emitDistribution(
  tape: Tape,
  config: NetworkConfig,
  parameters: GraphParameters,
  { tokens, targets, legal, sharpness }: SequenceInputs,
): Distribution {
  const positions = emitPositions(tape, parameters, tape.input("places", ["time"], "int32"));
  const attend = attendCausally(tape, config, tape.input("causal", ["time", "time"]));
  const body = emitBody(tape, config, parameters, tokens, positions, attend);
  const logits = linear(tape, body, parameters("head.weight"));
  const sharpened = emitBinary(tape, "Mul", logits, sharpness);
  const { shape } = logits;
  const masked = tape.emit("Where", [legal, sharpened, tape.scalar(illegalLogit)], shape);
  const allLogProbs = tape.emit("LogSoftmax", [masked], shape, { axis: -1 });
  const probabilities = tape.emit("Exp", [allLogProbs], shape);
  const column = emitReshape(tape, targets, ["entries", 1]);
  const product = emitBinary(tape, "Mul", probabilities, allLogProbs);
  return {
    logits,
    allLogProbs,
    probabilities,
    logProbs: tape.emit("GatherElements", [allLogProbs, column], ["entries", 1], { axis: 1 }),
    entropies: tape.emit("Neg", [emitSum(tape, product, [1], true)], ["entries", 1]),
    ...(config.valueHead ? { values: emitValues(tape, parameters, body) } : {}),
  };
}

/**
 * Starts the backward pass. With slopes c of the log-probability and e of the entropy H, the gradient of logit j is
 * c (onehot_j - p_j) - e p_j (log p_j + H), times the sharpness: exactly 0 for an illegal id, whose p_j is 0.
 */
function addLossGradient(
  tape: Tape,
  config: NetworkConfig,
  { targets, sharpness }: SequenceInputs,
  { logits, allLogProbs, probabilities, entropies, values }: Distribution,
  loss: LossOutputs,
): void {
  const pull = emitBinary(tape, "Mul", loss.logProbSlope, sharpness);
  const spreadSlope = emitBinary(tape, "Mul", loss.entropySlope, sharpness);
  const surprise = emitBinary(tape, "Add", allLogProbs, entropies);
  const spread = emitBinary(tape, "Add", emitBinary(tape, "Mul", surprise, spreadSlope), pull);
  const chosen = emitBinary(tape, "Mul", emitOneHot(tape, targets, config.vocabularySize), pull);
  const gradient = emitBinary(tape, "Sub", chosen, emitBinary(tape, "Mul", probabilities, spread));
  tape.addGradient(logits, gradient);
  if (values === undefined) return;
  // A loss without a value part moves the head by nothing; its gradient is still fetched.
  tape.addGradient(values, loss.valueSlope ?? emitBinary(tape, "Mul", loss.entropySlope, tape.scalar(0)));
}

function outputDistribution(tape: Tape, { logProbs, entropies, values }: Distribution): void {
  tape.output("logProbs", logProbs);
  tape.output("entropies", entropies);
  if (values !== undefined) tape.output("values", values);
}

function outputLoss(tape: Tape, { policy, kl, entropy, value, clipped }: LossOutputs): void {
  for (const [name, part] of Object.entries({ policy, kl, entropy, value, clipped })) {
    if (part !== undefined) tape.output(name, emitSum(tape, part, [0, 1], false));
  }
}

function outputGradients(tape: Tape, config: NetworkConfig, parameters: GraphParameters): void {
  for (const { name } of listParameters(config)) {
    const gradient = tape.findGradient(parameters(name));
    if (gradient === undefined) throw new TypeError(`Cannot train parameter "${name}": the loss does not depend on it`);
    tape.output(`gradient.${name}`, gradient);
  }
}

function getNamed(values: ReadonlyMap<string, GraphValue>, name: string): GraphValue {
  const value = values.get(name);
  if (value === undefined) throw new RangeError(`Cannot find "${name}" among the inputs of the loss`);
  return value;
}
