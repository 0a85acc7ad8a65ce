export type { ImportItem, ImportOptions, ImportSource, Importer } from "./importers/importer.js";
export { intercodeImporter } from "./importers/intercode.js";
export type { ImportProblem, JsonDocument, JsonLine, JsonRecordLine } from "./reading/jsonl.js";
export { readJsonDocument, readJsonLines, readJsonRecords } from "./reading/jsonl.js";
export type { RawLine } from "./reading/lines.js";
export { isBlank, readRawLines } from "./reading/lines.js";
export { isCutShort, openImportSource, refuseUnusable } from "./reading/source.js";
export type { TolerantJson } from "./reading/tolerant-json.js";
export { parseTolerantJson, parseTornArray } from "./reading/tolerant-json.js";
