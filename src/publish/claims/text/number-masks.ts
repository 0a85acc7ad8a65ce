// internal

const months =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const year = "(?:19[5-9]|20[0-4])\\d";
const number = "\\d+(?:\\.\\d+)*[a-z]?";

/** Words after which a number says where something stands. */
const places =
  "sections?|secs?\\.|chapters?|ch\\.|figures?|figs?\\.|tables?|tab\\.|eqs?\\.|equations?|appendix|listings?|algorithms?|alg\\.|examples?|exercises?|theorems?|lemmas?|definitions?|propositions?|corollary|steps?|parts?|pages?|pp?\\.|questions?|footnotes?|lines?|phases?|stages?|rules?|items?|options?|rounds?|issues?|mục|bảng|hình|chương|phần|bước|câu|ví dụ|công thức";

/** Names that go before a version. */
const versioned =
  "version|release|Python|Node(?:\\.js)?|TypeScript|ECMAScript|Ubuntu|Debian|CUDA|PyTorch|TensorFlow|JAX|macOS|Windows|Android|iOS|Java|Rust|Go|Chrome|Chromium|Firefox|Transformers|vLLM|Schema|Apache|版本|phiên bản|GPT|Claude|Opus|Sonnet|Haiku|Llama|Qwen|Gemini|Gemma|Mistral|Mixtral|DeepSeek|Kimi|GLM|Phi|PaLM|ISO|RFC|IEEE|PEP|UTF|WCAG|SARIF|HTTP|OpenVLA|ChatGPT";

/** Digits that state no quantity: dates, versions, places in a text, markers, addresses. */
const masks: readonly RegExp[] = [
  /https?:\/\/\S+|\bwww\.\S+|\S+@\S+\.\w+/g,
  /(?<![\w.])(?=[\w.-]*[A-Za-z])[\w.-]+(?:\/[\w.-]+)+/g,
  /\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/g,
  // Dates and times.
  /\b\d{4}([-/.])\d{1,2}\1\d{1,2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?(?!\d)/g,
  /\b(?:19|20)\d{2}-(?:0[1-9]|1[0-2])\b(?!-)/g,
  /\d{4}\s*年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*[日号])?|\d{1,2}\s*月\s*\d{1,2}\s*[日号]|(?:[一-龥]|^)\d{1,2}\s*月份?/g,
  new RegExp(`\\b${months}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:\\s*[,–-]\\s*\\d{1,2})?(?:,?\\s+${year})?\\b(?!\\s*%)`, "g"),
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)?\\s+${months}(?:,?\\s+${year})?\\b`, "g"),
  new RegExp(
    `\\b${months},?\\s+${year}\\b|\\bQ[1-4]\\s+${year}\\b|tháng\\s+\\d{1,2}(?:[/ ]\\d{4})?|ngày\\s+\\d{1,2}`,
    "g",
  ),
  new RegExp(
    `(?:(?<=\\b(?:[Ii]n|[Ss]ince|[Ff]rom|[Uu]ntil|[Tt]ill|[Bb]y|[Bb]efore|[Aa]fter|[Dd]uring|of|year|late|early|mid|spring|summer|autumn|fall|winter|and|to|[Nn]ăm|arXiv|[A-Z]{3,}|[Aa]l\\.?,?|[A-Z][a-z]+,)\\s|[(（–-]\\s?|©\\s?|^)|(?<=[(（][^()（）]{0,120}[,;]\\s?))${year}[a-z]?(?![\\d%.]*\\d)(?!\\s?(?:%|pp|[a-z]+s\\b))`,
    "g",
  ),
  // Ouyang 2022, 2024 ICLR, 2024–2026
  new RegExp(`(?<=\\p{Lu}[\\p{L}\\d'’.]*\\s)${year}[a-z]?(?![\\d%.]*\\d)(?!\\s?(?:%|pp|[a-z]+s\\b))`, "gu"),
  new RegExp(`(?<![\\d.,])${year}(?=\\s\\p{Lu})|(?<![\\d.,])${year}\\s?[–-]\\s?${year}(?!\\d)`, "gu"),
  /\b\d{1,2}:\d{2}(?::\d{2})?\b/g,
  // Versions and names.
  /\bv\d+(?:\.\d+)*\b/gi,
  /(?<![\d.])\d+\.\d+\.\d+(?:\.\d+)*/g,
  new RegExp(
    `\\b(?:${versioned})[\\s-]+v?\\d+(?:\\.\\d+)*\\+?(?:[ -]\\d+(?:\\.\\d+)?[BM]\\b)?(?:\\s*/\\s*\\d+(?:\\.\\d+)+)*`,
    "g",
  ),
  /(?<![\p{L}\p{N}])(?:[A-Za-z]+\d[\w.]*(?:-[\w.]*\w)*|[A-Za-z]+(?:-[A-Za-z]+)*-\d[\w.-]*\w|[A-Za-z]+-\d)(?![\w%])/gu,
  /\b[1-4]D\b/g,
  // Places in a text.
  new RegExp(
    `(?:§+\\s*|(?<![\\p{L}])(?:${places})\\s+\\(?)${number}\\)?(?:\\s*(?:,|and|or|–|-|to|và)\\s*\\(?${number}\\)?(?![%\\d.]))*(?!\\s*%)`,
    "giu",
  ),
  /第\s*\d+(?:\.\d+)*\s*[章节步条页题行轮层次个版部]?|(?:图|表|式|公式|算法|附录|步骤|问题|例|第)\s*[(（]?\d+(?:\.\d+)*[)）]?/g,
  // Markers.
  /^\s*[(（]?\d{1,2}[.)、）](?=\s|\p{Script=Han}|$)/gu,
  /[(（]\d{1,2}[)）](?!\s*%)/g,
  /\[\d{1,3}\](?![({])/g,
  /\b\d+(?:st|nd|rd|th)\b/g,
];

const headingNumber = /^\s*(?:§\s*)?\d+(?:\.\d+)*[.、:：)]?(?=\s|$|\p{Script=Han})/u;

const wide: Readonly<Record<string, string>> = { "．": ".", "％": "%", "＋": "+", "－": "-" };

/** Returns the text with digits of full width in their plain form; places stay. */
export function narrowDigits(text: string): string {
  const narrow = text.replace(/[０-９．％＋－]/g, (character) => wide[character] ?? character.normalize("NFKC"));
  return narrow.replace(/(?<=\d)，(?=\d{3}(?!\d))/g, ",");
}

/** Returns a text of equal length in which digits that state no quantity are blanks. */
export function maskNonQuantities(text: string, isHeading: boolean): string {
  const blank = (found: string): string => " ".repeat(found.length);
  const plain = narrowDigits(text);
  const start = isHeading ? plain.replace(headingNumber, blank) : plain;
  return masks.reduce((masked, mask) => masked.replace(mask, blank), start);
}
