// internal

/** Rows in ascending order of their scores, with where each group of equal scores ends. */
export interface Ranking {
  readonly order: Int32Array;
  readonly ends: Int32Array;
}

/** Ranks the given rows (default: all) by score. */
export function rankScores(scores: ArrayLike<number>, rows?: ArrayLike<number>): Ranking {
  const order =
    rows === undefined ? Int32Array.from({ length: scores.length }, (_unused, row) => row) : Int32Array.from(rows);
  order.sort((a, b) => (scores[a] < scores[b] ? -1 : scores[a] > scores[b] ? 1 : a - b));
  const ends: number[] = [];
  for (let i = 1; i <= order.length; i += 1) {
    if (i === order.length || scores[order[i]] !== scores[order[i - 1]]) ends.push(i);
  }
  return { order, ends: Int32Array.from(ends) };
}

/** Returns weighted concordant pairs, ties half, and all pairs of a row labelled 1 with one labelled 0. */
export function sumConcordance(
  { order, ends }: Ranking,
  labels: ArrayLike<number>,
  weightOf: (row: number) => number,
): { readonly concordant: number; readonly pairs: number } {
  let below = 0;
  let positives = 0;
  let concordant = 0;
  let start = 0;
  for (const end of ends) {
    let yes = 0;
    let no = 0;
    for (let i = start; i < end; i += 1) {
      const weight = weightOf(order[i]);
      if (labels[order[i]] === 1) yes += weight;
      else no += weight;
    }
    concordant += yes * (below + no / 2);
    below += no;
    positives += yes;
    start = end;
  }
  return { concordant, pairs: positives * below };
}

/** Rankings of the rows of each stratum; strata in which one class is missing give no pair. */
export function rankStrata(scores: ArrayLike<number>, rows: ArrayLike<number>, strata: ArrayLike<number>): Ranking[] {
  const byStratum = new Map<number, number[]>();
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const list = byStratum.get(strata[row]);
    if (list === undefined) byStratum.set(strata[row], [row]);
    else list.push(row);
  }
  return [...byStratum.values()].map((members) => rankScores(scores, members));
}

/** Returns the AUROC over pairs within each ranking, or `undefined` when there is no pair. */
export function aurocWithin(
  rankings: readonly Ranking[],
  labels: ArrayLike<number>,
  weightOf: (row: number) => number,
): number | undefined {
  let concordant = 0;
  let pairs = 0;
  for (const ranking of rankings) {
    const part = sumConcordance(ranking, labels, weightOf);
    concordant += part.concordant;
    pairs += part.pairs;
  }
  return pairs > 0 ? concordant / pairs : undefined;
}

/** Returns average precision, equal scores taken together, or `undefined` without a positive. */
export function averagePrecision(
  { order, ends }: Ranking,
  labels: ArrayLike<number>,
  weightOf: (row: number) => number,
): number | undefined {
  let positives = 0;
  for (const row of order) if (labels[row] === 1) positives += weightOf(row);
  if (!(positives > 0)) return undefined;
  let area = 0;
  let hits = 0;
  let seen = 0;
  for (let group = ends.length - 1; group >= 0; group -= 1) {
    let gained = 0;
    for (let i = group === 0 ? 0 : ends[group - 1]; i < ends[group]; i += 1) {
      const weight = weightOf(order[i]);
      seen += weight;
      if (labels[order[i]] === 1) gained += weight;
    }
    hits += gained;
    if (gained > 0) area += (gained / positives) * (hits / seen);
  }
  return area;
}

/** Returns the calibration error of ranked probabilities over bins of equal mass, or `undefined` without weight. */
export function binnedError(
  { order, ends }: Ranking,
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  binCount: number,
  weightOf: (row: number) => number,
): number | undefined {
  let total = 0;
  for (const row of order) total += weightOf(row);
  if (!(total > 0)) return undefined;
  const gaps = new Float64Array(binCount);
  let before = 0;
  let start = 0;
  for (const end of ends) {
    let mass = 0;
    let gap = 0;
    for (let i = start; i < end; i += 1) {
      const weight = weightOf(order[i]);
      mass += weight;
      gap += weight * (probabilities[order[i]] - labels[order[i]]);
    }
    // A group of equal probabilities belongs where its middle falls.
    gaps[Math.min(binCount - 1, Math.floor(((before + mass / 2) / total) * binCount))] += gap;
    before += mass;
    start = end;
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / total;
}
