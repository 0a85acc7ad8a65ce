import { createMetricLog } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber } from "./series.js";
import { findMetricGap, medianOf } from "./windows.js";

/** Gradients far above those before. */
export const gradientSpikeRule = logRule({
  id: "gradient-spike",
  severity: "warning",
  description: "Finds gradient norms far above the median of the updates before.",
  rationale:
    "A spike that is not clipped can undo a run in one update, and spikes go before collapse. The norm is logged before clipping in most tools, so a clipped spike looks the same and does little.",
  remedy:
    "Clip gradients; look at the batch of the first spike for extreme log-prob ratios, tiny group deviations, and very long responses",
  thresholds: {
    window: { default: 20, description: "updates before that are compared with" },
    factor: { default: 20, description: "how many times the median counts as a spike" },
  },
  examples: [
    { name: "gradients of a steady size", subject: createMetricLog({ grad_norm: repeat(0.5, 40) }), messages: [] },
    {
      name: "two spikes",
      subject: createMetricLog({ grad_norm: [...repeat(0.5, 30), 40, 0.5, 90, ...repeat(0.5, 10)] }),
      messages: [
        'gradient "grad_norm" is more than 20 times the median of the 20 updates before in 2 updates, the first is 31 (40), the largest 33 (90)',
      ],
    },
  ],
  findGap: (log, { window }) => findMetricGap(log, window + 1, ["grad_norm"], "gradient norm"),
  check(log, { window, factor }) {
    const { name = "", points = [] } = findFiniteSeries(log, "grad_norm") ?? {};
    const spikes = points.filter(({ value }, i) => {
      if (i < window) return false;
      const median = medianOf(points.slice(i - window, i).map((point) => point.value));
      return median > 0 && value > factor * median;
    });
    if (spikes.length === 0) return [];
    const [first] = spikes;
    const largest = spikes.reduce((best, point) => (point.value > best.value ? point : best));
    return [
      {
        message: `gradient "${name}" is more than ${factor} times the median of the ${window} updates before in ${spikes.length} updates, the first is ${first.updateIndex} (${showNumber(first.value)}), the largest ${largest.updateIndex} (${showNumber(largest.value)})`,
        place: placeRow(log, first.row),
        evidence: { metric: name, count: spikes.length, firstUpdate: first.updateIndex, largest: largest.value },
      },
    ];
  },
});
