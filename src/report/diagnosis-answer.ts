// internal
import type { DynamicsResult, LikelihoodResult, SignalsResult } from "../core/index.js";
import type { Sentence } from "./report.js";

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** Returns a sentence on each policy's signals, from the words of their intervals and verdicts. */
export function answerSignals(results: readonly SignalsResult[]): Sentence[] {
  return results.map(({ label, assessments, divergence }): Sentence => {
    const single = assessments.filter(
      ({ target, signal, definesLabel }) =>
        target === "success" && signal !== "clock" && signal !== "all" && !definesLabel,
    );
    const useful = single.filter(({ fitted }) => fitted?.brierGainVerdict === "gain").map(({ signal }) => signal);
    const words = single
      .filter(({ word }) => word === "higher_means_yes" || word === "higher_means_no")
      .map(({ signal }) => signal);
    const diverging = divergence
      .filter(({ diverges }) => diverges)
      .map(({ signal, sign }) => (sign === 1 ? signal : `minus ${signal}`));
    const parts = [
      words.length === 0
        ? `${label}: no signal tells, among turns of equal number and remaining budget, which episodes will succeed beyond what these data could show by chance`
        : `${label}: among turns of equal number and remaining budget, ${list(words)} ${words.length === 1 ? "tells" : "tell"} which episodes will succeed`,
      ...(useful.length === 0
        ? []
        : [
            `on tasks not fitted on, ${list(useful)} ${useful.length === 1 ? "betters" : "better"} the forecast of the clock`,
          ]),
      ...(diverging.length === 0
        ? []
        : [
            `as a reward ${list(diverging)} would not raise success: picking episodes by ${diverging.length === 1 ? "it" : "them"} does not`,
          ]),
    ];
    return [`${parts.join("; ")}.`];
  });
}

/** Returns a sentence on where probability moved, from intervals alone. */
export function answerLikelihood({ logRatios, rows }: LikelihoodResult): Sentence[] {
  if (rows.length === 0) return [["Likelihood is not available: no turn could be scored."]];
  const sentences: Sentence[] = [];
  for (const [i, { from, to, segment, producer, success, perToken }] of logRatios.entries()) {
    const { interval } = perToken;
    if (segment !== "action" || interval === undefined || (interval.lower <= 0 && interval.upper >= 0)) continue;
    const direction = perToken.value > 0 ? "likelier" : "less likely";
    sentences.push([
      `The actions of ${producer} in episodes that ${success ? "succeed" : "fail"} are ${direction} under ${to} than under ${from}: `,
      { claim: `ratio.${i}.token` },
      " nats a token.",
    ]);
  }
  return sentences;
}

/** Returns the flags of training health as sentences, or that no rule holds. */
export function answerDynamics({ flags, checkpoints, selection }: DynamicsResult): Sentence[] {
  const flagged = flags.map(({ flag, label, finding }): Sentence => [
    `${flag.replaceAll("_", " ")} at ${label}: ${finding}.`,
  ]);
  const healthy: Sentence = [
    `No rule of training health is broken from ${checkpoints[0].label} to ${checkpoints[checkpoints.length - 1].label}.`,
  ];
  const last = selection?.rows[selection.rows.length - 1];
  const optimism = `selection.t${last?.maxTurns ?? 0}.optimism`;
  const chosen: Sentence[] =
    last === undefined
      ? []
      : [
          [
            `At T = ${last.maxTurns}, half of the tasks choose ${last.chosen}; on the other half it succeeds in `,
            { claim: `selection.t${last.maxTurns}.reported` },
            ". Choosing and reporting on the same tasks would ",
            ...(last.optimism >= 0.0005 // shown as at least 0.1 points
              ? ["have overstated success by ", { claim: optimism }, " on average."]
              : ["not have overstated success: the mean difference is ", { claim: optimism }, "."]),
          ],
        ];
  return [...(flagged.length > 0 ? flagged : [healthy]), ...chosen];
}
