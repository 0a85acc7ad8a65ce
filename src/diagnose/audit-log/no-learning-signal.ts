import { createMetricLog, type MetricLog, type RuleFinding } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { findSeries, placeRow } from "./series.js";
import { findStretches } from "./windows.js";

function describe(
  log: MetricLog,
  stretch: ReturnType<typeof findStretches>[number],
  what: string,
  severity: "error" | "warning",
): RuleFinding {
  const [first] = stretch;
  const last = stretch[stretch.length - 1];
  return {
    severity,
    message: `${what} in ${stretch.length} updates in a row, ${first.updateIndex} to ${last.updateIndex}`,
    place: placeRow(log, first.row),
    evidence: { firstUpdate: first.updateIndex, lastUpdate: last.updateIndex, updateCount: stretch.length },
  };
}

/** Updates that change nothing. */
export const noLearningSignalRule = logRule({
  id: "no-learning-signal",
  severity: "error",
  description: "Finds stretches in which the gradient is 0 or NaN, or the loss is exactly 0 and no gradient is logged.",
  rationale:
    "Such updates cost rollouts and change nothing. A policy loss of 0 alone is sound: centred advantages at ratio 1 sum to 0 and still have a gradient, so the gradient decides where it is logged.",
  remedy:
    "Check that the loss mask is not empty, that advantages are not all 0 (flat groups), that trained parameters require gradients, and that a NaN guard does not skip every update",
  thresholds: {
    minUpdates: { default: 5, description: "updates in a row that count as a stretch" },
  },
  examples: [
    {
      name: "a loss of 0 with a gradient is sound",
      subject: createMetricLog({ loss: repeat(0, 30), grad_norm: repeat(0.8, 30) }),
      messages: [],
    },
    {
      name: "a single update without a gradient is sound",
      subject: createMetricLog({ grad_norm: [1, 1, 0, 1, 1] }),
      messages: [],
    },
    {
      name: "no gradient from update 11 on",
      subject: createMetricLog({ loss: repeat(0.1, 20), grad_norm: [...repeat(0.8, 10), ...repeat(0, 10)] }),
      messages: ['gradient "grad_norm" is 0 in 10 updates in a row, 11 to 20'],
    },
    {
      name: "a gradient that is NaN is skipped or poisons the weights",
      subject: createMetricLog({ grad_norm: [0.5, ...repeat(NaN, 6), 0.5] }),
      messages: ['gradient "grad_norm" is NaN or infinite in 6 updates in a row, 2 to 7'],
    },
    {
      name: "a loss of 0 where no gradient is logged cannot be told apart from a sound one",
      subject: createMetricLog({ loss: repeat(0, 8) }),
      messages: ['loss "loss" is exactly 0 and no gradient norm is logged, in 8 updates in a row, 1 to 8'],
    },
  ],
  findGap: (log) =>
    (findSeries(log, "grad_norm", "loss")?.points ?? []).length === 0
      ? "the log states neither gradient norm nor loss"
      : undefined,
  check(log, { minUpdates }) {
    const gradient = findSeries(log, "grad_norm");
    if (gradient !== undefined) {
      const { name, points } = gradient;
      const zero = findStretches(points, minUpdates, ({ value }) => value === 0);
      const bad = findStretches(points, minUpdates, ({ value }) => !Number.isFinite(value));
      return [
        ...zero.map((stretch) => describe(log, stretch, `gradient "${name}" is 0`, "error")),
        ...bad.map((stretch) => describe(log, stretch, `gradient "${name}" is NaN or infinite`, "error")),
      ];
    }
    const { name = "", points = [] } = findSeries(log, "loss") ?? {};
    const zero = findStretches(points, minUpdates, ({ value }) => value === 0);
    return zero.map((stretch) =>
      describe(log, stretch, `loss "${name}" is exactly 0 and no gradient norm is logged,`, "warning"),
    );
  },
});
