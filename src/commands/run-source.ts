import { statSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { describeSystemError, inputError, type Disclosure } from "../core/index.js";
import { readRun, type RunManifest } from "../records/index.js";
import { canCut } from "../rollout/index.js";
import type { EpisodeSource } from "./analyze.js";

/** Returns a run folder as a source of episodes. Reading never changes the folder. */
export async function createRunSource(
  folder: string,
  selection: Pick<EpisodeSource, "label" | "policyId"> = {},
): Promise<EpisodeSource> {
  const run = await readRun(folder);
  const { manifest, problems } = run;
  const origin = manifest.sources?.map(({ name, format }) => `${name} (${format})`).join(", ");
  const importProblems = (manifest.sources ?? []).flatMap(({ name, problemCounts }) =>
    Object.entries(problemCounts).map(
      ([problem, count]) => `Import of ${name}: ${count} × ${problem.replaceAll("_", " ")}`,
    ),
  );
  return {
    ...selection,
    path: basename(folder),
    configHash: manifest.configHash,
    policyOrder: manifest.policies.map((policy) => policy.id),
    countPlanned: (disclosure) => countPlannedOf(manifest, disclosure),
    ...(origin === undefined ? {} : { origin }),
    warnings: [...importProblems, ...problems.map((problem) => problem.message)],
    read: () => run.read(),
  };
}

/** Returns the episodes that an evaluation asked for of one policy; unknown for imports and single shards. */
function countPlannedOf(manifest: RunManifest, disclosure: Disclosure): number | undefined {
  const { kind, samples, suite, budgets, terminalRule, shard } = manifest;
  if (kind !== "eval" || samples === undefined || suite === undefined || budgets === undefined) return undefined;
  if (terminalRule === undefined || shard !== undefined) return undefined;
  return samples * suite.taskCount * (canCut(disclosure, terminalRule) ? 1 : budgets.length);
}

/** Returns what is at a path; `undefined` also for text that can be no path: too long, or with a null character. */
function findStatus(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE") return undefined;
    throw inputError(`Cannot read "${path}": ${describeSystemError(error)}`, undefined, error);
  }
}

/** Splits `PATH#POLICY` into its parts; a path that exists as it stands is taken whole. */
export function splitSelector(text: string): { readonly path: string; readonly policyId?: string } {
  const exists = findStatus(text) !== undefined;
  const hash = text.lastIndexOf("#");
  if (exists || hash < 1) return { path: text };
  return { path: text.slice(0, hash), policyId: text.slice(hash + 1) };
}

/**
 * Says whether the path is a folder.
 *
 * @throws {TurnwiseError} (input) when there is nothing at the path.
 */
export function isFolder(path: string): boolean {
  const found = findStatus(path);
  if (found === undefined) throw inputError(`Cannot read "${path}": there is no such file or folder`);
  return found.isDirectory();
}
