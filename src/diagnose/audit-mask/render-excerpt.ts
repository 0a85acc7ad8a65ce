import type { TokenExcerpt } from "../../core/index.js";

/** How an excerpt is drawn. */
export interface ExcerptOptions {
  /** Terminal colours; default plain markers. */
  readonly colour?: boolean;
}

const codes = { trained: "\u001b[30;42m", untrained: "\u001b[2m", reset: "\u001b[0m", marked: "\u001b[1;4m" } as const;

/** Returns a token's text on one line, without characters that a terminal would act on; its id where it has no text. */
function showText({ id, text }: TokenExcerpt["tokens"][number]): string {
  if (text === undefined) return String(id);
  const shown = text
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r")
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd");
  return shown === "" ? '""' : shown;
}

/**
 * Returns the tokens around a finding on one line. Trained tokens are green, or stand in `[ ]` without colour; the
 * places the finding is about are underlined, or have `^` before them. `~` follows tokens the policy sampled, where
 * that is known.
 *
 * @example
 * renderExcerpt({ start: 4, tokens: [{ id: 7, text: "go", trained: true, sampled: true }], marked: [4] }); // "^[go~]"
 */
export function renderExcerpt(
  { start, tokens, marked }: TokenExcerpt,
  { colour = false }: ExcerptOptions = {},
): string {
  return tokens
    .map((token, offset) => {
      const isMarked = marked.includes(start + offset);
      const text = `${showText(token)}${token.sampled === true ? "~" : ""}`;
      if (!colour) return `${isMarked ? "^" : ""}${token.trained ? `[${text}]` : text}`;
      return `${isMarked ? codes.marked : ""}${token.trained ? codes.trained : codes.untrained}${text}${codes.reset}`;
    })
    .join(" ");
}
