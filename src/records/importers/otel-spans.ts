// internal
import type { JsonObject, JsonValue } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { getAt, getList, getName, getObject, getText } from "./fields.js";

/** An event on a span. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: JsonObject;
}

/** One span with its attributes decoded. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  /** Nanoseconds since the epoch; 0 when not stated. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: JsonObject;
  readonly events: readonly SpanEvent[];
  readonly hasError: boolean;
  readonly statusMessage?: string;
  /** Attributes of the service that sent it. */
  readonly resource: JsonObject;
}

/** Returns the JSON value of an OTLP attribute value; whole numbers are written as text there. */
function decodeValue(value: unknown): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  if (intValue !== undefined) return Number.isSafeInteger(Number(intValue)) ? Number(intValue) : intValue;
  if (doubleValue !== undefined) return doubleValue;
  if (isJsonObject(arrayValue)) return getList(arrayValue["values"]).map((item) => decodeValue(item) ?? null);
  if (isJsonObject(kvlistValue)) return decodeAttributes(kvlistValue["values"]);
  return bytesValue;
}

/** Returns attributes by key; exporters that already write an object are taken as they are. */
function decodeAttributes(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  const entries = getList(value).map((item): [string, JsonValue | undefined] => [
    getName(getAt(item, "key")) ?? "",
    decodeValue(getAt(item, "value")),
  ]);
  return Object.fromEntries(entries);
}

function readTime(value: unknown): bigint {
  const text = getName(value) ?? "";
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}

function readSpan(span: JsonObject, resource: JsonObject): Span | undefined {
  const traceId = getName(span["traceId"]);
  const spanId = getName(span["spanId"]);
  if (traceId === undefined || spanId === undefined) return undefined;
  const code = getAt(span, "status.code");
  return {
    traceId,
    spanId,
    parentId: getName(span["parentSpanId"]),
    name: getText(span["name"]) ?? "",
    start: readTime(span["startTimeUnixNano"]),
    end: readTime(span["endTimeUnixNano"]),
    attributes: decodeAttributes(span["attributes"]),
    events: getList(span["events"]).map((event) => ({
      name: getName(getAt(event, "name")) ?? "",
      attributes: decodeAttributes(getAt(event, "attributes")),
    })),
    hasError: code === 2 || code === "STATUS_CODE_ERROR",
    statusMessage: getText(getAt(span, "status.message")),
    resource,
  };
}

/** Returns the spans of one OTLP export, with how many could not be read because they have no ids. */
export function readSpans(document: JsonObject): { readonly spans: readonly Span[]; readonly lostCount: number } {
  let lostCount = 0;
  const spans = getList(document["resourceSpans"]).flatMap((group) => {
    const resource = decodeAttributes(getAt(group, "resource.attributes"));
    const scopes = getList(getAt(group, "scopeSpans") ?? getAt(group, "instrumentationLibrarySpans"));
    return scopes
      .flatMap((scope) => getList(getObject(scope)["spans"]))
      .flatMap((span) => {
        const read = readSpan(getObject(span), resource);
        if (read === undefined) lostCount += 1;
        return read ?? [];
      });
  });
  return { spans, lostCount };
}

/** What a span stands for. */
export type Operation = "model" | "tool" | "agent" | "other";

const modelOperations = ["chat", "generate_content", "text_completion", "completion"];

/** Returns what a span stands for, by the names of the convention or of the older instrumentations. */
export function getOperation({ attributes, name }: Span): Operation {
  const operation = getText(attributes["gen_ai.operation.name"]);
  if (operation !== undefined) {
    if (modelOperations.includes(operation)) return "model";
    if (operation === "execute_tool") return "tool";
    return operation === "invoke_agent" ? "agent" : "other";
  }
  const kind = getText(attributes["openinference.span.kind"]) ?? getText(attributes["traceloop.span.kind"]) ?? "";
  if (/^llm$/i.test(kind) || attributes["llm.request.type"] !== undefined) return "model";
  if (/^tool$/i.test(kind)) return "tool";
  if (/^agent$/i.test(kind)) return "agent";
  if (attributes["gen_ai.request.model"] !== undefined) return "model";
  return /^invoke_agent\b/.test(name) ? "agent" : "other";
}

/** The spans of one episode. */
export interface SpanGroup {
  /** The agent's span, when there is one. */
  readonly root?: Span;
  /** By start time. */
  readonly spans: readonly Span[];
  /** Model calls of agents that this agent called; their turns are their own. */
  readonly nestedCount: number;
}

/**
 * Groups spans into episodes: everything below one outermost agent span; without one, the spans of one conversation
 * or trace. Groups come in order of their first span.
 */
export function groupSpans(spans: readonly Span[]): readonly SpanGroup[] {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const groups = new Map<string, { root?: Span; spans: Span[]; nestedCount: number }>();
  const ordered = [...spans].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  for (const span of ordered) {
    const agents = listAgents(span, byId);
    const root = agents.at(-1);
    const key =
      root === undefined
        ? (getName(span.attributes["gen_ai.conversation.id"]) ?? span.traceId)
        : `${root.traceId} ${root.spanId}`;
    const group = groups.get(key) ?? { root, spans: [], nestedCount: 0 };
    groups.set(key, group);
    // The nearest agent of a call by a called agent is not the outermost one.
    const isNested = agents.length > 1 && getOperation(span) !== "agent";
    if (isNested && getOperation(span) === "model") group.nestedCount += 1;
    if (!isNested) group.spans.push(span);
  }
  return [...groups.values()].filter(
    (group) => group.spans.some((span) => getOperation(span) === "model") || group.root !== undefined,
  );
}

/** Returns the agent spans around a span, itself included, nearest first. Broken or circular parents end the walk. */
function listAgents(span: Span, byId: ReadonlyMap<string, Span>): readonly Span[] {
  const agents: Span[] = [];
  const seen = new Set<Span>();
  let current: Span | undefined = span;
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    if (getOperation(current) === "agent") agents.push(current);
    current = current.parentId === undefined ? undefined : byId.get(`${current.traceId} ${current.parentId}`);
  }
  return agents;
}
