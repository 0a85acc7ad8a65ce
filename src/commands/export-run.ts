import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describeSystemError, inputError, TurnwiseError } from "../core/index.js";
import { exportOpenaiMessages, makeFolder } from "../records/index.js";
import { readSource } from "./analyze.js";
import { openSource } from "./compare.js";

/** What an export wrote. */
export interface ExportResult {
  readonly episodeCount: number;
  readonly output: string;
}

/**
 * Writes a run's episodes (or another tool's file) as OpenAI messages, one JSON object a line, to a file or, for `-`,
 * to standard output.
 *
 * @throws {TurnwiseError} (input) for a run that cannot be read or a file that cannot be written.
 */
export async function exportRun(run: string, output: string): Promise<ExportResult> {
  const source = await openSource(run);
  let episodeCount = 0;
  async function* countLines(): AsyncGenerator<string> {
    for await (const line of exportOpenaiMessages(readSource(source))) {
      episodeCount += 1;
      yield `${line.trimEnd()}\n`;
    }
  }
  try {
    if (output === "-") {
      for await (const line of countLines()) process.stdout.write(line);
    } else {
      await makeFolder(dirname(output));
      await pipeline(Readable.from(countLines()), createWriteStream(output));
    }
  } catch (error) {
    if (error instanceof TurnwiseError) throw error;
    throw inputError(`Cannot write "${output}": ${describeSystemError(error)}`, undefined, error);
  }
  return { episodeCount, output };
}
