/** One record of a CSV file. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** 1-based line on which the record begins. */
  readonly line: number;
  /** Whether a line end follows; the last record of a file still being written may lack it. */
  readonly isTerminated: boolean;
}

/**
 * Yields the records of a CSV text (RFC 4180: quoted cells may hold separators, line ends and doubled quotes). Blank
 * lines are passed over. A quote that is never closed runs to the end of the text.
 */
export function* parseCsv(text: string, separator = ","): Generator<CsvRecord> {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const cell = new RegExp(`"((?:[^"]|"")*)(?:"|$)|[^${separator === "\t" ? "\\t" : separator}\\r\\n]*`, "y");
  let at = 0;
  let line = 1;
  while (at < plain.length) {
    const cells: string[] = [];
    const firstLine = line;
    for (;;) {
      cell.lastIndex = at;
      const found = cell.exec(plain);
      const raw = found?.[0] ?? "";
      cells.push(found?.[1] === undefined ? raw : found[1].replaceAll('""', '"'));
      at += raw.length;
      line += raw.split("\n").length - 1;
      if (plain[at] !== separator) break;
      at += 1;
    }
    // Text between a closing quote and the next separator belongs to no cell.
    while (at < plain.length && plain[at] !== "\n") at += 1;
    const isTerminated = at < plain.length;
    at += 1;
    line += 1;
    if (cells.length > 1 || cells[0].trim() !== "") yield { cells, line: firstLine, isTerminated };
  }
}
