import { sha256 } from "../core/index.js";
import { markup, trustHtml, type Html } from "./html.js";

/** What every page of one file is made of, whatever it shows. */
export interface ShellSpec {
  /** BCP 47. */
  readonly lang: string;
  readonly title: string;
  /** One sentence for search results and previews. */
  readonly description: string;
  readonly styles: string;
  /** The only script that may run; it must not hold the text of an end tag of script. */
  readonly script: string;
  /** Whether the styles hold fonts. */
  readonly hasFonts?: boolean;
  /** Elements for the head, each with its line break. */
  readonly head?: Html;
  readonly body: Html;
}

/** Returns a script's hash as a Content-Security-Policy source. */
function hashSource(script: string): string {
  const hex = sha256(script);
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? [];
  return `'sha256-${btoa(bytes.join(""))}'`;
}

/** The bars of the sign, drawn so that the page needs no file for it. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230072b2' d='M1 11h3v4H1z'/%3E%3Cpath fill='%23c2510a' d='M6 7h3v8H6zM11 2h3v13h-3z'/%3E%3C/svg%3E";

/**
 * Returns a whole document with its style sheet and script inside, and a policy that forbids every network request
 * and every other script. The same parts give the same bytes.
 */
export function renderShell({
  lang,
  title,
  description,
  styles,
  script,
  hasFonts = false,
  head,
  body,
}: ShellSpec): string {
  const fonts = hasFonts ? "; font-src data:" : "";
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashSource(script)}; img-src data:${fonts}; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${description}">
${head}<title>${title}</title>
<link rel="icon" href="${trustHtml(icon)}">
<style>${trustHtml(styles)}</style>
</head>
<body>
${body}<script>${trustHtml(script)}</script>
</body>
</html>
`.toString();
}
