import {
  parseDocument,
  probeReviewer,
  writeTraces,
  type MutationClass,
  type PublishDocument,
  type SeededProbe,
} from "../publish/index.js";
import type { PublishReviewOptions } from "./review-options.js";
import { saveWorkspace } from "./publish-save.js";
import { getRoundOptions, prepareReview } from "./review-setup.js";

/** What `turnwise publish probe` does. */
export interface PublishProbeOptions extends PublishReviewOptions {
  readonly classes?: readonly MutationClass[];
  readonly perClass?: number;
  readonly seed?: number;
}

/** What a probe came to. */
export interface ProbedDocument {
  readonly id: string;
  readonly file: string;
  readonly probe: SeededProbe;
  readonly written: readonly string[];
}

/**
 * Measures the reviewer of a document with known defects in copies of it, and puts the recall of each class into the
 * audit.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function probeFile(file: string, options: PublishProbeOptions = {}): Promise<ProbedDocument> {
  const setup = await prepareReview(file, options);
  const { workspace, backend } = setup;
  const { document, paths } = workspace;
  const base = await getRoundOptions(setup, workspace.review, 0);
  const { classes, perClass, seed } = options;
  const parse = (source: string): PublishDocument =>
    parseDocument(source, { file: document.file, kind: options.kind, lang: options.lang });
  const { probe, calls } = await probeReviewer(document, backend, {
    ...base,
    history: {},
    classes,
    perClass,
    seed,
    parse,
  });
  const traces = await writeTraces(paths, calls, probe.passes, backend, {
    round: 0,
    mode: setup.traceMode,
    label: `probe-${probe.seed}`,
  });
  const seeded = Object.fromEntries(
    probe.recall.map(({ class: name, n, found, low, high }) => [name, { n, found, low, high }]),
  );
  const saved = await saveWorkspace(workspace, { traces, probes: { seed: probe.seed, seeded } });
  return { id: document.id, file: document.file, probe, written: saved.written };
}
