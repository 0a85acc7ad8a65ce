import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parseDocument } from "./parse-document.js";

const folder = fileURLToPath(new URL("../../../../shared/real-data/aris-tutorials/", import.meta.url));
if (!existsSync(folder)) process.stdout.write(`The corpus tests are skipped: ${folder} is absent\n`);

/** Published counts: h2, h3, links, details, displays, code blocks, tables, callouts by kind. */
const corpus = {
  agentic_rl: [12, 57, 69, 25, 15, 13, 8, { info: 7, warn: 5, good: 1, bad: 0 }],
  attention: [12, 19, 31, 25, 7, 8, 5, { info: 3, warn: 3, good: 1, bad: 1 }],
  flow_matching: [9, 16, 25, 0, 16, 7, 2, { info: 3, warn: 3, good: 3, bad: 0 }],
  rlhf_dpo_grpo_ppo: [12, 35, 47, 25, 31, 5, 7, { info: 4, warn: 7, good: 3, bad: 0 }],
} as const;

describe.skipIf(!existsSync(folder))("parseDocument() on the corpus", () => {
  test.each(Object.entries(corpus))("counts %s as published, without a problem", (name, counts) => {
    const source = gunzipSync(readFileSync(`${folder}${name}_tutorial.md.gz`));
    const { inventory, problems, lang } = parseDocument(source, { file: `${name}_tutorial.md` });
    const { h2, h3, toc, details, display_math, code_blocks, tables, callouts } = inventory;
    expect([h2, h3, toc, details, display_math, code_blocks, tables, callouts]).toEqual(counts);
    expect(problems).toEqual([]);
    expect(lang).toBe("zh");
  });
});
