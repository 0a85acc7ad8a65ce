// internal

const combining: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  "=": "\u0304",
  u: "\u0306",
  ".": "\u0307",
  '"': "\u0308",
  r: "\u030A",
  H: "\u030B",
  v: "\u030C",
  d: "\u0323",
  c: "\u0327",
  k: "\u0328",
  b: "\u0331",
};

const letters: Readonly<Record<string, string>> = {
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  aa: "å",
  AA: "Å",
  o: "ø",
  O: "Ø",
  l: "ł",
  L: "Ł",
  i: "i",
  j: "j",
  dj: "đ",
  DJ: "Đ",
  th: "þ",
  TH: "Þ",
  textendash: "–",
  textemdash: "—",
  textquoteright: "’",
  textquoteleft: "‘",
};

/**
 * Returns the text that a field of BibTeX means: accents and special letters as Unicode, braces that only keep case
 * gone, dashes and quotes as they are printed. Formulas stay between their dollars.
 */
export function decodeTex(tex: string): string {
  return tex
    .split(/(\$[^$]*\$)/)
    .map((part, index) => (index % 2 === 1 ? part : decodePlain(part)))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** \\'e, \\'{e}, {\\'e}, \\v{c}, \\"{\\i} */
const accent = /\\([`'^~="'.]|[uvHtcdbkr](?![A-Za-z]))\s*(?:\{\s*(\\?\p{L})\s*\}|(\\?[A-Za-z]))/gu;

function setAccents(tex: string): string {
  return tex.replace(accent, (whole, mark: string, braced: string | undefined, bare: string | undefined) => {
    const letter = (braced ?? bare ?? "").replace("\\", "");
    const sign = combining[mark];
    return sign === undefined ? whole : (letter + sign).normalize("NFC");
  });
}

function decodePlain(tex: string): string {
  const plain = tex.replace(/\\(emph|textit|textbf|textsc|texttt|textrm|mbox|text|url|mathrm)\s*\{/g, "{");
  // Twice: letters of Vietnamese carry two.
  return setAccents(setAccents(plain))
    .replace(/\\(?:em|it|bf|sc|tt|rm)(?![A-Za-z])\s*/g, "")
    .replace(/\\([A-Za-z]+)(?:\s+|\{\}|(?![A-Za-z]))/g, (whole, name: string) => letters[name] ?? whole)
    .replace(/\\([&%$#_{}\s-])/g, (_whole, sign: string) => (/[{}-]/.test(sign) ? "" : sign))
    .replace(/[{}]/g, "")
    .replace(/---/g, "—")
    .replace(/--/g, "–")
    .replace(/``/g, "“")
    .replace(/''/g, "”")
    .replace(/~/g, " ");
}
