import { cleanText } from "./clean-text.js";

/** HTML that is safe to put into a page. Only {@linkcode markup} and {@linkcode trustHtml} make it. */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: HTML as it is, text and numbers escaped, lists joined, nothing for `undefined` and `false`. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Returns text escaped for element content and quoted attribute values, cleaned by {@linkcode cleanText} first.
 *
 * @example
 * escapeHtml("</script>"); // "&lt;/script&gt;"
 */
export function escapeHtml(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderPart(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.toString();
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return part.map(renderPart).join("");
}

/**
 * Template tag: returns the HTML with every text in it escaped. Attribute values must stand in double quotes. It is not
 * called `html` because formatters lay out templates of that name anew, and every space here is part of a page.
 *
 * @example
 * markup`<p>${"1 < 2"}</p>`.toString(); // "<p>1 &lt; 2</p>"
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, index) => text + renderPart(parts[index])).join(""));
}

/** Returns text taken as HTML without escaping. Only for markup that this project's code or a library made. */
export function trustHtml(text: string): Html {
  return new Html(text);
}
