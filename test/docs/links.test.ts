import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "../../scripts/lib/sources.mjs";
import { repositoryRoot } from "./workspace.js";

const documents = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "AGENTS.md"].filter((file) =>
    existsSync(join(repositoryRoot, file)),
  ),
  ...["docs", "examples"].flatMap((folder) => listFiles(repositoryRoot, folder)).filter((file) => file.endsWith(".md")),
];

/** Returns the anchors that the headings of a document give, the way code hosts make them. */
function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Returns each link to a file or heading that is not there. */
function findDeadLinks(file: string): string[] {
  const markdown = readFileSync(join(repositoryRoot, file), "utf8").replace(/^(`{3,})[^]*?^\1/gm, "");
  const targets = [...markdown.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href)="([^"]+)"/g)].map(
    ([, a, b]) => a ?? b ?? "",
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const full = path === "" ? join(repositoryRoot, file) : join(repositoryRoot, dirname(file), path);
      if (!existsSync(full)) return true;
      if (anchor === undefined || statSync(full).isDirectory() || !full.endsWith(".md")) return false;
      return !listAnchors(readFileSync(full, "utf8")).includes(anchor);
    });
}

test.each(documents)("links of %s lead somewhere", (file) => {
  expect(findDeadLinks(file)).toEqual([]);
});
