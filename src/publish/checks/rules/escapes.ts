// internal
import type { PublishDocument } from "../../document.js";
import type { TextSegment } from "../probe/collect-text.js";

/**
 * Says whether the author wrote a sign as a sign: with a backslash, or as an entity, in the block that a text shows, or
 * in a heading where the text is an entry of the contents or a title.
 */
export function isEscaped(document: PublishDocument | undefined, segment: TextSegment, sign: string): boolean {
  const blocks = document?.blocks ?? [];
  const own =
    segment.block === undefined
      ? blocks.filter(({ type }) => type === "heading")
      : blocks.filter(({ id }) => id === segment.block);
  const entity = /&(?:#\d+|#x[\da-f]+|[a-z]+);/i;
  return own.some(({ source }) => source.includes(`\\${sign}`) || entity.test(source));
}
