import { inputError, isJsonObject, tagNumber, untagNumber, type NumberTag } from "../core/index.js";
import { reportSchema, type Report } from "./report.js";

/** Fields whose type has tags in it. */
const heldTags: ReadonlySet<string> = new Set(["claims", "episodes"]);

function isNumberTag(value: unknown): value is NumberTag {
  return isJsonObject(value) && typeof value["$number"] === "string" && Object.keys(value).length === 1;
}

/**
 * Returns a report as the text of report.json: numbers that JSON cannot write as tags, fields that are `undefined`
 * left out, one field a line, a newline at the end. The same report gives the same bytes.
 */
export function renderReportJson(report: Report): string {
  const tag = (_key: string, value: unknown): unknown => (typeof value === "number" ? tagNumber(value) : value);
  return `${JSON.stringify(report, tag, 1)}\n`;
}

/**
 * Returns the report that {@linkcode renderReportJson} wrote. Tags become numbers again except in claims and
 * transcripts, which hold tags by their type.
 *
 * @throws {TurnwiseError} of kind `input` for text that is not such a report; `source` names it in the message.
 */
export function parseReport(text: string, source: string): Report {
  const untag = (value: unknown): unknown => {
    if (isNumberTag(value)) return untagNumber(value);
    if (Array.isArray(value)) return value.map(untag);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, untag(field)]));
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw inputError(
      `Cannot read the report "${source}": it is not valid JSON`,
      "Make it again with turnwise report",
      cause,
    );
  }
  if (!isJsonObject(value) || value["schema"] !== reportSchema) {
    const found = isJsonObject(value) ? JSON.stringify(value["schema"]) : typeof value;
    throw inputError(`Cannot read the report "${source}": its schema must be "${reportSchema}", ${found} found`);
  }
  const fields = Object.entries(value).map(([key, field]) => [key, heldTags.has(key) ? field : untag(field)] as const);
  // The schema field says who wrote it; the fields are those renderReportJson writes.
  return Object.fromEntries(fields) as unknown as Report;
}
