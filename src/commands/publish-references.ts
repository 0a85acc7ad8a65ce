// internal
import { listReferences, type PageReference } from "../publish/index.js";
import { openRegistry } from "./bibliography.js";
import type { PublishWorkspace } from "./publish-workspace.js";

/** Returns the works that a document cites, in the order of their first use; none where its bibliography cannot be read. */
export function readReferences({ document }: PublishWorkspace): Promise<readonly PageReference[]> {
  return Promise.resolve(listReferences(document, openRegistry(document)));
}
