// Writes docs/lint-rules.md from the rules of `turnwise publish lint`; a test compares the file with them.
// Usage: npx tsx scripts/lint-rules.ts
import { writeFileSync } from "node:fs";
import { renderLintReference } from "../src/publish/index.js";

writeFileSync("docs/lint-rules.md", renderLintReference());
