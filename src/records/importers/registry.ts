import { usageError, inputError } from "../../core/index.js";
import { refuseUnusable } from "../reading/source.js";
import { harborImporter } from "./harbor.js";
import type { Importer, ImportSource } from "./importer.js";
import { inspectImporter } from "./inspect.js";
import { intercodeImporter } from "./intercode.js";
import { mapImporter } from "./map.js";
import { miniSweAgentImporter } from "./mini-swe-agent.js";
import { openaiMessagesImporter } from "./openai-messages.js";
import { otelImporter } from "./otel.js";
import { outcomesImporter } from "./outcomes.js";
import { sweAgentImporter } from "./swe-agent.js";
import { tau2Importer } from "./tau2.js";
import { tauBenchImporter } from "./tau-bench.js";
import { turnwiseImporter } from "./turnwise.js";
import { verifiersImporter } from "./verifiers.js";

/** Every importer, in the order help lists them. A new one is one line here. */
export const importers: readonly Importer[] = [
  turnwiseImporter,
  verifiersImporter,
  tauBenchImporter,
  tau2Importer,
  intercodeImporter,
  inspectImporter,
  sweAgentImporter,
  miniSweAgentImporter,
  harborImporter,
  otelImporter,
  outcomesImporter,
  openaiMessagesImporter,
  mapImporter,
];

/** How sure an importer must be for a file to count as recognised. */
const leastCertainty = 0.3;

/** Returns the importer that is surest to know a file, or `undefined` when none is. The earlier one wins a tie. */
export function recognizeImporter(source: ImportSource): Importer | undefined {
  let best: Importer | undefined;
  let bestCertainty = 0;
  for (const importer of importers) {
    const certainty = importer.detect(source);
    if (certainty > bestCertainty) [best, bestCertainty] = [importer, certainty];
  }
  return bestCertainty >= leastCertainty ? best : undefined;
}

/**
 * Returns the importer for a file: the one named by `format`, or with `auto` the one that recognises it.
 *
 * @throws {TurnwiseError} (usage) for a format that does not exist; (input) when no importer knows the file.
 */
export function getImporter(format: string, source: ImportSource): Importer {
  const known = importers.map((importer) => importer.format).join(", ");
  if (format !== "auto") {
    const named = importers.find((importer) => importer.format === format);
    if (named === undefined) throw usageError(`Cannot import as "${format}": formats are auto, ${known}`);
    return named;
  }
  refuseUnusable(source, { allowsZip: true });
  const found = recognizeImporter(source);
  if (found !== undefined) return found;
  throw inputError(
    `Cannot import "${source.path}": its format was not recognised`,
    `Name it with --format (${known}), or describe its fields with --map`,
  );
}
