import type { Node } from "mdast";

interface Fields {
  readonly value?: string;
  readonly alt?: string | null;
  readonly text?: string;
  readonly label?: string;
  readonly source?: string;
  readonly claim?: string;
  readonly children?: readonly Node[];
}

const flowTypes = new Set(
  "root blockquote list listItem table tableRow callout details figure definitionList definitionItem footnoteDefinition".split(
    " ",
  ),
);

/**
 * Returns the text that a reader sees of a node: inline formulas as their TeX between dollars, displays between
 * double dollars, code byte for byte, nothing for comments. Blocks are parted by line ends, cells by tabs.
 */
export function getVisibleText(node: Node): string {
  // Every node of mdast and of the dialect keeps its text in these fields.
  const { value = "", alt, text, label = "", source = "", claim = "", children = [] } = node as unknown as Fields;
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "code":
    case "externalId":
      return value;
    case "inlineMath":
      return `$${value}$`;
    case "math":
      return `$$${value}$$`;
    case "break":
      return "\n";
    case "image":
    case "imageReference":
      return alt ?? "";
    case "crossReference":
      return text ?? `[#${label}]`;
    case "citation":
      return source;
    case "claimReference":
      return `[[${claim}]]`;
    case "comment":
    case "definition":
    case "thematicBreak":
    case "footnoteReference":
      return "";
    default: {
      const parts = children.map(getVisibleText);
      if (node.type === "tableRow") return parts.join("\t");
      return flowTypes.has(node.type) ? parts.filter((part) => part !== "").join("\n") : parts.join("");
    }
  }
}
