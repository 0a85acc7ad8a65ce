// internal
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Which font a class of KaTeX asks for; the first is used by every formula. */
const fontsByClass: { readonly [className: string]: readonly string[] } = {
  katex: ["Main-Regular"],
  textbf: ["Main-Bold"],
  textit: ["Main-Italic"],
  textsf: ["SansSerif-Regular"],
  texttt: ["Typewriter-Regular"],
  mathnormal: ["Math-Italic"],
  mathit: ["Main-Italic"],
  mathbf: ["Main-Bold"],
  boldsymbol: ["Math-BoldItalic"],
  amsrm: ["AMS-Regular"],
  mathbb: ["AMS-Regular"],
  textbb: ["AMS-Regular"],
  mathcal: ["Caligraphic-Regular"],
  mathfrak: ["Fraktur-Regular"],
  textfrak: ["Fraktur-Regular"],
  mathboldfrak: ["Fraktur-Bold"],
  textboldfrak: ["Fraktur-Bold"],
  mathtt: ["Typewriter-Regular"],
  mathscr: ["Script-Regular"],
  textscr: ["Script-Regular"],
  mathsf: ["SansSerif-Regular"],
  mathboldsf: ["SansSerif-Bold"],
  textboldsf: ["SansSerif-Bold"],
  mathsfit: ["SansSerif-Italic"],
  mathitsf: ["SansSerif-Italic"],
  textitsf: ["SansSerif-Italic"],
  size1: ["Size1-Regular"],
  size2: ["Size2-Regular"],
  size3: ["Size3-Regular"],
  size4: ["Size4-Regular"],
  "delim-size1": ["Size1-Regular"],
  "delim-size4": ["Size4-Regular"],
  "small-op": ["Size1-Regular"],
  "large-op": ["Size2-Regular"],
};

/** Returns the fonts that formulas need, by the classes in their HTML, in the order of their names. */
export function findMathFonts(html: string): string[] {
  const fonts = new Set<string>();
  for (const [, list = ""] of html.matchAll(/class="([^"]*)"/g)) {
    const classes = list.split(" ");
    for (const name of classes) {
      // `size1` to `size4` are also font sizes, where they ask for nothing.
      if (/^size\d$/.test(name) && !classes.includes("delimsizing")) continue;
      for (const font of Object.hasOwn(fontsByClass, name) ? fontsByClass[name] : []) fonts.add(font);
    }
    if (list.includes("textbf") && list.includes("textit")) fonts.add("Main-BoldItalic");
    if (list.includes("mathcal") && list.includes("textbf")) fonts.add("Caligraphic-Bold");
  }
  return [...fonts].sort();
}

const files = createRequire(import.meta.url);
let sheet: string | undefined;
const inlined = new Map<string, string>();

/** Returns the style sheet of formulas with the given fonts inside, WOFF2 only. Read once from the package. */
export function getMathStyles(fonts: readonly string[]): string {
  if (fonts.length === 0) return "";
  sheet ??= readFileSync(files.resolve("katex/dist/katex.min.css"), "utf8");
  const rules = sheet.replace(/@font-face\{[^}]*\}/g, "");
  const faces = [...sheet.matchAll(/@font-face\{[^}]*\}/g)].flatMap(([face]) => {
    const name = /KaTeX_([\w-]+)\.woff2/.exec(face)?.[1] ?? "";
    if (!fonts.includes(name)) return [];
    const data =
      inlined.get(name) ?? readFileSync(files.resolve(`katex/dist/fonts/KaTeX_${name}.woff2`)).toString("base64");
    inlined.set(name, data);
    return [face.replace(/src:[^;}]*/, `src:url(data:font/woff2;base64,${data}) format("woff2")`)];
  });
  return faces.join("") + rules;
}
