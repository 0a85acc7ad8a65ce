// The same libraries as they come: `bare` without formulas and colours, `full` with both.
import katex from "katex";
import type { Element, Root } from "hast";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { createHighlighter } from "shiki";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { measure } from "./measure.js";

const isFull = process.argv[2] === "full";

const getText = (element: Element): string =>
  element.children.map((child) => (child.type === "text" ? child.value : "")).join("");

let highlighter: ReturnType<typeof createHighlighter> | undefined;

async function setAndColour(tree: Root): Promise<void> {
  highlighter ??= createHighlighter({ themes: ["github-light", "github-dark"], langs: ["python"] });
  const { codeToHtml } = await highlighter;
  visit(tree, "element", (element, index, parent) => {
    const classes = element.properties["className"];
    const has = (name: string): boolean => Array.isArray(classes) && classes.includes(name);
    if (parent === undefined || index === undefined || element.tagName !== "code") return;
    if (has("language-math")) {
      const html = katex.renderToString(getText(element), { displayMode: has("math-display"), throwOnError: false });
      parent.children[index] = { type: "raw", value: html };
    } else if (has("language-python")) {
      const html = codeToHtml(getText(element), {
        lang: "python",
        themes: { light: "github-light", dark: "github-dark" },
      });
      parent.children[index] = { type: "raw", value: html };
    }
  });
}

const base = unified().use(remarkParse).use(remarkGfm);
const bare = base().use(remarkRehype).use(rehypeStringify);
const full = base()
  .use(remarkMath)
  .use(remarkRehype)
  .use(() => setAndColour)
  .use(rehypeStringify, { allowDangerousHtml: true });

await measure(async (source) => String(await (isFull ? full : bare).process(source)));
