// internal
import { linear } from "../graph/linear-algebra.js";
import { Tape } from "../graph/tape.js";
import type { NetworkConfig } from "./network-config.js";
import { attendToCache, emitBody, emitLastRows, emitPositions, emitValues, inputParameters } from "./network-graph.js";

/**
 * Returns the graph that appends tokens to sequences whose earlier keys and values are cached. Feeds: the parameters,
 * `tokens` and `places` (int32 [rows, time]), `last` (int32 [rows]: the flattened index of each row's last token),
 * `filled` [1, rows, 1, 1, capacity], `causal` [time, time], and `keys.<layer>` and `values.<layer>`
 * [1, rows, heads, capacity, part]; fetches `logits` [rows, vocabulary], with a value head `estimates` [rows, 1], and
 * `newKeys.<layer>` and `newValues.<layer>` [1, rows, heads, time, part], which the caller puts into its cache. A graph for one
 * position only, `time` 1, is a simpler and faster one.
 */
export function buildDecodingGraph(config: NetworkConfig, time: "time" | 1): Uint8Array {
  const { layers, heads, width } = config;
  const tape = new Tape();
  const parameters = inputParameters(tape, config);
  const tokens = tape.input("tokens", ["rows", time], "int32");
  const positions = emitPositions(tape, parameters, tape.input("places", ["rows", time], "int32"));
  const cached = ["keys", "values"].map((kind) =>
    Array.from({ length: layers }, (_, layer) =>
      tape.input(`${kind}.${layer}`, [1, "rows", heads, "capacity", width / heads]),
    ),
  );
  const attend = attendToCache(tape, config, {
    keys: cached[0],
    values: cached[1],
    filled: tape.input("filled", [1, "rows", 1, 1, "capacity"]),
    causal: tape.input("causal", [time, time]),
    store(layer, key, value) {
      tape.output(`newKeys.${layer}`, key);
      tape.output(`newValues.${layer}`, value);
    },
  });
  const body = emitBody(tape, config, parameters, tokens, positions, attend);
  const last = emitLastRows(tape, body, tape.input("last", ["rows"], "int32"));
  tape.output("logits", linear(tape, last, parameters("head.weight")));
  if (config.valueHead) tape.output("estimates", emitValues(tape, parameters, last));
  return tape.toBytes();
}
