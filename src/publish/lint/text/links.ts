// internal
import { dirname, relative } from "node:path";
import { visit } from "unist-util-visit";
import type { PublishDocument } from "../../document.js";
import { isRemoteUrl } from "../../parse/addresses.js";

/** A link as written. */
export interface Link {
  readonly url: string;
  readonly line: number;
  readonly isImage: boolean;
}

/** Returns every link and image of a document, in order; one written as a reference has the address of its definition. */
export function listLinks({ tree }: PublishDocument): readonly Link[] {
  const links: Link[] = [];
  visit(tree, (node) => {
    if (node.type === "link" || node.type === "image")
      links.push({ url: node.url, line: node.position?.start.line ?? 1, isImage: node.type === "image" });
  });
  return links;
}

/** Returns the path and the fragment of a link to a file, or `undefined` for addresses and links within the document. */
export function splitFileLink(
  url: string,
): { readonly path: string; readonly fragment: string | undefined } | undefined {
  if (url === "" || url.startsWith("#") || isRemoteUrl(url)) return undefined;
  const [file, fragment] = url.split("#");
  const path = decode(file.split("?")[0]);
  return { path, fragment: fragment === undefined || fragment === "" ? undefined : decode(fragment) };
}

/** Returns text with its percent signs decoded, or as it is where they are wrong. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign is part of the name
  }
}

/** Returns everything in a document that a fragment can point to. */
export function listAnchors({ blocks, lines }: PublishDocument): ReadonlySet<string> {
  const anchors = blocks.flatMap(({ anchor, id }) => [...(anchor === undefined ? [] : [anchor]), id]);
  const labels = lines.flatMap((line) => [...line.matchAll(/\{[^{}]*#([^\s{}]+)[^{}]*\}/g)].map(([, label]) => label));
  return new Set([...anchors, ...labels]);
}

/** Returns the document of a set that a path points to from another document's folder. */
export function findLinked(
  path: string,
  from: PublishDocument,
  set: readonly PublishDocument[],
): PublishDocument | undefined {
  const base = from.file.replaceAll("\\", "/").split("/").slice(0, -1);
  const parts = [...(path.startsWith("/") ? [] : base)];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const target = parts.join("/");
  return set.find(({ file }) => file.replaceAll("\\", "/").replace(/^\.?\/+/, "") === target.replace(/^\.?\/+/, ""));
}

/** Returns a path as seen from the folder of a document, with forward slashes. */
export function getRelativePath(from: string, to: string): string {
  return relative(dirname(from), to).replaceAll("\\", "/");
}
