import { z } from "zod";
import { reviewPasses, type ReviewPass } from "./passes.js";

const quoteSchema = z.object({
  prefix: z.string().default(""),
  exact: z.string().min(1),
  suffix: z.string().default(""),
});

const locationSchema = z.object({
  block: z.string().min(1).optional(),
  document: z.string().min(1).optional(),
  line_start: z.int().min(1).optional(),
  line_end: z.int().min(1).optional(),
  quote: quoteSchema,
});

const evidenceSchema = z.object({
  kind: z.enum(["derivation", "execution", "citation", "artefact", "internal"]),
  detail: z.string(),
  ref: z.string().optional(),
});

const findingSchema = z.object({
  category: z.string().regex(/^[a-z][\w-]*(\.[a-z][\w-]*)*$/i, 'must be dotted words such as "formula.sign"'),
  severity: z.enum(["blocker", "major", "minor", "nit"]),
  location: locationSchema,
  says: z.string().min(1),
  problem: z.string().min(1),
  evidence: evidenceSchema.optional(),
  proposed: z.string().optional(),
  other_occurrences: z.array(z.string()).default([]),
  confidence: z.number().min(0).max(1).optional(),
});

const coverageSchema = z.object({
  item: z.string().min(1),
  status: z.enum(["checked", "skipped", "cannot"]),
  method: z.enum(["derived", "probed", "executed", "looked_up", "read"]).optional(),
});

/** The schema of what a reviewer answers, `review-response/1`. */
export const reviewResponseSchema = z.object({
  schema: z.literal("review-response/1"),
  pass: z.enum(reviewPasses as [ReviewPass, ...ReviewPass[]]), // the list is not empty
  coverage: z.array(coverageSchema),
  findings: z.array(findingSchema),
  limits: z.array(z.string().min(1)).default([]),
});

/** What a reviewer answers in one pass. */
export type ReviewResponse = z.infer<typeof reviewResponseSchema>;
/** One defect as a reviewer states it. */
export type ReviewResponseFinding = ReviewResponse["findings"][number];
/** How bad a reviewer calls a defect. `blocker` and `major` close the stage. */
export type ReviewSeverity = ReviewResponseFinding["severity"];
/** What a reviewer did with one item. */
export type CoverageEntry = ReviewResponse["coverage"][number];
/** The words of a document a finding is about, with what stands before and after them. */
export type QuoteAnchor = ReviewResponseFinding["location"]["quote"];

/** A response that fits, or what the validator says about one that does not. */
export type ParsedReviewResponse =
  | { readonly response: ReviewResponse; readonly problems?: undefined }
  | { readonly response?: undefined; readonly problems: readonly string[] };

/** Returns the JSON Schema of responses, as packets carry it. */
export function createResponseJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(reviewResponseSchema, { io: "input" });
}

/** Returns the text inside one code fence that is the whole answer; else the text as it is. */
function unwrapFence(text: string): string {
  return /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? "(top)" : path.map(String).join(".")}: ${message}`;
}

/** Most messages sent back to a reviewer. */
const maxProblems = 30;

/** What a response may speak of: the parts of a packet it is checked against. */
export interface ResponseScope {
  readonly pass: ReviewPass;
  readonly items: readonly { readonly id: string }[];
  readonly block_ids: readonly string[];
}

/**
 * Returns the response that `text` holds, checked against the schema and the packet: the pass is the one asked, items
 * and blocks are those of the packet, no item twice, and what was not checked has a stated limit. Prose around the
 * JSON is a problem; a code fence around all of it is not.
 */
export function parseReviewResponse(text: string, packet: ResponseScope): ParsedReviewResponse {
  let value: unknown;
  try {
    value = JSON.parse(unwrapFence(text));
  } catch {
    return { problems: ["(top): the answer is not one JSON object"] };
  }
  const parsed = reviewResponseSchema.safeParse(value);
  if (!parsed.success) return { problems: parsed.error.issues.slice(0, maxProblems).map(describeIssue) };
  const problems = findResponseFaults(parsed.data, packet);
  return problems.length > 0 ? { problems: problems.slice(0, maxProblems) } : { response: parsed.data };
}

/** Returns what a response of the right shape says that this packet does not allow. */
function findResponseFaults(response: ReviewResponse, packet: ResponseScope): string[] {
  const problems: string[] = [];
  if (response.pass !== packet.pass) problems.push(`pass: "${response.pass}" was not asked, "${packet.pass}" was`);
  const items = new Set(packet.items.map(({ id }) => id));
  const seen = new Set<string>();
  response.coverage.forEach(({ item, status, method }, index) => {
    if (!items.has(item)) problems.push(`coverage.${index}.item: "${item}" is no item of the packet`);
    if (seen.has(item)) problems.push(`coverage.${index}.item: "${item}" has an entry already`);
    seen.add(item);
    if (status === "checked" && method === undefined)
      problems.push(`coverage.${index}.method: a checked item needs a method`);
  });
  const blocks = new Set([...packet.block_ids, ...items]);
  response.findings.forEach(({ location: { block, line_start = 1, line_end = line_start } }, index) => {
    if (block !== undefined && !blocks.has(block))
      problems.push(`findings.${index}.location.block: "${block}" is no block of the packet`);
    if (line_end < line_start) problems.push(`findings.${index}.location.line_end: lies before line_start`);
  });
  const checked = response.coverage.filter(({ status }) => status === "checked").length;
  if (checked < items.size && response.limits.length === 0) {
    problems.push(`limits: ${items.size - checked} of ${items.size} items are not checked and no limit says why`);
  }
  return problems;
}
