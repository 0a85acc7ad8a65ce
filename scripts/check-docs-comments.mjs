// Checks that every declaration a folder's index lists has a doc comment.
import { listFolders, listPublicSources } from "./exports.mjs";
import { readExports } from "./lib/declarations.mjs";
import { runCheck } from "./lib/sources.mjs";

/**
 * Returns a problem for each public declaration without a doc comment.
 * @param {string} root
 * @returns {import("./lib/sources.mjs").Problem[]}
 */
export function checkDocComments(root) {
  return listFolders(root)
    .flatMap((folder) => listPublicSources(root, folder))
    .flatMap((file) =>
      readExports(root, file)
        .declarations.filter(({ hasDoc }) => !hasDoc)
        .map(({ name, line }) => ({ file, line, message: `Exported "${name}" has no doc comment` })),
    );
}

await runCheck(import.meta.url, checkDocComments, "every public declaration is documented");
