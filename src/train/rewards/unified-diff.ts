import { listEditSteps, type EditStep } from "./sequence-matcher.js";

/** Returns the lines of a text without their ends, by every line break that Python knows. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Groups steps into hunks: stretches of more than twice the context that are equal part them. */
function groupSteps(steps: readonly EditStep[], context: number): EditStep[][] {
  const trimmed = steps.map((step, i): EditStep => {
    if (step.kind !== "equal") return step;
    const { aStart, aEnd, bStart, bEnd } = step;
    const isFirst = i === 0;
    const isLast = i === steps.length - 1;
    const cut = isFirst ? Math.max(0, aEnd - aStart - context) : 0;
    const kept = isLast ? Math.min(aEnd, aStart + cut + context) : aEnd;
    return { kind: "equal", aStart: aStart + cut, aEnd: kept, bStart: bStart + cut, bEnd: bEnd - (aEnd - kept) };
  });
  const groups: EditStep[][] = [];
  let group: EditStep[] = [];
  for (const step of trimmed) {
    const { kind, aStart, aEnd, bStart, bEnd } = step;
    if (kind === "equal" && aEnd - aStart > 2 * context) {
      group.push({ kind, aStart, aEnd: aStart + context, bStart, bEnd: bStart + context });
      groups.push(group);
      group = [{ kind, aStart: aEnd - context, aEnd, bStart: bEnd - context, bEnd }];
    } else group.push(step);
  }
  groups.push(group);
  return groups.filter((each) => each.some(({ kind }) => kind !== "equal"));
}

/** A range as unified diffs write it: the first line from 1 and the count, which is left out when it is 1. */
function formatRange(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return `${start + 1}`;
  return `${count === 0 ? start : start + 1},${count}`;
}

/**
 * Returns the unified diff of two texts without its two header lines, `""` when their lines are equal: what SWE-RL
 * compares. Lines keep no line ends; `context` lines stand around each change, 3 by default.
 */
export function unifiedDiff(before: string, after: string, context = 3): string {
  const a = splitLines(before);
  const b = splitLines(after);
  // difflib's unified_diff keeps its default of ignoring popular lines.
  const groups = groupSteps(listEditSteps(a, b, { autojunk: true }), context);
  return groups
    .flatMap((group) => {
      const first = group[0];
      const last = group[group.length - 1];
      const ranges = `@@ -${formatRange(first.aStart, last.aEnd)} +${formatRange(first.bStart, last.bEnd)} @@`;
      const lines = group.flatMap(({ kind, aStart, aEnd, bStart, bEnd }) => {
        if (kind === "equal") return a.slice(aStart, aEnd).map((line) => ` ${line}`);
        return [...a.slice(aStart, aEnd).map((line) => `-${line}`), ...b.slice(bStart, bEnd).map((line) => `+${line}`)];
      });
      return [ranges, ...lines];
    })
    .join("\n");
}
