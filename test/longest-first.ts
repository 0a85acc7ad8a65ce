// Runs whole commands, documents and browsers before the rest: they take longest, and one that begins last keeps a worker
// busy alone. Vitest's own order is by size of file on a machine that has not run the tests before.
import { BaseSequencer, type TestSpecification } from "vitest/node";

const longest = ["/test/docs/", "/test/cli/", "/test/browser/", "/test/"];

function getRank({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((folder) => moduleId.includes(folder));
  return rank === -1 ? longest.length : rank;
}

/** The order in which test files begin. */
export class LongestFirst extends BaseSequencer {
  /** Returns the files by how long their kind takes, and within a kind in Vitest's order. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => getRank(a) - getRank(b));
  }
}
