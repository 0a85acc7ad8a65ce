// internal
import type { CitationItem } from "./nodes.js";
import type { Attributes } from "./tokens.js";

const part = /\s*(?:#([\p{L}\p{N}_][\p{L}\p{N}_:.-]*)|\.([A-Za-z][\w-]*)|([A-Za-z][\w-]*)=(?:"([^"]*)"|([^\s"{}]+)))/uy;

/** Returns the attributes written as `#id .class name=value name="two words"`, or `undefined` for anything else. */
export function parseAttributes(text: string): Attributes | undefined {
  let id: string | undefined;
  const classes: string[] = [];
  const values: { [name: string]: string } = {};
  const body = text.trim();
  for (let at = 0; at < body.length; at = part.lastIndex) {
    part.lastIndex = at;
    const match = part.exec(body);
    if (match === null) return undefined;
    const [, name, className, key, quoted, bare] = match;
    if (name !== undefined) id = name;
    else if (className !== undefined) classes.push(className);
    else values[key ?? ""] = quoted ?? bare ?? "";
  }
  return body === "" ? undefined : { ...(id === undefined ? {} : { id }), classes, values };
}

const citationKey = /[A-Za-z0-9_](?:[\w]|[:.#$%&+?<>~/-](?=\w))*/;
const itemPattern = new RegExp(`^(.*?)(-?)@(${citationKey.source})\\s*(?:,?\\s*(.*))$`, "su");

/** Returns the items of `[see @key, p. 3; @other]` without its brackets, or `undefined` when a part has no key. */
export function parseCitations(text: string): CitationItem[] | undefined {
  const items: CitationItem[] = [];
  for (const piece of text.split(";")) {
    const match = itemPattern.exec(piece.trim());
    if (match === null) return undefined;
    const [, prefix = "", minus, key = "", suffix = ""] = match;
    if (/[\p{L}\p{N}]$/u.test(prefix)) return undefined; // an address, not a key
    items.push({
      key,
      ...(prefix.trim() === "" ? {} : { prefix: prefix.trim() }),
      ...(suffix.trim() === "" ? {} : { suffix: suffix.trim() }),
      ...(minus === "-" ? { isAuthorSuppressed: true } : {}),
    });
  }
  return items;
}

/** A key named in running text. */
export const bareCitation = /@([A-Za-z_](?:\w|[:.#$%&+?~/-](?=\w))*)/y;
