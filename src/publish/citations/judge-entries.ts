import type { JudgedUse, RuledFault } from "./cite-rule.js";
import { nameWork } from "./cite-rule.js";
import type { RegistryEntry } from "./registry.js";

/** What a reviewer says of one use: does the work support the sentence. */
export const contextAnswers = ["SUPPORTS", "WEAK", "WRONG", "CANNOT_TELL"] as const;

/** A reviewer's answer about one use of a work. */
export interface ContextAnswer {
  /** Key of the registry, or canonical id. */
  readonly work: string;
  /** Line of the use; absent: every use. */
  readonly line?: number;
  readonly answer: (typeof contextAnswers)[number];
  readonly note?: string;
}

/** Whether anybody looked the work up. */
export type Existence = "verified" | "unverified" | "pending" | "error";

/** One cited work on three axes. `REPLACE` and `REMOVE` need a person. */
export interface JudgedEntry {
  readonly key: string;
  readonly canonical?: string;
  readonly verdict: "KEEP" | "FIX" | "REPLACE" | "REMOVE";
  readonly axes: {
    readonly existence: Existence;
    readonly metadata: "sound" | "contradicted" | "incomplete" | "unknown";
    readonly context: "supported" | "weak" | "wrong" | "unreviewed";
  };
  readonly uses: readonly {
    readonly file: string;
    readonly line: number;
    readonly sentence: string;
    readonly verdict?: ContextAnswer["answer"];
    readonly note?: string;
  }[];
  readonly checked_at?: string;
  /** How its existence is known: the source, or who signed. */
  readonly method?: string;
}

/** Returns whether an entry was looked up: by the latest answer of each source, or by a person who signed it. */
export function getExistence(entry: RegistryEntry | undefined): {
  readonly existence: Existence;
  readonly method?: string;
  readonly at?: string;
} {
  const { signed_by, sources = [], checked_at } = entry?.custom ?? {};
  const latest = [...new Map(sources.map((source) => [source.name, source])).values()];
  const verified = latest.find(({ result }) => result === "verified");
  if (verified !== undefined) return { existence: "verified", method: verified.name, at: verified.at };
  if (signed_by !== undefined)
    return {
      existence: "verified",
      method: `signed by ${signed_by}`,
      ...(checked_at === undefined ? {} : { at: checked_at }),
    };
  const other = latest.find(({ result }) => result === "pending") ?? latest.find(({ result }) => result === "error");
  if (other !== undefined) return { existence: other.result, method: other.name, at: other.at };
  return { existence: "unverified" };
}

function judgeMetadata(entry: RegistryEntry | undefined, isContradicted: boolean): JudgedEntry["axes"]["metadata"] {
  if (isContradicted) return "contradicted";
  if (entry === undefined) return "unknown";
  const isWhole = entry.title !== undefined && (entry.author?.length ?? 0) > 0 && entry.issued !== undefined;
  return isWhole ? "sound" : "incomplete";
}

/** Rules whose findings contradict what is said of a work. */
const factRules = new Set([
  "cite.arxiv-shape",
  "cite.doi-shape",
  "cite.field-mismatch",
  "cite.venue-year",
  "cite.cross-doc",
]);

/** Returns every work that a document cites with what is known of it, in the order of first use. */
export function judgeEntries(
  uses: readonly JudgedUse[],
  faults: readonly RuledFault[],
  answers: readonly ContextAnswer[],
): JudgedEntry[] {
  const groups = new Map<string, JudgedUse[]>();
  for (const use of uses) {
    const id = use.entry?.id ?? use.key ?? use.canonical ?? nameWork(use);
    groups.set(id, [...(groups.get(id) ?? []), use]);
  }
  return [...groups].map(([key, own]): JudgedEntry => {
    const [{ entry, canonical }] = own;
    const names = new Set([key, `@${key}`, canonical, ...own.map(nameWork)]);
    const judgedUses = own.map(({ document, line, sentence }) => {
      const found = answers.find(
        (answer) =>
          (answer.work === key || answer.work === canonical) && (answer.line === undefined || answer.line === line),
      );
      return {
        file: document.file,
        line,
        sentence: sentence.slice(0, 400),
        ...(found === undefined ? {} : { verdict: found.answer }),
        ...(found?.note === undefined ? {} : { note: found.note }),
      };
    });
    const said = judgedUses.flatMap(({ verdict }) => verdict ?? []);
    const isContradicted = faults.some(({ work = "", ruleId }) => names.has(work) && factRules.has(ruleId));
    const metadata = judgeMetadata(entry, isContradicted);
    const context = said.includes("WRONG")
      ? "wrong"
      : said.includes("WEAK")
        ? "weak"
        : said.includes("SUPPORTS") && said.length === own.length
          ? "supported"
          : "unreviewed";
    const { existence, method, at } = getExistence(entry);
    const isWithdrawn = entry?.custom.status === "withdrawn" || entry?.custom.status === "retracted";
    const isAllWrong = said.length === own.length && said.every((answer) => answer === "WRONG");
    const verdict =
      isWithdrawn || isAllWrong
        ? "REMOVE"
        : context === "wrong"
          ? "REPLACE"
          : metadata === "contradicted" || context === "weak"
            ? "FIX"
            : "KEEP";
    return {
      key,
      ...(canonical === undefined ? {} : { canonical }),
      verdict,
      axes: { existence, metadata, context },
      uses: judgedUses,
      ...(at === undefined ? {} : { checked_at: at }),
      ...(method === undefined ? {} : { method }),
    };
  });
}
