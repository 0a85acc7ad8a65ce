// internal
import type { JsonObject, RuleFinding, TokenExcerpt, TokenSample } from "../../core/index.js";
import { findSampled } from "./provenance.js";

/** Tokens shown before and after the first place of a finding. */
const reach = 8;

/** Returns the tokens around the first of `positions`. */
function cutExcerpt(sample: TokenSample, positions: readonly number[]): TokenExcerpt {
  const sampled = findSampled(sample);
  const [at = 0] = positions;
  const start = Math.max(0, at - reach);
  const end = Math.min(sample.ids.length, at + reach + 1);
  const tokens = sample.ids.slice(start, end).map((id, offset) => {
    const i = start + offset;
    const text = sample.texts?.[i];
    const isSampled = sampled?.[i];
    return {
      id,
      trained: sample.lossMask[i] === true,
      ...(text === undefined ? {} : { text }),
      ...(isSampled === undefined ? {} : { sampled: isSampled }),
    };
  });
  return { start, tokens, marked: positions.filter((position) => position >= start && position < end) };
}

/** Returns a token as messages name it: its text, else its id. */
export function showToken({ ids, texts }: TokenSample, i: number): string {
  const text = texts?.[i];
  return text === undefined ? `id ${ids[i]}` : JSON.stringify(text);
}

/** Returns a finding about tokens of a sample, with the tokens around the first of them. */
export function tokenFinding(
  sample: TokenSample,
  positions: readonly number[],
  message: string,
  evidence: JsonObject = {},
): RuleFinding {
  const [first] = positions;
  const detail = first === undefined ? `sample "${sample.id}"` : `sample "${sample.id}", token ${first}`;
  return {
    message,
    place: {
      ...(sample.file === undefined ? {} : { file: sample.file }),
      ...(sample.line === undefined ? {} : { line: sample.line }),
      detail,
    },
    evidence: {
      sample: sample.id,
      tokenCount: positions.length,
      positions: positions.slice(0, 20),
      ...evidence,
      excerpt: { ...cutExcerpt(sample, positions) } as unknown as JsonObject, // plain data of numbers, texts and truth values
    },
  };
}
