// internal
import type { PagePlace } from "./probe/page-tools.js";
import type { CheckLocation, CheckOutcome } from "./render-check.js";

/** Places kept of one check; `actual` says how many there were. */
const maxLocations = 20;

/** How a check comes to its outcome. */
export interface Judgement {
  readonly expected: string;
  /** What was found where nothing is wrong. */
  readonly actual: string;
  readonly problems: readonly CheckLocation[];
  /** Why something could not be decided; counts only where nothing is wrong. */
  readonly gap?: string;
}

/** Returns the outcome: a failure with problems, undecided with a gap, else a pass. */
export function decide({ expected, actual, problems, gap }: Judgement): CheckOutcome {
  if (problems.length > 0) {
    const count = `${problems.length} problem${problems.length === 1 ? "" : "s"}`;
    return {
      status: "fail",
      expected,
      actual: `${count}: ${problems[0].message}`,
      locations: problems.slice(0, maxLocations),
    };
  }
  return { status: gap === undefined ? "pass" : "unknown", expected, actual: gap ?? actual, locations: [] };
}

/** Returns the outcome of a check that has nothing to judge. */
export function notApplicable(expected: string, why: string): CheckOutcome {
  return { status: "not_applicable", expected, actual: why, locations: [] };
}

/** Returns a problem at a place. */
export function problemAt(place: Partial<PagePlace>, message: string): CheckLocation {
  const { block, line, selector, text } = place;
  return {
    message,
    ...(block === undefined ? {} : { block }),
    ...(line === undefined ? {} : { line }),
    ...(selector === undefined ? {} : { selector }),
    ...(text === undefined ? {} : { text }),
  };
}

/** Returns problems for counts that differ. */
export function compareCounts(
  expected: { readonly [name: string]: number },
  actual: { readonly [name: string]: number },
): CheckLocation[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .filter((name) => (expected[name] ?? 0) !== (actual[name] ?? 0))
    .map((name) => ({ message: `${name}: ${actual[name] ?? 0} on the page, ${expected[name] ?? 0} in the source` }));
}

/** Why a check that needs the source is undecided. */
export const noSource = "the source was not given";
