import {
  findPython,
  judgeCodeRuns,
  loadPythonParser,
  openPythonRunner,
  runDocumentCode,
  type CodeDetails,
  type PythonRunner,
  type StageArtefact,
} from "../publish/index.js";
import { inputError } from "../core/index.js";
import { createSandbox } from "../sandbox/index.js";
import { publishFolder, readDocuments, writeStage, type DocumentFlags } from "./publish-files.js";

/** What `turnwise publish code` may use. */
export interface PublishCodeOptions extends DocumentFlags {
  /** Default `turnwise-publish`. */
  readonly out?: string;
  /** Python interpreter; `none` leaves Python blocks blocked; default the first on the PATH. */
  readonly python?: string;
  /** Seconds for one block; default 10. */
  readonly maxSeconds?: number;
  /** Default now. */
  readonly now?: Date;
}

/** What became of the code of one document. */
export interface CheckedCode {
  readonly id: string;
  readonly file: string;
  readonly artefact: StageArtefact<CodeDetails>;
  readonly written: readonly string[];
}

async function openPython(python: string | undefined): Promise<PythonRunner | undefined> {
  if (python === "none") return undefined;
  const file = python ?? findPython();
  if (file === undefined) return undefined;
  const runner = await openPythonRunner(file);
  if (runner === undefined && python !== undefined)
    throw inputError(`Cannot run Python by "${python}": it does not start`, "Name another interpreter, or none");
  return runner;
}

/**
 * Parses the code blocks of documents, runs those marked `exec=run` and writes the artefacts of the stage `code`. An
 * interpreter is started only for documents with Python to run.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function checkCodeFiles(
  paths: readonly string[],
  options: PublishCodeOptions = {},
): Promise<readonly CheckedCode[]> {
  const { out = publishFolder, now = new Date(), maxSeconds } = options;
  const documents = await readDocuments(paths, { kind: options.kind, lang: options.lang });
  const parser = await loadPythonParser();
  const hasPython = documents.some(({ blocks }) =>
    blocks.some(({ language = "" }) => /^(?:i?py|python)/.test(language)),
  );
  const python = hasPython ? await openPython(options.python) : undefined;
  const sandbox = createSandbox();
  try {
    const checked: CheckedCode[] = [];
    for (const document of documents) {
      const runs = await runDocumentCode(document, parser, { sandbox, python, maxSeconds });
      const artefact = judgeCodeRuns(document, runs, now.toISOString());
      const written = [await writeStage(out, document.id, artefact)];
      checked.push({ id: document.id, file: document.file, artefact, written });
    }
    return checked;
  } finally {
    await sandbox.close();
  }
}
