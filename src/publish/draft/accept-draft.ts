import { stringify } from "yaml";
import type { DocumentKind, PublishDocument } from "../document.js";
import { parseFrontMatter } from "../parse/front-matter.js";
import { parseDocument } from "../parse/parse-document.js";
import { collectNeedsVerify } from "../review/needs-verify.js";
import { markStatements } from "./mark-statements.js";

/** Who asked for what. */
export interface DraftHead {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly lang: string;
  readonly title: string;
}

/** One thing that makes an answer no draft. */
export interface DraftProblem {
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** A draft that may be kept, or what is wrong with the answer. */
export type AcceptedDraft =
  | { readonly problems: readonly DraftProblem[]; readonly text?: undefined }
  | {
      readonly problems: readonly [];
      readonly text: string;
      readonly document: PublishDocument;
      readonly statementCount: number;
    };

/** Problems of the parser that mean that the answer is not the Markdown it was asked for. */
const refusing = /^(?:front-matter\.|fence\.unclosed|comment\.unclosed|math\.unclosed|details\.|text\.encoding)/;

/** Takes the fence off an answer that is wrapped in one as a whole. */
function unwrap(answer: string): string {
  const text = answer
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  const match = /^(`{3,}|~{3,})(?:markdown|md)?[ \t]*\n([\s\S]*)\n\1$/.exec(text);
  return (match === null ? text : match[2]).trim();
}

function findFences({ blocks, lines }: PublishDocument): DraftProblem[] {
  const last = blocks.at(-1);
  const isOpen =
    last?.type === "code" &&
    !/^\s*(?:>\s*)*(?:`{3,}|~{3,})\s*$/.test(lines[last.lineEnd - 1] ?? "") &&
    /^\s*(?:`{3,}|~{3,})/.test(lines[last.lineStart - 1] ?? "");
  return isOpen ? [{ line: last.lineStart, rule: "fence.unclosed", message: "The code block is never closed" }] : [];
}

/**
 * Judges an answer and returns it as a draft: with the head that was asked for, whatever head the author wrote beside,
 * and every statement marked that nobody has verified. An answer that is no document is refused with what is wrong.
 */
export function acceptDraft(answer: string, head: DraftHead, file: string): AcceptedDraft {
  const body = unwrap(answer);
  if (body === "") return { problems: [{ line: 1, rule: "draft.empty", message: "The answer is empty" }] };
  const own = parseFrontMatter(body);
  const headProblems = own.problems.filter(({ rule }) => refusing.test(rule));
  const { subtitle, eyebrow, byline, bibliography } = own.frontMatter;
  const front = stringify({ ...head, assurance: "draft", subtitle, eyebrow, byline, bibliography });
  const rest = body.slice(own.bodyOffset).replace(/^\n+/, "");
  const hasTitle = /^#\s/m.test(rest);
  const text = `---\n${front}---\n\n${hasTitle ? "" : `# ${head.title}\n\n`}${rest}\n`;
  const parsed = parseDocument(text, { file });
  const isDocument = parsed.blocks.some(({ type, depth }) => type === "heading" && depth === 2);
  const problems = [
    ...headProblems,
    ...parsed.problems.filter(({ rule }) => refusing.test(rule)),
    ...findFences(parsed),
    ...(isDocument
      ? []
      : [
          { line: 1, rule: "draft.no-sections", message: "The answer has no heading of level 2, so it is no document" },
        ]),
  ];
  if (problems.length > 0) return { problems };
  const markedText = markStatements(parsed);
  const document = parseDocument(markedText, { file });
  return { problems: [], text: markedText, document, statementCount: collectNeedsVerify(document).length };
}
