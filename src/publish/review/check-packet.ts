import { z } from "zod";
import { listGrams } from "./grams.js";
import type { ReviewPacket } from "./packet.js";
import { getPassTask } from "./passes.js";

/** One reason why a packet would tell the reviewer more than the text. It voids the round. */
export interface IndependenceFinding {
  readonly rule:
    | "packet.shape"
    | "packet.task"
    | "packet.announced-change"
    | "packet.leading"
    | "packet.finding-id"
    | "packet.overlap"
    | "packet.author-text"
    | "session.reused"
    | "response.foreign-item";
  readonly message: string;
}

/** What came before, which a packet must not carry. */
export interface PacketHistory {
  /** Ids and fingerprints of earlier findings. */
  readonly findingIds?: readonly string[];
  /** Texts of earlier responses. */
  readonly responses?: readonly string[];
  /** Hashes of evidence files that were in earlier packets: what a reviewer quoted from them is no leak. */
  readonly evidenceHashes?: readonly string[];
  /** Style rules and labels of items that earlier packets held: a reviewer may repeat them. */
  readonly toldTexts?: readonly string[];
  /** Notes of the author and the fixer: summaries of changes, reasons, remarks. */
  readonly authorTexts?: readonly string[];
}

/** Limits of {@linkcode checkPacket}. */
export interface PacketCheckOptions {
  /** Words in a run that count as copied. Default 8. */
  readonly gramSize?: number;
  /** Runs shared with earlier responses that are let pass. Default 0. */
  readonly maxOverlap?: number;
}

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const packetSchema = z.strictObject({
  schema: z.literal("review-packet/1"),
  pass: z.string(),
  task: z.strictObject({ version: z.int(), sha256: hash, text: z.string() }),
  documents: z.array(z.strictObject({ id: z.string(), lang: z.string(), sha256: hash, text: z.string() })).min(1),
  items: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.string(),
      line_start: z.int().optional(),
      line_end: z.int().optional(),
      label: z.string().optional(),
      sha256: hash,
    }),
  ),
  block_ids: z.array(z.string()),
  style_rules: z.array(z.strictObject({ id: z.string(), text: z.string() })),
  evidence: z.array(z.strictObject({ path: z.string(), sha256: hash, text: z.string() })),
  response_schema: z.record(z.string(), z.unknown()),
});

/** Words that tell a reviewer that something was changed, or what came of it before. */
const announcements: readonly RegExp[] = [
  /\b(?:we|i|author|authors|fixer)\s+(?:have\s+|has\s+)?(?:already\s+)?(?:fixed|addressed|corrected|resolved|revised)\b/i,
  /\b(?:has|have|had)\s+(?:now\s+|already\s+)?been\s+(?:fixed|addressed|corrected|resolved|revised)\b/i,
  /\b(?:now|already)\s+(?:fixed|corrected|resolved)\b/i,
  /\b(?:previous|earlier|last|prior)\s+(?:round|review|reviewer|findings?)\b/i,
  /\b(?:since|after)\s+(?:the\s+)?(?:last|previous)\s+(?:round|review|version)\b/i,
  /\b(?:review\s+)?round\s*#?\s*\d+\b/i,
  /\bre-?review(?:ed|ing)?\b/i,
  /\bchange\s?log\b|\bchanges\s+(?:made|since)\b/i,
  /\bas\s+(?:the\s+)?reviewer\s+(?:asked|requested|suggested|said)\b/i,
  /\b(?:verdict|status)\s*[:=]\s*"?(?:PASS|WARN|FAIL)\b/,
  /(?:上一?轮|前一?轮|第\s*[一二三四五六七八九十\d]+\s*轮(?:审|评)|已(?:经)?(?:修复|修正|改正|更正)|根据审稿|按照?审稿|审稿人(?:指出|要求))/,
  /(?:vòng\s+(?:trước|\d+)|đã\s+(?:được\s+)?(?:sửa|khắc phục|chỉnh sửa)|người phản biện)/i,
];

/** Words that tell a reviewer what to think. */
const leads: readonly RegExp[] = [
  /\b(?:please\s+)?(?:confirm|verify)\s+(?:that\s+)?(?:everything|it|this|all)\s+(?:is|are|now|looks)\b/i,
  /\b(?:should|must)\s+(?:now\s+)?(?:pass|be\s+(?:fine|correct|clean))\b/i,
  /\b(?:only|just)\s+(?:look|check|focus)\s+(?:at|on)\b/i,
  /\b(?:excellent|great|solid|high[- ]quality)\s+(?:work|document|tutorial|draft)\b/i,
  /\b(?:you\s+need\s+not|no\s+need\s+to|do\s+not)\s+(?:check|report|flag|mention)\b/i,
  /(?:请确认|应该(?:可以)?通过|无需(?:检查|报告)|不用(?:检查|报告))/,
];

