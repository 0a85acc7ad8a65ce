import { isJsonObject, type JsonValue } from "../../core/index.js";

/** Returns the text of message content: the text itself, or the text parts joined; other parts add nothing. */
export function getContentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) {
    const parts = content as readonly JsonValue[]; // Array.isArray loses the element type
    return parts
      .map((part) =>
        typeof part === "string" ? part : isJsonObject(part) && typeof part.text === "string" ? part.text : "",
      )
      .filter((text) => text !== "")
      .join("\n");
  }
  return isJsonObject(content) && typeof content.text === "string" ? content.text : "";
}
