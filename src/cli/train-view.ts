import type { TrainEvents, TrainingProgress } from "../commands/index.js";
import { formatSeconds, type ProgressOutput } from "./progress.js";

/** Shows how training goes: a block that is redrawn on a terminal, a plain line every ten seconds elsewhere. */
export interface TrainView extends TrainEvents {
  /** Writes the last state. */
  finish(): void;
}

const sparks = "▁▂▃▄▅▆▇█";

/** Returns the last values of a curve as one character each, lowest to highest; empty for fewer than two. */
export function renderSpark(values: readonly number[], width: number): string {
  const shown = values.filter(Number.isFinite).slice(-width);
  if (shown.length < 2) return "";
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  if (least === most) return sparks[3].repeat(shown.length);
  return shown.map((value) => sparks[Math.round(((value - least) / (most - least)) * (sparks.length - 1))]).join("");
}

function format(value: number | undefined, decimals = 3): string {
  return value === undefined || Number.isNaN(value) ? "–" : value.toFixed(decimals);
}

/** What each phase shows; a name that an update lacks shows as a dash. */
function renderNumbers({ phase, metrics }: TrainingProgress): string[] {
  if (phase === "warm_start") {
    return [`loss ${format(metrics["sft/loss"])}`, `entropy ${format(metrics["sft/entropy"])}`];
  }
  const { "group/flat_share": flat, "episode/unjudged": unjudged = 0 } = metrics;
  return [
    `reward ${format(metrics["reward"])}`,
    `turns ${format(metrics["num_turns/mean"], 1)}`,
    `entropy ${format(metrics["actor/entropy"])}`,
    renderKl(metrics),
    ...(metrics["signal/mean"] === undefined ? [] : [`signal ${format(metrics["signal/mean"])}`]),
    `flat groups ${flat === undefined ? "–" : `${Math.round(100 * flat)}%`}`,
    `grad ${format(metrics["actor/grad_norm"], 2)}`,
    ...(unjudged > 0 ? [`${unjudged} episodes without an outcome`] : []),
  ];
}

/** The divergence from the frozen reference; without one, that of an update from the policy that sampled. */
function renderKl(metrics: TrainingProgress["metrics"]): string {
  return metrics["kl"] === undefined ? `update KL ${format(metrics["actor/ppo_kl"])}` : `KL ${format(metrics["kl"])}`;
}

function renderBudgets({ metrics }: TrainingProgress): string {
  const rates = Object.entries(metrics).flatMap(([name, rate]) => {
    const found = /^budget\/T(\d+)\/success$/.exec(name);
    return found === null ? [] : [`T=${found[1]} ${rate.toFixed(2)}`];
  });
  return rates.length === 0 ? "" : `success by budget  ${rates.join("  ")}`;
}

/** Returns what each budget had of the tokens, of the loss's weights, and of |weight x advantage|: how hard it pulled. */
function renderShares({ metrics }: TrainingProgress): string {
  const shares = Object.keys(metrics).flatMap((name) => {
    const budget = /^budget\/(T\d+)\/token_share$/.exec(name)?.[1];
    if (budget === undefined) return [];
    const parts = ["token_share", "weight_share", "gradient_share"].map((part) =>
      format(100 * metrics[`budget/${budget}/${part}`], 0),
    );
    return [`${budget.replace("T", "T=")} ${parts.join("/")}`];
  });
  return shares.length === 0 ? "" : `% of tokens/weight/pull  ${shares.join("  ")}`;
}

const phaseNames = { warm_start: "warm start", reinforce: "reinforce" } as const;

/** Remembers the curve and the pace of the phase that goes on. */
class Pace {
  #phase: TrainingProgress["phase"] | undefined;
  #first = { share: 0, at: 0 };
  readonly curve: number[] = [];

  add({ phase, share, metrics }: TrainingProgress, at: number): void {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#first = { share, at };
      this.curve.length = 0;
    }
    this.curve.push(metrics[phase === "warm_start" ? "sft/loss" : "reward"]);
  }

  /** Returns the seconds left of the phase, `undefined` before there is a pace. */
  getSecondsLeft({ share }: TrainingProgress, at: number): number | undefined {
    const done = share - this.#first.share;
    return done <= 0 ? undefined : ((at - this.#first.at) / done) * (1 - share);
  }
}

/** Returns what is shown of an update: a head with the pace, the numbers, success and shares by budget. */
function renderUpdate(progress: TrainingProgress, secondsLeft: number | undefined): string[] {
  const { phase, update, updates, metrics } = progress;
  const speed = metrics["perf/tokens_per_second"];
  const head = [
    `${phaseNames[phase]} ${update}/${updates}`,
    ...(speed === undefined ? [] : [`${Math.round(speed)} tokens/s`]),
    ...(secondsLeft === undefined ? [] : [`ETA ${formatSeconds(secondsLeft)}`]),
  ].join(" · ");
  return [head, renderNumbers(progress).join(" · "), renderBudgets(progress), renderShares(progress)].filter(
    (line) => line !== "",
  );
}

/** Returns the curve of the phase so far as a line; empty before there is one. */
function renderCurve({ phase }: TrainingProgress, curve: readonly number[]): string[] {
  const spark = renderSpark(curve, 40);
  return spark === "" ? [] : [`${phase === "warm_start" ? "loss" : "reward"} ${spark}`];
}

/** Returns a view that writes to `output`. */
export function createTrainView({ stream, now }: ProgressOutput): TrainView {
  const isTerminal = stream.isTTY === true;
  const interval = isTerminal ? 0.2 : 10;
  const pace = new Pace();
  let last: TrainingProgress | undefined;
  let shown: TrainingProgress | undefined;
  let shownAt = -Infinity;
  let drawn = 0;

  function erase(): string {
    return drawn === 0 ? "" : `\u001b[${drawn}A\r\u001b[J`;
  }
  function show(progress: TrainingProgress): void {
    shown = progress;
    const lines = renderUpdate(progress, pace.getSecondsLeft(progress, now()));
    if (!isTerminal) {
      stream.write(`${lines.join(" · ")}\n`);
      return;
    }
    const width = stream.columns ?? 80;
    const cut = [...lines, ...renderCurve(progress, pace.curve)].map((line) =>
      line.length > width - 1 ? `${line.slice(0, width - 2)}…` : line,
    );
    stream.write(`${erase()}${cut.join("\n")}\n`);
    drawn = cut.length;
  }
  return {
    onUpdate(progress) {
      const isNewPhase = last?.phase !== progress.phase;
      pace.add(progress, now());
      last = progress;
      const isEnd = progress.share >= 1;
      if (now() - shownAt < interval && !isEnd && !isNewPhase) return;
      shownAt = now();
      show(progress);
    },
    onMessage(message) {
      stream.write(`${isTerminal ? erase() : ""}${message}\n`);
      drawn = 0;
      if (isTerminal && last !== undefined) show(last);
    },
    finish() {
      if (last !== undefined && last !== shown) show(last);
    },
  };
}
