import { inputError } from "../../core/index.js";

/** One entry of a BibTeX file; fields as TeX, their names in lower case. */
export interface BibtexEntry {
  /** `article`, `inproceedings`, ... in lower case. */
  readonly type: string;
  readonly key: string;
  readonly fields: { readonly [name: string]: string };
  /** 1-based line on which it begins. */
  readonly line: number;
}

const months: Readonly<Record<string, string>> = Object.fromEntries(
  "jan feb mar apr may jun jul aug sep oct nov dec".split(" ").map((name, index) => [name, String(index + 1)]),
);

/** Reads one file: a cursor over its text. */
class BibtexReader {
  readonly #text: string;
  readonly #file: string;
  readonly #strings = new Map<string, string>(Object.entries(months));
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  read(): BibtexEntry[] {
    const entries: BibtexEntry[] = [];
    for (;;) {
      const start = this.#text.indexOf("@", this.#at);
      if (start < 0) return entries;
      this.#at = start + 1;
      const type = this.#take(/[A-Za-z]+/y)?.toLowerCase();
      this.#skipSpace();
      const open = this.#text[this.#at];
      // A stray @ in the text between entries, an address perhaps, is a comment.
      if (type === undefined || (open !== "{" && open !== "(")) continue;
      this.#at += 1;
      if (type === "comment") this.#skipGroup(open);
      else if (type === "preamble") {
        this.#readValue();
        this.#close(open, start);
      } else if (type === "string") this.#readString(open, start);
      else entries.push(this.#readEntry(type, open, start));
    }
  }

  #fail(problem: string, at = this.#at): never {
    throw inputError(
      `Cannot read the bibliography "${this.#file}": ${problem} in line ${this.#getLine(at)}`,
      "Mend the entry; a BibTeX entry is written @type{key, field = {value}, ...}",
    );
  }

  #getLine(at: number): number {
    return this.#text.slice(0, at).split("\n").length;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }

  /** Skips blanks and, as bibtex's relatives do, comments by per cent. */
  #skipSpace(): void {
    this.#take(/(?:\s+|%[^\n]*)*/y);
  }

  #skipGroup(open: string): void {
    const start = this.#at;
    for (let depth = 1; depth > 0; this.#at += 1) {
      const sign = this.#text[this.#at];
      if (sign === undefined) this.#fail("a comment is never closed", start);
      if (sign === "{" || (open === "(" && sign === "(")) depth += 1;
      if (sign === "}" || (open === "(" && sign === ")")) depth -= 1;
    }
  }

  #close(open: string, start: number): void {
    this.#skipSpace();
    if (this.#text[this.#at] !== (open === "{" ? "}" : ")")) this.#fail("an entry is never closed", start);
    this.#at += 1;
  }

  #readString(open: string, start: number): void {
    this.#skipSpace();
    const name = this.#take(/[^\s={}(),"#%]+/y) ?? this.#fail("a string has no name");
    this.#skipSpace();
    if (this.#take(/=/y) === undefined) this.#fail(`the string "${name}" has no value`);
    this.#strings.set(name.toLowerCase(), this.#readValue());
    this.#close(open, start);
  }

  #readEntry(type: string, open: string, start: number): BibtexEntry {
    this.#skipSpace();
    const key = this.#take(/[^\s,={}()"#%~\\]+/y) ?? this.#fail("an entry has no key", start);
    const fields: { [name: string]: string } = {};
    for (;;) {
      this.#skipSpace();
      if (this.#take(/,/y) === undefined) break;
      this.#skipSpace();
      const name = this.#take(/[^\s={}(),"#%]+/y)?.toLowerCase();
      if (name === undefined) continue;
      this.#skipSpace();
      if (this.#take(/=/y) === undefined) this.#fail(`the field "${name}" of "${key}" has no value`);
      const value = this.#readValue();
      // Of a field that is given twice the first counts, as BibTeX has it.
      fields[name] ??= value;
    }
    this.#close(open, start);
    return { type, key, fields, line: this.#getLine(start) };
  }

  #readValue(): string {
    const parts: string[] = [];
    do {
      this.#skipSpace();
      parts.push(this.#readPart());
      this.#skipSpace();
    } while (this.#take(/#/y) !== undefined);
    return parts.join("");
  }

  #readPart(): string {
    const sign = this.#text[this.#at];
    if (sign === "{" || sign === '"') return this.#readQuoted(sign);
    const word = this.#take(/[^\s,{}()"#=%]+/y) ?? this.#fail("a value is missing");
    if (/^\d+$/.test(word)) return word;
    return this.#strings.get(word.toLowerCase()) ?? this.#fail(`the string "${word}" is not defined`);
  }

  #readQuoted(open: "{" | '"'): string {
    const start = this.#at;
    this.#at += 1;
    let depth = 0;
    for (; ; this.#at += 1) {
      const sign = this.#text[this.#at];
      if (sign === undefined) this.#fail("a value is never closed", start);
      if (sign === "\\") this.#at += 1;
      else if (sign === "{") depth += 1;
      else if (depth === 0 && sign === (open === "{" ? "}" : '"')) break;
      else if (sign === "}") depth -= 1;
      if (depth < 0) this.#fail('a "}" too many', this.#at);
    }
    this.#at += 1;
    return this.#text.slice(start + 1, this.#at - 1);
  }
}

/**
 * Returns the entries of a BibTeX or BibLaTeX file in order: strings put in, `#` joined, comments and preambles left
 * out, values as TeX.
 *
 * @throws {TurnwiseError} (input) for what cannot be read, with its line.
 */
export function parseBibtex(text: string, file: string): BibtexEntry[] {
  return new BibtexReader(text, file).read();
}
