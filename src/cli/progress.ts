import type { RunEvents, RunProgress } from "../commands/index.js";

/** Where progress goes, and how. */
export interface ProgressOutput {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  /** Returns seconds. */
  readonly now: () => number;
}

/** Returns a number of seconds as `1h02m`, `3m05s` or `12s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole >= 3600) return `${Math.floor(whole / 3600)}h${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")}m`;
  if (whole >= 60) return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
  return `${whole}s`;
}

/** Returns one line that says how far a run is. */
export function renderProgress(progress: RunProgress, seconds: number): string {
  const { planned, kept, played, running, succeeded, failed, errored, errorsByClass, turns, cost } = progress;
  const done = kept + played;
  const rate = seconds > 0 ? played / seconds : 0;
  const left = Math.max(0, planned - done);
  const graded = succeeded + failed;
  const parts = [
    `${done}/${planned} episodes`,
    ...(graded > 0 ? [`${((100 * succeeded) / graded).toFixed(1)} % solved`] : []),
    // Before rates and times: a narrow terminal cuts the end, and errors must be seen.
    ...(errored > 0
      ? [
          `${errored} errors (${Object.entries(errorsByClass)
            .map(([name, count]) => `${name} ${count}`)
            .join(", ")})`,
        ]
      : []),
    ...(rate > 0 ? [`${rate >= 10 ? rate.toFixed(0) : rate.toFixed(2)}/s`] : []),
    // Until as many have ended as are playing, the rate is that of the first to end and says nothing of the rest.
    ...(rate > 0 && left > 0 && played >= running ? [`ETA ${formatSeconds(left / rate)}`] : []),
    `${running} running`,
    `${turns} turns`,
    ...(cost > 0 ? [`cost ${cost.toFixed(cost < 1 ? 4 : 2)}`] : []),
  ];
  return parts.join(" · ");
}

function renderBar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return "█".repeat(filled) + "░".repeat(width - filled);
}

/** Shows how a run goes: a bar that is redrawn on a terminal, a plain line every ten seconds elsewhere. */
export interface ProgressDisplay extends RunEvents {
  /** Writes the last state and ends the line. */
  finish(): void;
}

/** Returns a display that writes to `output`. */
export function createProgressDisplay({ stream, now }: ProgressOutput): ProgressDisplay {
  let startedAt = now();
  const isTerminal = stream.isTTY === true;
  const interval = isTerminal ? 0.1 : 10;
  let shownAt = isTerminal ? -Infinity : startedAt;
  let last: RunProgress | undefined;
  let shown = "";

  function show(progress: RunProgress): void {
    const text = renderProgress(progress, now() - startedAt);
    if (text === shown) return;
    shown = text;
    if (!isTerminal) {
      stream.write(`${text}\n`);
      return;
    }
    const width = stream.columns ?? 80;
    const share = progress.planned === 0 ? 0 : (progress.kept + progress.played) / progress.planned;
    const line = `${renderBar(share, width < 100 ? 8 : 16)} ${text}`;
    stream.write(`\r\u001b[2K${line.length > width - 1 ? `${line.slice(0, width - 2)}…` : line}`);
  }

  return {
    onProgress(progress) {
      // Another run begins where the count falls back: its rate is its own.
      if (last !== undefined && progress.played < last.played) startedAt = now();
      last = progress;
      if (now() - shownAt < interval) return;
      shownAt = now();
      show(progress);
    },
    onMessage(message) {
      stream.write(isTerminal ? `\r\u001b[2K${message}\n` : `${message}\n`);
      shown = "";
      if (last !== undefined && isTerminal) show(last);
    },
    finish() {
      if (last !== undefined) show(last);
      if (isTerminal && last !== undefined) stream.write("\n");
    },
  };
}
