import { isMap, parseDocument as parseYaml } from "yaml";
import { z } from "zod";
import type { FrontMatter, ParseProblem } from "../document.js";

const text = z.string().trim().min(1);
const date = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value),
  z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as "2026-01-31"'),
);

const fields = {
  id: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, "must hold letters, digits, dots, hyphens and underscores"),
  kind: z.enum(["tutorial", "report", "paper", "page"]),
  lang: z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as "en" or "zh-Hans"'),
  title: text,
  subtitle: text,
  eyebrow: text,
  byline: text,
  profile: text,
  effort: z.enum(["lite", "balanced", "max", "beast"]),
  assurance: z.enum(["draft", "release"]),
  date,
  bibliography: z.array(text),
  evidence: z.array(text),
  translation_of: text,
  code: z.enum(["run", "parse", "skip"]),
  waivers: text,
} as const satisfies { readonly [key in keyof FrontMatter]-?: z.ZodType };

/** The head of a document as read. */
export interface ParsedFrontMatter {
  readonly frontMatter: FrontMatter;
  /** Offset at which the body begins. */
  readonly bodyOffset: number;
  readonly problems: readonly ParseProblem[];
}

const fence = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)/;

/**
 * Reads the YAML head of a document. Unknown keys, values that do not fit and YAML that cannot be read are problems;
 * the fields that are sound are kept. A document that begins with anything else has none.
 */
export function parseFrontMatter(source: string): ParsedFrontMatter {
  const open = fence.exec(source);
  const close =
    open === null ? null : /(?:^|[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/.exec(source.slice(open[0].length));
  if (open === null) return { frontMatter: {}, bodyOffset: 0, problems: [] };
  const isLikely = /^[ \t]*[A-Za-z_][\w-]*[ \t]*:/.test(source.slice(open[0].length));
  if (close === null) {
    const problems = isLikely
      ? [{ rule: "front-matter.unclosed", message: 'The front matter opened by "---" is never closed', line: 1 }]
      : [];
    return { frontMatter: {}, bodyOffset: 0, problems };
  }
  const yaml = source.slice(open[0].length, open[0].length + close.index);
  const document = parseYaml(yaml, { prettyErrors: false, uniqueKeys: true });
  const countLines = (offset: number): number => 2 + (yaml.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0);
  const isMapping = isMap(document.contents);
  // A rule at the top of a text is a rule.
  if (!isMapping && !isLikely) return { frontMatter: {}, bodyOffset: 0, problems: [] };
  const bodyOffset = open[0].length + close.index + close[0].length;
  const problems: ParseProblem[] = document.errors.map(({ message, pos }) => ({
    rule: "front-matter.syntax",
    message: `The front matter cannot be read: ${message}`,
    line: countLines(pos[0]),
  }));
  if (!isMap(document.contents)) {
    if (problems.length === 0)
      problems.push({
        rule: "front-matter.syntax",
        message: "The front matter must be a mapping of keys to values",
        line: 2,
      });
    return { frontMatter: {}, bodyOffset, problems };
  }
  const frontMatter: { [key: string]: unknown } = {};
  for (const { key, value } of document.contents.items) {
    const node = key as { value?: unknown; range?: readonly number[] }; // scalar of YAML
    const line = countLines(node.range?.[0] ?? 0);
    const name = String(node.value);
    if (!Object.hasOwn(fields, name)) {
      problems.push({
        rule: "front-matter.unknown-key",
        message: `The key "${name}" is unknown: allowed are ${Object.keys(fields).join(", ")}`,
        line,
      });
      continue;
    }
    const plain = (value as { toJS?: (document: unknown) => unknown } | null)?.toJS?.(document); // node of YAML
    if (plain === null || plain === undefined) continue; // a key without a value was not given
    const parsed = fields[name as keyof typeof fields].safeParse(plain); // checked above
    if (parsed.success) frontMatter[name] = parsed.data;
    else {
      const [issue] = parsed.error.issues;
      problems.push({
        rule: "front-matter.invalid",
        message: `The key "${name}" does not fit: ${issue.message}, found ${JSON.stringify(plain)}`,
        line,
      });
    }
  }
  return { frontMatter, bodyOffset, problems };
}
