// internal

/** Rows in ascending order of their scores, with where each group of equal scores ends. */
export interface Ranking {
  readonly order: Int32Array;
  readonly ends: Int32Array;
}

/** Ranks the given rows (default: all) by score. */
export function rankScores(scores: ArrayLike<number>, rows?: ArrayLike<number>): Ranking {
  const order = rows === undefined ? Int32Array.from({ length: scores.length }, (_unused, row) => row) : Int32Array.from(rows);
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
