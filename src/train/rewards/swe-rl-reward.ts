import { similarityRatio } from "./sequence-matcher.js";
import { unifiedDiff } from "./unified-diff.js";

/** Contents of files by path. */
export type FileContents = Readonly<Record<string, string>>;

/** SWE-RL's reward and where it comes from. */
export interface SweRlReward {
  /** -1 for a fault of form, else the mean similarity in [0, 1]. */
  readonly reward: number;
  /** What the fault was. */
  readonly fault?: string;
  /** Similarity of each changed file, by path. */
  readonly similarities: Readonly<Record<string, number>>;
}

const tags = ["<think>", "</think>", "<solution>", "</solution>"] as const;
const block = /```.*?\n### (.*)\n<<<<<<< SEARCH\n([\s\S]*?)\n=======\n([\s\S]*?)\n>>>>>>> REPLACE\n```/g;

/** Returns a file's content, `""` for a file that is not there; names such as "constructor" are files too. */
function readFile(files: FileContents, path: string): string {
  return Object.hasOwn(files, path) ? files[path] : "";
}

/** The diff of every file that changes. */
function diffFiles(before: FileContents, after: FileContents): Map<string, string> {
  const diffs = new Map<string, string>();
  for (const [path, content] of Object.entries(after)) {
    const diff = unifiedDiff(readFile(before, path), content);
    if (diff !== "") diffs.set(path, diff);
  }
  return diffs;
}

/**
 * Returns the similarity of two changes to the same files (SWE-RL, arXiv 2502.18449, section 2.1): for every file that
 * either side changes, the likeness of the two diffs, 0 where one side leaves it alone; their mean. Two changes that
 * change nothing are alike.
 */
export function compareChanges(before: FileContents, predicted: FileContents, oracle: FileContents): SweRlReward {
  const own = diffFiles(before, predicted);
  const wanted = diffFiles(before, oracle);
  const paths = [...new Set([...wanted.keys(), ...own.keys()])];
  const similarities = Object.fromEntries(
    paths.map((path) => {
      const first = own.get(path);
      const second = wanted.get(path);
      return [path, first === undefined || second === undefined ? 0 : similarityRatio(first, second)];
    }),
  );
  const sum = Object.values(similarities).reduce((total, each) => total + each, 0);
  return { reward: paths.length === 0 ? 1 : sum / paths.length, similarities };
}

/** Applies search/replace blocks; a text says what is wrong with them. */
function applyEdits(before: FileContents, answer: string): FileContents | string {
  const after = new Map<string, string>();
  for (const [, path, search, replace] of answer.matchAll(block)) {
    if (search === replace) return `search and replace of ${path} are equal`;
    // A line break in front makes a search match whole lines from their indentation on.
    const content = `\n${after.get(path) ?? readFile(before, path)}`;
    if (!content.includes(`\n${search}`)) return `the text searched for is not in ${path}`;
    after.set(path, content.split(`\n${search}`).join(`\n${replace}`).slice(1));
  }
  return after.size === 0 ? "there is no search and replace block" : Object.fromEntries(after);
}

/**
 * Returns SWE-RL's reward of a model's output: -1 unless each of the four tags stands in it once, something was thought,
 * and every search and replace block applies; else the similarity of its change with the oracle's
 * ({@linkcode compareChanges}). The argument order of the similarity is predicted, then oracle; it is not symmetric.
 */
export function sweRlReward(output: string, before: FileContents, oracle: FileContents): SweRlReward {
  const fail = (fault: string): SweRlReward => ({ reward: -1, fault, similarities: {} });
  const wrong = tags.find((tag) => output.split(tag).length !== 2);
  if (wrong !== undefined) return fail(`${wrong} does not occur exactly once`);
  const between = (open: string, close: string): string => output.split(open)[1].split(close)[0].trim();
  if (between("<think>", "</think>") === "") return fail("nothing was thought");
  const after = applyEdits(before, between("<solution>", "</solution>"));
  return typeof after === "string" ? fail(after) : compareChanges(before, after, oracle);
}
