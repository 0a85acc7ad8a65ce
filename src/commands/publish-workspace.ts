import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { inputError } from "../core/index.js";
import {
  findModelFamily,
  getPublishPaths,
  listAnsweredSessions,
  listAudits,
  listRequiredPasses,
  readAudit,
  readContentReview,
  type Assurance,
  type AuditFile,
  type ContentReview,
  type PublishDocument,
  type PublishPaths,
  type ReviewParties,
  type ReviewPass,
} from "../publish/index.js";
import { publishFolder, readDocuments, readPublishConfig, type DocumentFlags } from "./publish-files.js";

/** What every command on audits is told. */
export interface AuditCommandOptions extends DocumentFlags {
  readonly level?: Assurance;
  /** Default `turnwise-publish`. */
  readonly out?: string;
  readonly config?: string;
  /** Default now. */
  readonly now?: () => Date;
}

const identitySchema = z.strictObject({
  id: z.string().min(1),
  family: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  reasoning: z.string().min(1).optional(),
});

const partiesConfig = z.strictObject({
  author: identitySchema.optional(),
  fixer: identitySchema.optional(),
  arbiter: identitySchema.optional(),
});

/** All that is on record about one document, with the document. */
export interface PublishWorkspace {
  readonly document: PublishDocument;
  readonly kind: string;
  readonly level: Assurance;
  readonly paths: PublishPaths;
  readonly previous?: { readonly audit: AuditFile; readonly sha256: string };
  readonly review: ContentReview;
  readonly parties: ReviewParties;
  readonly requiredPasses: readonly ReviewPass[];
  /** Sessions that other documents of the output folder used. */
  readonly otherSessions: ReadonlySet<string>;
  readonly now: () => Date;
}

const draftRecord = z.looseObject({ author: identitySchema });

/** Returns who wrote the draft of a document, where it came from a backend. */
async function readDraftAuthor({ folder }: PublishPaths) {
  const text = await readFile(join(folder, "draft.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return draftRecord.parse(JSON.parse(text)).author;
  } catch {
    throw inputError(
      `Cannot read "${join(folder, "draft.json")}": it does not say who wrote the draft`,
      "Name the author under parties in the configuration, and move the file away",
    );
  }
}

/** Returns the parties that a configuration file names under `parties`, over those the last audit and the draft name. */
async function readParties(
  config: string | undefined,
  audit: AuditFile | undefined,
  paths: PublishPaths,
): Promise<ReviewParties> {
  const parsed = partiesConfig.safeParse(await readPublishConfig(config, "parties"));
  if (!parsed.success)
    throw inputError(
      `Cannot use "parties" of configuration "${config}":\n${z.prettifyError(parsed.error)}`,
      "Allowed are author, fixer and arbiter, each with id, and family, model, reasoning",
    );
  const recorded = audit?.legacy === undefined ? audit?.independence : undefined;
  const named = {
    author: recorded?.author ?? (await readDraftAuthor(paths)),
    fixer: recorded?.fixer,
    arbiter: recorded?.arbiter,
    ...parsed.data,
  };
  const complete = Object.entries(named).flatMap(([role, identity]) => {
    if (identity === undefined) return [];
    const family = identity.family ?? findModelFamily(identity.model ?? identity.id);
    return [[role, { ...identity, ...(family === undefined ? {} : { family }) }] as const];
  });
  return Object.fromEntries(complete);
}

async function listOtherSessions(out: string, own: string): Promise<Set<string>> {
  if (!existsSync(out)) return new Set();
  const others = (await listAudits(out)).filter((path) => resolve(path) !== resolve(own));
  const audits = await Promise.all(others.map((path) => readAudit(path).catch(() => undefined)));
  const rounds = audits.flatMap((found) => found?.audit.math_code_review?.rounds ?? []);
  return new Set(rounds.flatMap(({ pass_results = [] }) => listAnsweredSessions(pass_results)));
}

/**
 * Opens what is on record about a document.
 *
 * @throws {TurnwiseError} (input) for a document, configuration or audit that cannot be read.
 */
export async function openWorkspace(file: string, options: AuditCommandOptions = {}): Promise<PublishWorkspace> {
  const { out = publishFolder, now = () => new Date(), config } = options;
  const [document] = await readDocuments([file], { kind: options.kind, lang: options.lang });
  const paths = getPublishPaths(out, document.id);
  const previous = await readAudit(paths.audit);
  const kind = document.frontMatter.kind ?? options.kind ?? "tutorial";
  return {
    document,
    kind,
    level: options.level ?? document.frontMatter.assurance ?? "draft",
    paths,
    previous,
    review: readContentReview(previous?.audit),
    parties: await readParties(config, previous?.audit, paths),
    requiredPasses: listRequiredPasses(kind),
    otherSessions: await listOtherSessions(out, paths.audit),
    now,
  };
}

/** Returns the evidence folders and bibliographies a document names that are not there. */
export function listMissingInputs({ file, frontMatter }: PublishDocument): string[] {
  const named = [...(frontMatter.evidence ?? []), ...(frontMatter.bibliography ?? [])];
  return named.filter((path) => !existsSync(resolve(dirname(file), path)));
}
