import { parseDocument, renderDocumentPage } from "../../src/publish/index.js";
import { measure } from "./measure.js";

await measure(async (source) => (await renderDocumentPage(parseDocument(source, { file: "a.md" }))).html);