/** Returns what is in a document's HTML comments: the one place of it where a note to the reviewer can hide. */
function readComments(text: string): string {
  return [...text.matchAll(/<!--([\s\S]*?)(?:-->|$)/g)].map(([, comment]) => comment).join("\n");
}

interface PacketPart {
  readonly place: string;
  readonly text: string;
}

/** Returns the parts of a packet that somebody could have written for the reviewer. */
function listFreeParts(packet: ReviewPacket): PacketPart[] {
  return [
    ...packet.style_rules.map(({ id, text }) => ({ place: `style rule "${id}"`, text })),
    ...packet.evidence.map(({ path, text }) => ({ place: `evidence file "${path}"`, text: `${path}\n${text}` })),
    ...packet.items.flatMap(({ id, kind, label }) =>
      label === undefined || kind === "citation" ? [] : [{ place: `item "${id}"`, text: label }],
    ),
    ...packet.documents.map(({ id, text }) => ({ place: `comments in document "${id}"`, text: readComments(text) })),
  ];
}

function findPhrases(parts: readonly PacketPart[]): IndependenceFinding[] {
  return parts.flatMap(({ place, text }) => {
    const find = (
      rule: IndependenceFinding["rule"],
      patterns: readonly RegExp[],
      what: string,
    ): IndependenceFinding[] => {
      const found = patterns.map((pattern) => pattern.exec(text)?.[0]).find((words) => words !== undefined);
      return found === undefined ? [] : [{ rule, message: `The ${place} ${what}: "${found}"` }];
    };
    return [
      ...find("packet.announced-change", announcements, "speaks of changes or of an earlier review"),
      ...find("packet.leading", leads, "tells the reviewer what to find"),
    ];
  });
}

function findIds(packet: ReviewPacket, ids: readonly string[]): IndependenceFinding[] {
  const text = JSON.stringify(packet);
  return ids
    .filter((id) => id.length >= 6 && text.includes(id))
    .map((id) => ({ rule: "packet.finding-id", message: `The packet holds the earlier finding id "${id}"` }));
}

function findOverlap(
  packet: ReviewPacket,
  { responses = [], authorTexts = [], evidenceHashes = [], toldTexts = [] }: PacketHistory,
  { gramSize = 8, maxOverlap = 0 }: PacketCheckOptions,
): IndependenceFinding[] {
  const allowed = new Set<string>();
  const allow = (text: string): void => listGrams(text, gramSize).forEach((gram) => allowed.add(gram));
  packet.documents.forEach(({ text }) => allow(text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")));
  packet.evidence.filter(({ sha256 }) => evidenceHashes.includes(sha256)).forEach(({ text }) => allow(text));
  toldTexts.forEach(allow);
  const collect = (texts: readonly string[]): Set<string> =>
    new Set(texts.flatMap((text) => [...listGrams(text, gramSize)]).filter((gram) => !allowed.has(gram)));
  const [earlier, written] = [collect(responses), collect(authorTexts)];
  if (earlier.size + written.size === 0) return [];
  return listFreeParts(packet).flatMap(({ place, text }) => {
    const grams = [...listGrams(text, gramSize)];
    const copied = grams.filter((gram) => earlier.has(gram));
    const told = grams.filter((gram) => written.has(gram));
    return [
      ...(copied.length > maxOverlap
        ? [{ rule: "packet.overlap" as const, message: `The ${place} repeats an earlier response: "${copied[0]}"` }]
        : []),
      ...(told.length > maxOverlap
        ? [{ rule: "packet.author-text" as const, message: `The ${place} repeats a note of the author: "${told[0]}"` }]
        : []),
    ];
  });
}

/**
 * Returns why a packet must not be sent, empty when it is clean: fields that are not part of a packet, a task text that
 * is not the fixed one, words that announce changes or lead the reviewer, ids of earlier findings, and runs of words
 * shared with earlier responses or notes of the author that the document itself does not hold.
 */
export function checkPacket(
  packet: ReviewPacket,
  history: PacketHistory = {},
  options: PacketCheckOptions = {},
): IndependenceFinding[] {
  const shape = packetSchema.safeParse(packet);
  const faults: IndependenceFinding[] = shape.success
    ? []
    : shape.error.issues.map(({ path, message }) => ({
        rule: "packet.shape",
        message: `The packet has a field it must not have, or lacks one: ${path.map(String).join(".") || "(top)"}: ${message}`,
      }));
  if (faults.length > 0) return faults;
  if (packet.task.sha256 !== getPassTask(packet.pass).sha256 || packet.task.text !== getPassTask(packet.pass).text)
    faults.push({ rule: "packet.task", message: `The task text is not the fixed one of pass "${packet.pass}"` });
  return [
    ...faults,
    ...findPhrases(listFreeParts(packet)),
    ...findIds(packet, history.findingIds ?? []),
    ...findOverlap(packet, history, options),
  ];
}
