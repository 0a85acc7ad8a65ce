import { canonicalJson, sha256 } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import { getPassTask, type ReviewPass } from "./passes.js";
import { listReviewItems, type ReviewItem } from "./review-items.js";
import { createResponseJsonSchema } from "./response.js";

/** A document as a packet carries it. */
export interface PacketDocument {
  readonly id: string;
  readonly lang: string;
  /** SHA-256 of the bytes, `sha256:<hex>`. */
  readonly sha256: string;
  readonly text: string;
}

/** A file a reviewer may use as evidence. */
export interface PacketEvidence {
  /** Path relative to the document; never absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
}

/** A rule of style a reviewer may name by id. */
export interface PacketStyleRule {
  readonly id: string;
  readonly text: string;
}

/**
 * Everything a reviewer is told in one pass. There is no field for a round number, an earlier finding, a verdict, a note
 * of what changed or a word of the author, and the packet check refuses further fields.
 */
export interface ReviewPacket {
  readonly schema: "review-packet/1";
  readonly pass: ReviewPass;
  readonly task: { readonly version: number; readonly sha256: string; readonly text: string };
  readonly documents: readonly PacketDocument[];
  /** What the reviewer must give coverage of. */
  readonly items: readonly ReviewItem[];
  /** All blocks of the documents, which findings may name. */
  readonly block_ids: readonly string[];
  readonly style_rules: readonly PacketStyleRule[];
  readonly evidence: readonly PacketEvidence[];
  readonly response_schema: { readonly [key: string]: unknown };
}

/** What a packet holds beside the document. */
export interface PacketOptions {
  /** Other documents of the set: translations, earlier parts. */
  readonly set?: readonly PublishDocument[];
  readonly styleRules?: readonly PacketStyleRule[];
  readonly evidence?: readonly PacketEvidence[];
  /** What the document was asked to cover, a topic each; items of the coverage pass. */
  readonly topics?: readonly string[];
}

function toPacketDocument({ id, lang, sha256: hash, source }: PublishDocument): PacketDocument {
  return { id, lang, sha256: `sha256:${hash}`, text: source };
}

/**
 * Returns the packet of one pass over a document. The documents' other members come along in the consistency pass
 * alone, since other passes ask about one text. Equal inputs give an equal packet.
 */
export function buildReviewPacket(
  document: PublishDocument,
  pass: ReviewPass,
  options: PacketOptions = {},
): ReviewPacket {
  const { set = [], styleRules = [], evidence = [], topics = [] } = options;
  const { version, sha256: hash, text } = getPassTask(pass);
  const others = pass === "consistency" ? set.filter(({ sha256: other }) => other !== document.sha256) : [];
  return {
    schema: "review-packet/1",
    pass,
    task: { version, sha256: hash, text },
    documents: [document, ...others].map(toPacketDocument),
    items: listReviewItems(document, pass, { topics }),
    block_ids: document.blocks.map(({ id }) => id),
    style_rules: [...styleRules].sort((a, b) => (a.id < b.id ? -1 : 1)),
    evidence: [...evidence].sort((a, b) => (a.path < b.path ? -1 : 1)),
    response_schema: createResponseJsonSchema(),
  };
}

/** Returns the text of a packet as it is sent and stored: canonical JSON, so that its hash can be checked again. */
export function renderPacket(packet: ReviewPacket): string {
  return canonicalJson(packet);
}

/** Returns the hash of a packet, `sha256:<hex>`. */
export function hashPacket(packet: ReviewPacket): string {
  return `sha256:${sha256(renderPacket(packet))}`;
}
