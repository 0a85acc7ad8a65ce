import { z } from "zod";
import { inputError } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import { judgeUses } from "./check-citations.js";
import { nameWork } from "./cite-rule.js";
import { contextAnswers, type ContextAnswer } from "./judge-entries.js";
import type { Registry } from "./registry.js";

/** One question for a reviewer: does this work support this sentence. */
export interface CitationContext {
  readonly work: string;
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
  readonly title?: string;
  /** What is stored of the work: abstract and quotes; empty where nothing is, and the answer can only be CANNOT_TELL. */
  readonly passages: readonly string[];
}

/** Returns what a reviewer is asked about the citations of a document. */
export function listCitationContexts(document: PublishDocument, registry: Registry): CitationContext[] {
  return judgeUses(document, registry).map((use) => {
    const { entry, key, canonical, line, sentence } = use;
    return {
      work: entry?.id ?? key ?? canonical ?? nameWork(use),
      file: document.file,
      line,
      sentence,
      ...(entry?.title === undefined ? {} : { title: entry.title }),
      passages: [...(entry?.abstract === undefined ? [] : [entry.abstract]), ...(entry?.custom.quotes ?? [])],
    };
  });
}

const answersSchema = z.array(
  z.strictObject({
    work: z.string().min(1),
    line: z.int().positive().optional(),
    answer: z.enum(contextAnswers),
    note: z.string().optional(),
  }),
);

/**
 * Returns the answers that a reviewer gave.
 *
 * @throws {TurnwiseError} (input) for text that holds none.
 */
export function parseContextAnswers(text: string, file: string): ContextAnswer[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw inputError(`Cannot read the answers "${file}": they are no JSON`, undefined, error);
  }
  const parsed = answersSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw inputError(
    `Cannot use the answers "${file}":\n${z.prettifyError(parsed.error)}`,
    `Write a list of { work, line, answer, note }; answers are ${contextAnswers.join(", ")}`,
  );
}
