/** A text taken apart into reasoning and what is meant to be seen. */
export interface SplitText {
  readonly content: string;
  readonly reasoning?: string;
}

/**
 * Returns `text` with its leading `<think>...</think>` blocks moved to `reasoning`. A block that is never closed
 * is reasoning to the end; a `</think>` without its beginning (chat templates that write the opening tag into the
 * prompt) makes all before it reasoning. Tags later in the text are left alone.
 *
 * @example
 * splitThink("<think>left is safe</think>\n\nGo left."); // { content: "Go left.", reasoning: "left is safe" }
 */
export function splitThink(text: string): SplitText {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const opening = /^\s*<think(?:ing)?>/i.exec(rest);
    const body = opening === null ? rest : rest.slice(opening[0].length);
    const closing = /<\/think(?:ing)?>/i.exec(body);
    const isOrphan =
      opening === null &&
      (parts.length > 0 || closing === null || /<think(?:ing)?>/i.test(body.slice(0, closing.index)));
    if (isOrphan) break;
    const end = closing === null ? body.length : closing.index;
    parts.push(body.slice(0, end).trim());
    rest = closing === null ? "" : body.slice(end + closing[0].length);
    if (closing === null) break;
  }
  if (parts.length === 0) return { content: text };
  return { content: rest.replace(/^\s+/, ""), reasoning: parts.filter((part) => part !== "").join("\n\n") };
}
