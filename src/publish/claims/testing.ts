// internal
import { parseDocument } from "../parse/parse-document.js";
import { parseArtefact } from "./artefact.js";
import { checkClaims, type ClaimsDetails } from "./check-claims.js";
import type { StageArtefact } from "../verdict.js";
import { parseClaimLedger } from "./ledger.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const rows = [
  { policy: "base", T: 8, success: [1, 0, 0, 1, 0], dataset: "d1" },
  { policy: "rl", T: 8, success: [1, 1, 0, 1, 0], dataset: "d1" },
]
  .flatMap(({ success, ...rest }) => success.map((value, task) => ({ ...rest, task, success: value })))
  .map((row) => JSON.stringify(row))
  .join("\n");

const files: Readonly<Record<string, string>> = {
  "rows.jsonl": rows,
  "other.jsonl": rows.replaceAll('"d1"', '"d2"'),
  "run.json": '{"status":"complete","mean":0.7425,"low":-0.02,"high":0.19,"delta":0.085,"tokens":12345,"score":3.45}',
  "half.json": '{"status":"running","mean":0.5}',
  "table.csv": "policy,s8,s16\nbase,0.4,0.55\nrl,0.6,0.7\n",
};

/** Returns the artefact of a report with this text and ledger over the files above. */
export function checkText(
  markdown: string,
  ledger = "",
  options: {
    readonly kind?: string;
    readonly hasEvidence?: boolean;
    readonly changed?: Readonly<Record<string, string>>;
  } = {},
): StageArtefact<ClaimsDetails> {
  const { kind = "report", hasEvidence = true, changed = {} } = options;
  const document = parseDocument(`---\nid: a\nkind: ${kind}\nlang: en\n---\n\n${markdown}\n`, { file: "a.md" });
  const all: Readonly<Record<string, string>> = { ...files, ...changed };
  return checkClaims(document, {
    generatedAt: "2030-01-01T00:00:00Z",
    ...(ledger === ""
      ? {}
      : {
          ledger: {
            file: "claims.yaml",
            sha256: `sha256:${"0".repeat(64)}`,
            content: parseClaimLedger(ledger, "claims.yaml"),
          },
        }),
    ...(hasEvidence
      ? { evidence: { find: (name) => (all[name] === undefined ? undefined : parseArtefact(name, encode(all[name]))) } }
      : {}),
  });
}

/** One claim `c:x` over run.json. */
export function claimOf(more: string, input = "{ artefact: run.json, select: /mean }"): string {
  return `claims:\n  - { id: x, kind: value, inputs: [${input}], ${more} }\n`;
}
