// internal

/** One piece of a formula. Offsets are UTF-16 units in the formula. */
export interface TexNode {
  readonly kind:
    | "letter"
    | "number"
    /** A control word or symbol such as `\alpha` or `\%`; its arguments are the groups after it. */
    | "command"
    | "symbol"
    /** Spacing commands; blanks leave no node. */
    | "space"
    | "group"
    /** `_` or `^` with its argument. */
    | "script"
    /** Words: `\text{…}` and the like, `\operatorname{…}`, `\mathrm{…}`; `text` is their content. */
    | "words"
    | "break"
    | "tab"
    | "environment";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Content of groups, scripts and environments. */
  readonly nodes: readonly TexNode[];
  /** For words: the command that made them. For delimiters: the command that sized them, e.g. `\left`. */
  readonly by?: string;
}

/** What is wrong with the form of a formula. */
export interface TexFault {
  readonly message: string;
  readonly at: number;
}

/** A formula as a tree. */
export interface TexTree {
  readonly nodes: readonly TexNode[];
  readonly faults: readonly TexFault[];
}

/** Commands whose argument is set as text: maths commands inside it do not work. */
export const textCommands: ReadonlySet<string> = new Set(
  "\\text \\textbf \\textit \\textrm \\textsf \\texttt \\textnormal \\textup \\mbox \\hbox \\emph".split(" "),
);

const wordCommands: ReadonlySet<string> = new Set(
  "\\operatorname \\operatorname* \\mathrm \\mathsf \\mathtt \\tag \\label \\ref \\eqref \\color \\textcolor \\hspace \\vspace \\href \\class \\htmlId".split(
    " ",
  ),
);

const spaces: ReadonlySet<string> = new Set(
  "\\, \\; \\: \\! \\> \\  \\quad \\qquad \\thinspace \\medspace \\thickspace \\negthinspace \\enspace \\nobreak ~ \\displaystyle \\textstyle \\scriptstyle \\limits \\nolimits \\nonumber \\notag".split(
    / (?! )/,
  ),
);

const sizes = /^\\(left|right|middle|(big|Big|bigg|Bigg)[lrm]?)$/;

/** A number as written: digits, thousands marks, a decimal point, an exponent of ten. */
const numberForm =
  /^(?:[1-9]\d{0,2}(?:(?:\{,\}|,(?![ \\])|\\,|\\!,\\!|\{\\,\})\d{3}(?!\d))+|\d+)(?:\.\d+|\{\.\}\d+)?(?:[eE][-+]?\d+(?![\d.]))?|^\.\d+/;

class Reader {
  readonly faults: TexFault[] = [];
  at = 0;
  readonly #tex: string;
  readonly #fences: { readonly text: string; readonly at: number; readonly depth: number }[] = [];
  #depth = 0;
  constructor(tex: string) {
    this.#tex = tex;
  }

  /** Reads nodes up to the end, or past the closing brace or the end of an environment. */
  readNodes(until: string): TexNode[] {
    const nodes: TexNode[] = [];
    const from = this.at;
    this.#depth += 1;
    for (;;) {
      this.#skipBlanks();
      if (this.at >= this.#tex.length) {
        if (until === "brace") this.faults.push({ message: 'A "{" is never closed', at: from - 1 });
        else if (until !== "end") this.faults.push({ message: `\\begin{${until}} has no \\end{${until}}`, at: from });
        break;
      }
      if (this.#tex[this.at] === "}") {
        if (until === "brace") {
          this.at += 1;
          break;
        }
        this.faults.push({ message: 'A "}" has no "{"', at: this.at });
        this.at += 1;
        continue;
      }
      const end = /^\\end\s*\{([^}]*)\}/.exec(this.#tex.slice(this.at, this.at + 60));
      if (end !== null) {
        if (until === end[1]) {
          this.at += end[0].length;
          break;
        }
        if (until === "brace") {
          this.faults.push({ message: 'A "{" is never closed', at: from - 1 });
          break;
        }
        this.faults.push({
          message: `\\end{${end[1]}} closes ${until === "end" ? "nothing" : `\\begin{${until}}`}`,
          at: this.at,
        });
        this.at += end[0].length;
        if (until !== "end") break;
        continue;
      }
      nodes.push(this.#readNode());
    }
    this.#closeLevel();
    return nodes;
  }

  /** `\left` must meet its `\right` inside the same braces. */
  #closeLevel(): void {
    while (this.#fences.at(-1)?.depth === this.#depth) {
      const open = this.#fences.pop();
      if (open !== undefined) this.faults.push({ message: `${open.text} has no \\right`, at: open.at });
    }
    this.#depth -= 1;
  }

