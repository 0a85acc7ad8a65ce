import katex from "katex";

/** A formula as HTML with MathML beside it, or why it could not be set. */
export interface RenderedMath {
  readonly html: string;
  /** Message of the engine, without its own preamble. */
  readonly error?: string;
}

const operators =
  "arcsin arccos arctan arctg arcctg arg argmax argmin ch cos cosec cosh cot cotg coth csc ctg cth deg det dim exp gcd hom inf injlim ker lg lim liminf limsup ln log max min plim Pr projlim sec sin sinh sh sup tan tanh tg th varinjlim varliminf varlimsup varprojlim".split(
    " ",
  );
const bareOperator = new RegExp(String.raw`([_^])\s*(\\(?:${operators.join("|")}))(?![A-Za-z])`, "g");
/** A named operator, which takes its name as an argument. */
const bareName = /([_^]\s*)(\\operatorname\*?)(?=\{)/;
const withoutArguments = /Got function '(\\[A-Za-z]+\*?)' with no arguments as (?:sub|super)script at position (\d+)/;

/**
 * Returns TeX with braces round operators that stand bare as a subscript or superscript, which TeX takes and KaTeX
 * does not.
 *
 * @example
 * repairTex(String.raw`r_\min`); // "r_{\\min}"
 */
export function repairTex(tex: string): string {
  let repaired = tex.replace(bareOperator, "$1{$2}").replace(/\\label\s*\{[^{}]*\}/g, "");
  for (let match = bareName.exec(repaired); match !== null; match = bareName.exec(repaired)) {
    repaired = braceCommand(repaired, match.index + match[1].length, match[2]);
  }
  return repaired;
}

/** Puts braces round the command at an offset, with the arguments that directly follow it. */
function braceCommand(tex: string, offset: number, command: string): string {
  let end = offset + command.length;
  while (tex[end] === "{" || tex[end] === "[") {
    const close = findClose(tex, end);
    if (close === undefined) break;
    end = close + 1;
  }
  return `${tex.slice(0, offset)}{${tex.slice(offset, end)}}${tex.slice(end)}`;
}

function findClose(tex: string, open: number): number | undefined {
  const [left, right] = tex[open] === "{" ? ["{", "}"] : ["[", "]"];
  let depth = 0;
  for (let at = open; at < tex.length; at += 1) {
    if (tex[at] === "\\") at += 1;
    else if (tex[at] === left) depth += 1;
    else if (tex[at] === right && (depth -= 1) === 0) return at;
  }
  return undefined;
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

const annotation = /<annotation encoding="application\/x-tex">[^]*?<\/annotation>/;

/**
 * Sets a formula with KaTeX as HTML and MathML. Its annotation holds the TeX as the author wrote it, also where it was
 * repaired. Never throws: a formula that cannot be set is shown as its TeX, marked, with the reason.
 */
export function renderMath(tex: string, isDisplay: boolean): RenderedMath {
  let current = repairTex(tex);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const html = katex.renderToString(current, {
        displayMode: isDisplay,
        output: "htmlAndMathml",
        throwOnError: true,
        strict: "ignore",
        trust: false,
        maxExpand: 1000,
        maxSize: 40,
      });
      const source = `<annotation encoding="application/x-tex">${escape(tex)}</annotation>`;
      return { html: html.replace(annotation, () => source) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const [, command, position] = withoutArguments.exec(message) ?? [];
      // Positions count from 1 and point at the command's own backslash.
      const offset = Number(position) - 1;
      if (attempt < 20 && command !== undefined && current.startsWith(command, offset)) {
        current = braceCommand(current, offset, command);
        continue;
      }
      const reason = message
        .replace(/^KaTeX parse error:\s*/, "")
        .replace(/[\u0332\s]+/g, (space) => space.replace(/\u0332/g, ""));
      return {
        html: `<code class="formula-error" data-tex="${escape(tex).replace(/"/g, "&quot;")}">${escape(tex)}</code>`,
        error: reason,
      };
    }
  }
}
