import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ArmName } from "./arms.js";
import { summarizeSeeds, type SeedMean } from "./summarize.js";

/** The parts a gap is split into, and the gap. */
export const shareNames = ["gap", "decision", "recovery", "persistence"] as const;

/** An arm less the base of its seed at one budget, with what it is made of; shares of success, not points. */
export interface ShareRow extends Readonly<Record<(typeof shareNames)[number], number>> {
  readonly arm: ArmName;
  readonly seed: number;
  readonly maxTurns: number;
}

/** What one seed's policies do in the states around errors. */
export interface PoolRow {
  readonly seed: number;
  readonly arm: ArmName;
  /** Mean regret and share of repeats of the known error, one step from before it. */
  readonly regret?: number;
  readonly repeats?: number;
  /** Success after the error and without it, by turns left. */
  readonly recovery: readonly { readonly turnsLeft: number; readonly error?: number; readonly clean?: number }[];
}

/** Why the policies of one training seed differ. */
export interface Explanation {
  readonly shares: readonly ShareRow[];
  readonly pools: readonly PoolRow[];
}

/** One arm's gap to its base at one budget, over training seeds. */
export interface ShareSummary extends Readonly<Record<(typeof shareNames)[number], SeedMean>> {
  readonly arm: ArmName;
  readonly maxTurns: number;
}

/** One arm around errors, over training seeds. */
export interface PoolSummary {
  readonly arm: ArmName;
  readonly regret: SeedMean;
  readonly repeats: SeedMean;
  readonly recovery: readonly { readonly turnsLeft: number; readonly error: SeedMean; readonly clean: SeedMean }[];
}

/** Why the policies of an env differ. */
export interface ExplanationSummary {
  readonly seeds: number;
  readonly shares: readonly ShareSummary[];
  readonly pools: readonly PoolSummary[];
}

/** Returns the explanations in a file, none when it does not exist yet. */
export function readExplanations(path: string): Explanation {
  if (!existsSync(path)) return { shares: [], pools: [] };
  return JSON.parse(readFileSync(path, "utf8")) as Explanation; // written by this module
}

/** Writes explanations whole, in a fixed order, one row a line. */
export function writeExplanations(path: string, { shares, pools }: Explanation): void {
  mkdirSync(dirname(path), { recursive: true });
  const list = (rows: readonly (ShareRow | PoolRow)[]): string =>
    [...rows]
      .sort((a, b) => a.arm.localeCompare(b.arm) || a.seed - b.seed)
      .map((row) => JSON.stringify(row))
      .join(",\n  ");
  writeFileSync(`${path}.new`, `{\n "shares": [\n  ${list(shares)}\n ],\n "pools": [\n  ${list(pools)}\n ]\n}\n`);
  renameSync(`${path}.new`, path);
}

function present(values: readonly (number | undefined)[]): SeedMean {
  return summarizeSeeds(values.flatMap((value) => value ?? []));
}

/** Returns means over training seeds with their t intervals, in the order in which arms and budgets are found. */
export function summarizeExplanations({ shares, pools }: Explanation): ExplanationSummary {
  const arms = [...new Set(shares.map(({ arm }) => arm))];
  const budgets = [...new Set(shares.map(({ maxTurns }) => maxTurns))].sort((a, b) => a - b);
  return {
    seeds: new Set(pools.map(({ seed }) => seed)).size,
    shares: arms.flatMap((arm) =>
      budgets.map((maxTurns): ShareSummary => {
        const rows = shares.filter((row) => row.arm === arm && row.maxTurns === maxTurns);
        const over = (name: (typeof shareNames)[number]): SeedMean => summarizeSeeds(rows.map((row) => row[name]));
        const [gap, decision, recovery, persistence] = shareNames.map(over);
        return { arm, maxTurns, gap, decision, recovery, persistence };
      }),
    ),
    pools: [...new Set(pools.map(({ arm }) => arm))].map((arm) => {
      const rows = pools.filter((row) => row.arm === arm);
      const turns = [...new Set(rows.flatMap(({ recovery }) => recovery.map(({ turnsLeft }) => turnsLeft)))];
      return {
        arm,
        regret: present(rows.map(({ regret }) => regret)),
        repeats: present(rows.map(({ repeats }) => repeats)),
        recovery: turns.map((turnsLeft) => {
          const cells = rows.flatMap(({ recovery }) => recovery.filter((cell) => cell.turnsLeft === turnsLeft));
          return {
            turnsLeft,
            error: present(cells.map(({ error }) => error)),
            clean: present(cells.map(({ clean }) => clean)),
          };
        }),
      };
    }),
  };
}
