import { expect, test } from "vitest";
import type { RunProgress } from "../commands/index.js";
import { createProgressDisplay, formatSeconds, renderProgress } from "./progress.js";

const progress: RunProgress = {
  planned: 400,
  kept: 20,
  played: 80,
  running: 16,
  succeeded: 30,
  failed: 40,
  unknown: 0,
  errored: 10,
  errorsByClass: { "policy/rate_limit": 7, "policy/timeout": 3 },
  firstErrors: { "policy/rate_limit": "Slow down", "policy/timeout": "Too slow" },
  turns: 512,
  tokens: 9000,
  cost: 0.25,
};

function createTerminal(columns: number, isTTY: boolean) {
  const written: string[] = [];
  let seconds = 0;
  const display = createProgressDisplay({
    stream: { isTTY, columns, write: (text: string) => written.push(text) },
    now: () => seconds,
  });
  return { written, display, wait: (more: number) => (seconds += more) };
}

test("renderProgress() says how far, how well, what failed, how fast and how long", () => {
  expect(renderProgress(progress, 40)).toBe(
    "100/400 episodes · 42.9 % solved · 10 errors (policy/rate_limit 7, policy/timeout 3) · 2.00/s · ETA 2m30s · 16 running · 512 turns · cost 0.2500",
  );
});

test("renderProgress() tells no time left before as many episodes have ended as are playing", () => {
  expect(renderProgress({ ...progress, played: 15 }, 40)).not.toContain("ETA");
  expect(renderProgress({ ...progress, played: 16 }, 40)).toContain("ETA");
});

test("createProgressDisplay() shows errors on an 80-column terminal and never wraps a line", () => {
  const { written, display, wait } = createTerminal(80, true);
  wait(40);
  display.onProgress?.(progress);
  const [line] = written;
  expect(line).toContain("10 errors (policy/rate");
  expect(line.replace(/\r|\u001b\[2K/g, "").length).toBeLessThan(80);
});

test("createProgressDisplay() writes plain lines, ten seconds apart, where there is no terminal", () => {
  const { written, display, wait } = createTerminal(80, false);
  for (let second = 0; second < 25; second += 1) {
    wait(1);
    display.onProgress?.({ ...progress, played: 80 + second });
  }
  expect(written).toHaveLength(2);
  expect(written.every((line) => line.endsWith("\n") && !line.includes("\u001b"))).toBe(true);
});

test("createProgressDisplay() begins the rate anew when another run begins", () => {
  const { written, display, wait } = createTerminal(200, false);
  wait(100);
  display.onProgress?.({ ...progress, played: 50 });
  display.onProgress?.({ ...progress, kept: 0, played: 1 });
  wait(20);
  display.onProgress?.({ ...progress, kept: 0, played: 41 });
  expect(written.at(-1)).toContain("2.05/s");
});

test.each([
  { seconds: 12.4, text: "12s" },
  { seconds: 185, text: "3m05s" },
  { seconds: 3720, text: "1h02m" },
])("formatSeconds() writes $seconds as $text", ({ seconds, text }) => {
  expect(formatSeconds(seconds)).toBe(text);
});