  #skipBlanks(): void {
    for (;;) {
      const blank = /^(\s+|%[^\n]*(\n|$))/.exec(this.#tex.slice(this.at, this.at + 400));
      if (blank === null) return;
      this.at += blank[0].length;
    }
  }

  #node(kind: TexNode["kind"], start: number, text: string, nodes: readonly TexNode[] = [], by?: string): TexNode {
    return { kind, text, start, end: this.at, nodes, ...(by === undefined ? {} : { by }) };
  }

  #readNode(): TexNode {
    const start = this.at;
    const character = String.fromCodePoint(this.#tex.codePointAt(start) ?? 0);
    if (character === "{") {
      const number = numberForm.exec(this.#tex.slice(start, start + 40));
      if (number !== null) return this.#take("number", number[0]);
      this.at += 1;
      const nodes = this.readNodes("brace");
      return this.#node("group", start, "{}", nodes);
    }
    if (character === "_" || character === "^") {
      this.at += 1;
      this.#skipBlanks();
      if (this.at >= this.#tex.length || this.#tex[this.at] === "}") {
        this.faults.push({ message: `A "${character}" has nothing to set`, at: start });
        return this.#node("script", start, character);
      }
      return this.#node("script", start, character, [this.#readArgument()]);
    }
    if (character === "\\") return this.#readCommand(start);
    if (character === "&") return this.#take("tab", character);
    if (character === "~") return this.#take("space", character);
    const number = numberForm.exec(this.#tex.slice(start, start + 60));
    if (number !== null) return this.#take("number", number[0]);
    return this.#take(/\p{L}/u.test(character) ? "letter" : "symbol", character);
  }

  /** One token after a script sign or a command: a group, a command or a single character. */
  #readArgument(): TexNode {
    const character = this.#tex[this.at];
    return /\d/.test(character) ? this.#take("number", character) : this.#readNode();
  }

  #take(kind: TexNode["kind"], text: string, by?: string): TexNode {
    const start = this.at;
    this.at += text.length;
    return this.#node(kind, start, text, [], by);
  }

  #readCommand(start: number): TexNode {
    const rest = this.#tex.slice(start, start + 80);
    const [command] = /^\\(?:operatorname\*|[A-Za-z]+|[^]|$)/u.exec(rest) ?? ["\\"];
    this.at += command.length;
    if (command === "\\\\") return this.#readBreak(start);
    if (command === "\\begin") return this.#readEnvironment(start);
    if (sizes.test(command)) return this.#readFence(start, command);
    if (textCommands.has(command) || wordCommands.has(command)) return this.#readWords(start, command);
    if (spaces.has(command)) return this.#node("space", start, command);
    return this.#node("command", start, command);
  }

  #readBreak(start: number): TexNode {
    const gap = /^\*?\s*\[[^\]\n]*\]/.exec(this.#tex.slice(this.at, this.at + 30));
    if (gap !== null && /\d/.test(gap[0])) this.at += gap[0].length;
    return this.#node("break", start, "\\\\");
  }

  #readEnvironment(start: number): TexNode {
    const name = /^\s*\{([^}]*)\}/.exec(this.#tex.slice(this.at, this.at + 60));
    if (name === null) {
      this.faults.push({ message: "\\begin has no name", at: start });
      return this.#node("command", start, "\\begin");
    }
    this.at += name[0].length;
    const nodes = this.readNodes(name[1]);
    return this.#node("environment", start, name[1], nodes);
  }

  #readFence(start: number, size: string): TexNode {
    this.#skipBlanks();
    const delimiter = /^(\\[A-Za-z]+|\\[^]|[^])/u.exec(this.#tex.slice(this.at, this.at + 30))?.[0] ?? "";
    if (delimiter === "" || delimiter === "}") {
      this.faults.push({ message: `${size} has no delimiter`, at: start });
      return this.#node("command", start, size);
    }
    this.at += delimiter.length;
    if (size === "\\left") this.#fences.push({ text: `\\left${delimiter}`, at: start, depth: this.#depth });
    if (size === "\\right") {
      if (this.#fences.at(-1)?.depth === this.#depth) this.#fences.pop();
      else this.faults.push({ message: `\\right${delimiter} has no \\left`, at: start });
    }
    return this.#node("symbol", start, delimiter, [], size);
  }

  #readWords(start: number, command: string): TexNode {
    this.#skipBlanks();
    if (this.#tex[this.at] !== "{") {
      // One token without braces, as in `\mathrm d`.
      const token = /^(\\[A-Za-z]+|[^])/u.exec(this.#tex.slice(this.at, this.at + 30))?.[0] ?? "";
      this.at += token.length;
      return this.#node("words", start, token, [], command);
    }
    let depth = 0;
    let end = this.at;
    for (; end < this.#tex.length; end += 1) {
      if (this.#tex[end] === "\\") end += 1;
      else if (this.#tex[end] === "{") depth += 1;
      else if (this.#tex[end] === "}" && --depth === 0) break;
    }
    if (depth > 0) this.faults.push({ message: `The "{" after ${command} is never closed`, at: this.at });
    const text = this.#tex.slice(this.at + 1, end);
    this.at = Math.min(this.#tex.length, end + 1);
    return this.#node("words", start, text, [], command);
  }
}

const known = new Map<string, TexTree>();

/**
 * Returns a formula as a tree, with what is wrong with its braces, environments and `\left`…`\right`. Never throws.
 * Trees are kept: rules ask for the same formulas again and again.
 */
export function parseTex(tex: string): TexTree {
  const cached = known.get(tex);
  if (cached !== undefined) return cached;
  const reader = new Reader(tex);
  const tree = { nodes: reader.readNodes("end"), faults: reader.faults };
  if (known.size > 20_000) known.clear();
  known.set(tex, tree);
  return tree;
}

/** Returns the formula as one line without blanks, spacing and sizes of delimiters: equal for formulas that read alike. */
export function flattenTex(nodes: readonly TexNode[]): string {
  return nodes
    .map(({ kind, text, nodes: inner, by }): string => {
      switch (kind) {
        case "space":
        case "tab":
          return "";
        case "group":
          return inner.length === 1 ? flattenTex(inner) : `{${flattenTex(inner)}}`;
        case "script": {
          const [argument] = inner;
          const content = argument?.kind === "group" ? argument.nodes : inner;
          const flat = flattenTex(content);
          return content.length === 1 ? `${text}${flat}` : `${text}{${flat}}`;
        }
        case "words":
          return by === "\\label" || by === "\\tag" ? "" : `‹${text.replace(/\s+/g, " ").trim()}›`;
        case "environment":
          return `[${text}:${flattenTex(inner)}]`;
        case "letter":
        case "number":
        case "symbol":
          return text;
        case "break":
          return ";";
        case "command":
          return /[a-zA-Z]$/.test(text) ? `${text} ` : text;
        default:
          return kind satisfies never;
      }
    })
    .join("");
}
