import type { ComputedClaim } from "../evidence.js";
import type { ClaimEntry } from "../ledger.js";
import { listQuantities } from "../text/quantity.js";

const bestWords =
  /\b(?:best|max(?:imum|imal)?|highest|top|peak|upper bound|oracle|cao nhất|tốt nhất|tối đa)\b|最好|最佳|最高|最优|最大/i;
const worstWords = /\b(?:worst|min(?:imum|imal)?|lowest|tệ nhất|thấp nhất|tối thiểu)\b|最差|最低|最坏|最小/i;

/** Things that are aggregated, with the words that count them. */
const countedThings: readonly (readonly [RegExp, RegExp])[] = [
  [/seed/i, /seeds?|随机种子|种子|hạt giống/],
  [/run/i, /runs?|次运行|lần chạy/],
  [/task|question|problem/i, /tasks?|questions?|problems?|个?任务|道题|nhiệm vụ|bài/],
  [/episode|rollout|attempt|sample|trial/i, /episodes?|rollouts?|attempts?|samples?|trials?|次尝试|个?样本|lượt|mẫu/],
];

function isNear(x: number, y: number): boolean {
  return Math.abs(x - y) <= 1e-12 * Math.max(1, Math.abs(x), Math.abs(y));
}

const formulas: Readonly<Record<"mean" | "median" | "best" | "worst", string>> = {
  mean: "mean",
  median: "median",
  best: "max",
  worst: "min",
};

/** Returns how the aggregation that a ledger states differs from what its inputs are, a message for each fault. */
export function checkAggregation(claim: ClaimEntry, computed: ComputedClaim): string[] {
  const { aggregation, inputs } = claim;
  if (aggregation === undefined) return [];
  const { method, n, count, over = "items" } = aggregation;
  const counted = count === undefined ? computed.listCount : computed.compute(count);
  const faults: string[] = [];
  if (n !== undefined && counted !== undefined && counted !== n)
    faults.push(`The ledger says n = ${n} ${over}, the evidence has ${String(counted)}`);
  if (n !== undefined && counted === undefined)
    faults.push(`Nothing counts the n = ${n} ${over} of the ledger: give an expression as aggregation.count`);
  if (method === "single" && typeof counted === "number" && counted > 1)
    faults.push(`The ledger says a single value, the evidence has ${counted}`);
  if (method !== "single" && inputs.length === 1 && computed.listCount !== undefined && claim.kind === "value") {
    const expected = computed.compute(`${formulas[method]}(value)`);
    if (typeof expected === "number" && typeof computed.value === "number" && !isNear(expected, computed.value))
      faults.push(
        `The ledger says ${method}, ${claim.expr} gives ${computed.value} where the ${method} is ${expected}`,
      );
  }
  return faults;
}

/**
 * Returns how a sentence misstates the aggregation of a claim it shows, a message for each fault. `free` is the sentence
 * without the numbers that have claims of their own.
 */
export function checkAggregationWording(
  claim: ClaimEntry,
  computed: ComputedClaim,
  sentence: string,
  free: string,
): string[] {
  const { aggregation, expr } = claim;
  const list = computed.listCount !== undefined && computed.listCount > 1;
  const isBest =
    aggregation?.method === "best" || (list && aggregation === undefined && /^\s*max\(\s*\w+\s*\)\s*$/.test(expr));
  const isWorst =
    aggregation?.method === "worst" || (list && aggregation === undefined && /^\s*min\(\s*\w+\s*\)\s*$/.test(expr));
  const faults: string[] = [];
  if (isBest && !bestWords.test(sentence))
    faults.push("The number is the best of several, and the sentence does not say so");
  if (isWorst && !worstWords.test(sentence))
    faults.push("The number is the worst of several, and the sentence does not say so");
  const { over, n, count } = aggregation ?? {};
  const counted = n ?? (count === undefined ? computed.listCount : computed.compute(count));
  if (over === undefined || typeof counted !== "number") return faults;
  const words = countedThings.find(([thing]) => thing.test(over))?.[1];
  if (words === undefined) return faults;
  for (const { value, to, text } of listQuantities(free)) {
    const follows = new RegExp(`^[\\s-]?(?:[a-z]+ )?(?:${words.source})`, "i").test(free.slice(to));
    if (follows && Number.isInteger(value) && value !== counted)
      faults.push(`The sentence says ${text.trim()} ${over}, the claim is made from ${counted}`);
  }
  return faults;
}
