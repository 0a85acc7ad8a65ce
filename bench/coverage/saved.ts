// What the studies have computed so far, kept beside them, and docs/attribution-coverage.md made from it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { NullRow } from "./null-study.js";
import { renderCoverageDocs, summarize } from "./render.js";
import { draws, type Design, type estimatorNames, type Sums } from "./study.js";

/** Changes whenever an estimator or the process could give other figures; what was done before is then not used. */
const studyVersion = 2;

export const designs: readonly Design[] = [
  { name: "heterogeneous 100x8", taskCount: 100, samples: 8, spread: 1, memory: 1 },
  { name: "heterogeneous 300x16", taskCount: 300, samples: 16, spread: 1, memory: 1 },
  { name: "non-Markov 100x8", taskCount: 100, samples: 8, spread: 1, memory: 0.7 },
  { name: "non-Markov 300x16", taskCount: 300, samples: 16, spread: 1, memory: 0.7 },
  { name: "homogeneous 100x8", taskCount: 100, samples: 8, spread: 0, memory: 1 },
];

/** Sums over replications, by design. */
export type Done = Record<string, Record<(typeof estimatorNames)[number], Sums>>;

const donePath = fileURLToPath(new URL("done.json", import.meta.url));
const nullPath = fileURLToPath(new URL("null.json", import.meta.url));
const docsPath = fileURLToPath(new URL("../../docs/attribution-coverage.md", import.meta.url));

function read<Saved>(path: string): Saved | undefined {
  if (!existsSync(path)) return undefined;
  const { version, ...saved } = JSON.parse(readFileSync(path, "utf8")) as Saved & { version: number }; // written below
  return version === studyVersion ? (saved as Saved) : undefined; // the rest of what was written
}

function write(path: string, saved: object): void {
  writeFileSync(`${path}.part`, `${JSON.stringify({ version: studyVersion, ...saved }, undefined, 1)}\n`);
  renameSync(`${path}.part`, path);
}

export function readDone(): Done {
  return read<{ done: Done }>(donePath)?.done ?? {};
}

export function writeDone(done: Done): void {
  write(donePath, { done });
}

export function writeNullRows(rows: readonly NullRow[]): void {
  write(nullPath, { rows });
}

/** Writes the document from what both studies have. */
export function writeCoverageDocs(): void {
  const done = readDone();
  const known = designs.filter(({ name }) => done[name] !== undefined);
  const rows = known.flatMap((design) => summarize(design, done[design.name]));
  const nullRows = read<{ rows: readonly NullRow[] }>(nullPath)?.rows ?? [];
  writeFileSync(docsPath, renderCoverageDocs(known, done, rows, { draws, nullRows }));
}
