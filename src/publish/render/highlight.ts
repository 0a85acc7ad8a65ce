// internal
import { createHighlighterCore, type HighlighterCore, type ThemedTokenWithVariants } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";

const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } as const;

let shared: Promise<HighlighterCore> | undefined;

/** Returns the highlighter of the process, made once: two themes and no language yet. */
async function getHighlighter(): Promise<HighlighterCore> {
  shared ??= createHighlighterCore({
    themes: [
      import("shiki/dist/themes/github-light-high-contrast.mjs"),
      import("shiki/dist/themes/github-dark-high-contrast.mjs"),
    ],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return shared;
}

/** Colours code; the colours are classes of its style sheet. */
export interface CodeColourer {
  /** Returns the code as HTML, or `undefined` for a language that is not known. */
  render(code: string, language: string): string | undefined;
  /** The rules of the classes used so far. */
  getStyles(): string;
}

function isKnown(language: string): language is keyof typeof bundledLanguages {
  return Object.hasOwn(bundledLanguages, language);
}

/** Loads the given languages, one by one, and returns what colours code in them. */
export async function createCodeColourer(languages: Iterable<string>): Promise<CodeColourer> {
  const wanted = [...new Set(languages)].filter(isKnown);
  const highlighter = wanted.length === 0 ? undefined : await getHighlighter();
  for (const language of wanted) {
    if (highlighter !== undefined && !highlighter.getLoadedLanguages().includes(language)) {
      await highlighter.loadLanguage(bundledLanguages[language]);
    }
  }
  const classes = new Map<string, string>();
  function getClass({ variants }: ThemedTokenWithVariants): string | undefined {
    const { light, dark } = variants;
    const style = (light.fontStyle ?? 0) > 0 ? (light.fontStyle ?? 0) : 0;
    const look = `${light.color ?? ""} ${dark.color ?? ""} ${style}`;
    if (look === plain) return undefined;
    const name = classes.get(look) ?? `k${classes.size}`;
    classes.set(look, name);
    return name;
  }
  let plain = "";
  return {
    render(code, language) {
      if (highlighter === undefined || !isKnown(language)) return undefined;
      // Without a limit of time, so that a busy machine makes the same page; very long lines stay plain instead.
      const limits = { tokenizeTimeLimit: 0, tokenizeMaxLineLength: 10_000 };
      const lines = highlighter.codeToTokensWithThemes(code, { lang: language, themes, ...limits });
      plain = `${highlighter.getTheme(themes.light).fg} ${highlighter.getTheme(themes.dark).fg} 0`.toUpperCase();
      return lines.map((line) => renderLine(line, getClass)).join("\n");
    },
    getStyles() {
      return [...classes]
        .map(([look, name]) => {
          const [light = "", dark = "", style = "0"] = look.split(" ");
          const flags = Number(style);
          const font = `${(flags & 1) > 0 ? ";font-style:italic" : ""}${(flags & 2) > 0 ? ";font-weight:600" : ""}${(flags & 4) > 0 ? ";text-decoration:underline" : ""}`;
          return `.${name}{color:light-dark(${light},${dark})${font}}`;
        })
        .join("");
    },
  };
}

/** Returns one line; neighbouring tokens of one look share an element. */
function renderLine(
  tokens: readonly ThemedTokenWithVariants[],
  getClass: (token: ThemedTokenWithVariants) => string | undefined,
): string {
  let html = "";
  let open: string | undefined;
  for (const token of tokens) {
    // Space has no colour: it goes with what stands before.
    const name = token.content.trim() === "" ? open : getClass(token);
    if (name !== open) {
      if (open !== undefined) html += "</span>";
      if (name !== undefined) html += `<span class="${name}">`;
      open = name;
    }
    html += escapeCode(token.content);
  }
  return open === undefined ? html : `${html}</span>`;
}

/** Returns code as HTML; nothing but what must be is escaped, so that its text is its bytes. */
export function escapeCode(code: string): string {
  return code.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
