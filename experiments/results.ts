import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ArmName, ExperimentEnv } from "./arms.js";

/** One point of a run's evaluation. */
export interface RatePoint {
  readonly disclosure: "hidden" | "static" | "countdown";
  readonly maxTurns: number;
  readonly k: number;
  readonly rate: number;
}

/** What one trained policy came to. */
export interface RunResult {
  readonly env: ExperimentEnv;
  readonly arm: ArmName;
  readonly seed: number;
  readonly end: string;
  readonly updates: number;
  readonly sampledTokens: number;
  readonly seconds: number;
  /** Mean reward of an update and the tokens sampled so far, every fifth update. */
  readonly curve: readonly { readonly update: number; readonly sampledTokens: number; readonly reward: number }[];
  readonly rates: readonly RatePoint[];
}

/** Returns the results in a file, none when it does not exist yet. */
export function readResults(path: string): RunResult[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as RunResult[]) : []; // written by this module
}

/** Writes results whole, in a fixed order, one run a line. */
export function writeResults(path: string, results: readonly RunResult[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const sorted = [...results].sort((a, b) => a.arm.localeCompare(b.arm) || a.seed - b.seed);
  writeFileSync(`${path}.new`, `[\n${sorted.map((result) => JSON.stringify(result)).join(",\n")}\n]\n`);
  renameSync(`${path}.new`, path);
}
