import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, inputError, sha256, usageError } from "../core/index.js";
import {
  acceptDraft,
  buildDraftRequest,
  createCommandAuthor,
  createHttpAuthor,
  getPublishPaths,
  lintDocument,
  loadPythonParser,
  renderDraftRequest,
  type DocumentKind,
  type DraftAuthor,
  type LintFinding,
  type ReviewIdentity,
} from "../publish/index.js";
import { publishFolder } from "./publish-files.js";
import {
  createReviewChatClient,
  describeReviewer,
  locateProgram,
  splitCommandLine,
  type ReviewBackendOptions,
} from "./review-backend.js";
import { readEvidenceFiles } from "./review-evidence.js";

/** What `turnwise publish draft` does. */
export interface PublishDraftOptions extends Omit<ReviewBackendOptions, "backend" | "replay"> {
  readonly backend?: "command" | "http";
  /** Default `tutorial`. */
  readonly kind?: DocumentKind;
  /** Default `en`. */
  readonly lang?: string;
  /** Default: made from the topic. */
  readonly id?: string;
  /** Default: the topic. */
  readonly title?: string;
  /** Folder of the new document; default the current one. */
  readonly folder?: string;
  /** Default `turnwise-publish`. */
  readonly out?: string;
  /** Files and folders the author may rest on. */
  readonly evidence?: readonly string[];
  /** Default now. */
  readonly now?: () => Date;
}

/** A draft that was written. */
export interface WrittenDraft {
  readonly id: string;
  readonly file: string;
  readonly author: ReviewIdentity;
  /** Statements marked as to be verified. */
  readonly statementCount: number;
  /** What lint says of it, open markers left out. */
  readonly findings: readonly LintFinding[];
  readonly written: readonly string[];
}

function makeId(topic: string): string {
  return topic
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}

function openAuthor(options: PublishDraftOptions): DraftAuthor {
  const { backend, command, environment = {}, timeoutSeconds, signal, maxTokens, model = "" } = options;
  if (backend === undefined)
    throw usageError(
      "Cannot draft without an author: nothing here writes by itself",
      'Name a backend: --backend command --command "program argument", or --backend http --model NAME --base-url URL',
    );
  if (backend === "http") {
    const client = createReviewChatClient(options, "a draft");
    return createHttpAuthor({ client, identity: describeReviewer(options, model), maxTokens, timeoutSeconds, signal });
  }
  if (command === undefined)
    throw usageError("Cannot run an author without its program", 'Name it: --command "program argument"');
  const parts = splitCommandLine(command);
  const name = parts[0].split(/[\\/]/).at(-1) ?? parts[0];
  return createCommandAuthor({
    command: locateProgram(parts),
    identity: describeReviewer(options, name),
    environment,
    timeoutSeconds,
    signal,
  });
}

async function write(path: string, text: string, isNew = false): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, isNew ? { flag: "wx" } : {});
  } catch (error) {
    throw inputError(`Cannot write "${path}": ${errorMessage(error)}`, undefined, error);
  }
}

/**
 * Asks a backend for a draft on a topic and writes it as a new document with every unverified statement marked. Who
 * wrote it is put on record, so that a reviewer of the same family counts for nothing. An existing file is never
 * overwritten; an answer that is no document is refused, and kept beside the record for whoever wants to look at it.
 *
 * @throws {TurnwiseError} (usage) for options that cannot be used; (input) for a file that is there, a backend that
 *   gives no answer, and an answer that is no document.
 */
export async function draftDocument(topic: string, options: PublishDraftOptions = {}): Promise<WrittenDraft> {
  const { kind = "tutorial", lang = "en", title = topic, folder = ".", out = publishFolder } = options;
  const { now = () => new Date(), evidence = [] } = options;
  const id = options.id ?? makeId(topic);
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(id))
    throw usageError(`Cannot name a draft "${id}"`, "Give it a name of letters, digits and dashes: --id NAME");
  const file = join(folder, `${id}.md`);
  if (existsSync(file))
    throw inputError(
      `Cannot write a draft to "${file}": it is there already`,
      "Choose another --id, or move the file away",
    );
  const author = openAuthor(options);
  const request = buildDraftRequest({ topic, kind, lang, title, evidence: await readEvidenceFiles(evidence, folder) });
  const answer = await author.write(request);
  const paths = getPublishPaths(out, id);
  const draft = acceptDraft(answer, { id, kind, lang, title }, file);
  if (draft.text === undefined) {
    const rejected = join(paths.folder, "draft-rejected.md");
    await write(rejected, answer);
    const list = draft.problems.map(({ line, rule, message }) => `  line ${line}  ${rule}  ${message}`);
    throw inputError(
      `Cannot use the draft of "${author.identity.id}":\n${list.join("\n")}`,
      `It is kept as "${rejected}"; nothing else was written`,
    );
  }
  await write(file, draft.text, true);
  const record = join(paths.folder, "draft.json");
  const at = now().toISOString();
  const hash = (text: string): string => `sha256:${sha256(text)}`;
  await write(
    record,
    `${JSON.stringify({ schema: "draft-record/1", author: author.identity, backend: author.kind, topic, request_sha256: hash(renderDraftRequest(request)), response_sha256: hash(answer), draft_sha256: hash(draft.text), at }, null, 2)}\n`,
  );
  const { document } = draft;
  const subject = {
    document,
    level: "draft" as const,
    set: [document],
    python: await loadPythonParser(),
    userNames: [],
  };
  const { findings } = lintDocument(subject, { generatedAt: at }).details;
  return {
    id,
    file,
    author: author.identity,
    statementCount: draft.statementCount,
    findings: findings.filter(({ ruleId }) => ruleId !== "marker.open"),
    written: [file, record],
  };
}
