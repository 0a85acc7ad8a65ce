import fc from "fast-check";

/** What stands where a word goes; every one becomes a word of its own. */
const hole = "\u0001";

const inlineForms = [
  hole,
  `${hole} ${hole}`,
  `**${hole}**`,
  `*${hole}*`,
  `**${hole}。**${hole}`,
  `~~${hole}~~`,
  `\`${hole}\``,
  `\`${hole}|${hole}\``,
  `$${hole}_1 < ${hole}$`,
  `$\\|${hole}\\|$`,
  `\\(${hole}^2\\)`,
  `$$${hole}=1$$`,
  `[${hole}](https://example.org/a_b)`,
  `[${hole}]{.speculative}`,
  `[${hole}]{#c:a}`,
  `${hole}<br>${hole}`,
  `H<sub>${hole}</sub>`,
  `<kbd>${hole}</kbd>`,
  `<b>${hole}</b>`,
  `${hole} < ${hole}`,
  `${hole} & ${hole}`,
  `$5 ${hole}`,
  `${hole} $`,
  `"${hole}"（${hole}）`,
  `中文${hole}，`,
  `\\*${hole}\\*`,
  `${hole}[^n]`,
  `![${hole}](x.png)`,
  `<!-- x -->${hole}`,
  `${hole} \`\`a`,
  `[${hole}`,
  `${hole}](`,
  `{${hole}}`,
  `**${hole}`,
  `@ ${hole}`,
];

const oneLine = fc
  .array(fc.constantFrom(...inlineForms), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(" "));

const leaves = fc.oneof(
  { weight: 5, arbitrary: oneLine },
  { weight: 2, arbitrary: fc.tuple(oneLine, oneLine).map((lines) => lines.join("\n")) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 4 }), oneLine).map(([depth, text]) => `${"#".repeat(depth)} ${text}`),
  },
  { weight: 1, arbitrary: oneLine.map((text) => `${text.replace(/\n/g, " ")}\n---`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      `$$\n${hole}\n- ${hole}\n$$`,
      `$$${hole}\n= ${hole}$$ {#eq:a}`,
      `\\[\n${hole}\n\\]`,
      `$$\n${hole}\n\n> ${hole}\n$$`,
      `$$ ${hole}`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      `\`\`\`python exec=run\n${hole} $x$ <details>\n\n${hole}\n\`\`\``,
      `~~~\n${hole}\n~~~`,
      `    ${hole} $a`,
      `\`\`\`\n${hole}`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(oneLine, oneLine, oneLine).map(([a, b, c]) => `| ${a} | b |\n|---|:-:|\n| ${b} | ${c} |`),
  },
  { weight: 1, arbitrary: oneLine.map((text) => `Term\n: ${text}\n: ${hole}\n\n    ${hole}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "---",
      "<!-- a\n\nb -->",
      "</details>",
      "<details>",
      "<summary>",
      ":::",
      `[^n]: ${hole}`,
      `<div>${hole}</div>`,
    ),
  },
);

const indent = (text: string, by: string): string => text.split("\n").join(`\n${by}`);

/** Blocks with blocks inside. */
const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaves,
    fc.tuple(tie("block"), tie("block"), fc.constantFrom("\n", "\n\n")).map(([a, b, gap]) => a + gap + b),
    tie("block").map((text) => `- ${indent(text, "  ")}`),
    fc
      .tuple(fc.integer({ min: 1, max: 12 }), tie("block"))
      .map(([number, text]) => `${number}. ${indent(text, " ".repeat(String(number).length + 2))}`),
    tie("block").map((text) => `> ${indent(text, "> ")}`),
    fc
      .tuple(fc.constantFrom("💡", "⚠️", "📍"), oneLine, tie("block"))
      .map(([mark, title, text]) => `> ${mark} **${hole}**: ${title}\n>\n> ${indent(text, "> ")}`),
    tie("block").map((text) => `> [!NOTE]\n> ${indent(text, "> ")}`),
    fc
      .tuple(oneLine, tie("block"), fc.constantFrom("\n", "\n\n"))
      .map(([title, text, gap]) => `<details>\n<summary>${title}</summary>${gap}${text}${gap}</details>`),
    fc.tuple(oneLine, tie("block")).map(([title, text]) => `<details><summary>${title}</summary>${text}</details>`),
    fc.tuple(oneLine, tie("block")).map(([title, text]) => `:::warn ${title}\n${text}\n:::`),
  ),
}));

/** A document whose words are all different, so that none can be lost or doubled unseen. */
export interface RandomMarkdown {
  readonly source: string;
  readonly words: readonly string[];
}

/** Random documents of the dialect, nested and broken ones among them. */
export const randomMarkdown: fc.Arbitrary<RandomMarkdown> = fc
  .array(block, { minLength: 1, maxLength: 5 })
  .map((blocks) => {
    const words: string[] = [];
    const source = blocks.join("\n\n").replaceAll(hole, () => {
      words.push(`w${words.length}q`);
      return words[words.length - 1];
    });
    return { source, words };
  });
