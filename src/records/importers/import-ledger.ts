// internal
import type { Trajectory } from "../../core/index.js";
import { digestFields, hashEpisodeKey } from "./hash-text.js";
import type { ImportItem } from "./importer.js";
import { repaired, skipped } from "./episode.js";

/** Keeps track of the episodes of one import, over all its files, so that every one has a key of its own. */
export interface ImportLedger {
  /** Returns what stands for an importer's trajectory: itself or a changed one, and what is to be reported. */
  admit(
    item: Extract<ImportItem, { readonly type: "trajectory" }>,
    position: number | undefined,
  ): readonly ImportItem[];
}

/** What is known of the attempts at one task under one setting. */
interface Attempts {
  /** Sample indexes that are taken, with the content of those whose source numbers them. */
  readonly taken: Map<number, number>;
  /** Indexes given to records whose own was taken; a source's number is not in conflict with these. */
  moved?: Set<number>;
  next: number;
}

/** Stands for the content of a record whose source does not number attempts. */
const unknownContent = -1;

/** Returns what stands for all that an episode is, apart from its number and where it was read. */
function fingerprint(trajectory: Trajectory): number {
  return digestFields(trajectory, ["provenance", "sampleIndex", "episodeId"]);
}

function moveTo(trajectory: Trajectory, sampleIndex: number): Trajectory {
  const { policy, task, budget, disclosure, terminalRule } = trajectory;
  const episodeId = hashEpisodeKey({
    policyId: policy.id,
    taskHash: task.hash,
    sampleIndex,
    budget,
    disclosure,
    terminalRule,
  });
  return { ...trajectory, sampleIndex, episodeId };
}

/** Returns remarks on an episode that contradicts itself: it is kept, and says so. */
function findOddities({ turns, budget }: Trajectory): string[] {
  const oddities: string[] = [];
  if (budget.maxTurns !== undefined && turns.length > budget.maxTurns) {
    oddities.push(`${turns.length} turns although the stated limit is ${budget.maxTurns}`);
  }
  const solvedIndex = turns.findIndex((turn) => turn.solvedAfter === true);
  if (solvedIndex !== -1 && solvedIndex < turns.length - 1) {
    oddities.push(`${turns.length - 1 - solvedIndex} turns after the state was first graded as solved`);
  }
  return oddities;
}

function addNotes(trajectory: Trajectory, notes: readonly string[]): Trajectory {
  const { provenance } = trajectory;
  if (notes.length === 0 || provenance === undefined) return trajectory;
  return { ...trajectory, provenance: { ...provenance, notes: [...provenance.notes, ...notes] } };
}

/** Returns an empty ledger. */
export function createImportLedger(): ImportLedger {
  const attemptsByKey = new Map<string, Attempts>();
  const hashesById = new Map<string, string>();
  const reportedIds = new Set<string>();

  function getAttempts({ policy, task, budget, disclosure, terminalRule }: Trajectory): Attempts {
    const key = `${task.hash} ${disclosure} ${terminalRule} ${JSON.stringify(budget)} ${policy.id}`;
    let attempts = attemptsByKey.get(key);
    if (attempts === undefined) attemptsByKey.set(key, (attempts = { taken: new Map(), next: 0 }));
    return attempts;
  }

  function takeFree(attempts: Attempts, content: number): number {
    while (attempts.taken.has(attempts.next)) attempts.next += 1;
    attempts.taken.set(attempts.next, content);
    (attempts.moved ??= new Set()).add(attempts.next);
    return attempts.next;
  }

  /** The same id with another content is another task; each such id is named once. */
  function findSharedId({ task, env }: Trajectory, position: number | undefined): ImportItem[] {
    const id = `${env.id} ${task.id}`;
    const known = hashesById.get(id);
    if (known === undefined) hashesById.set(id, task.hash);
    if (known === undefined || known === task.hash || reportedIds.has(id)) return [];
    reportedIds.add(id);
    return [
      repaired("same_id", `task id "${task.id}" stands for tasks of different content; they are kept apart`, position),
    ];
  }

  return {
    admit({ trajectory, isSampleStated }, position) {
      const attempts = getAttempts(trajectory);
      const wanted = trajectory.sampleIndex;
      const content = isSampleStated === true ? fingerprint(trajectory) : unknownContent;
      const holder = attempts.taken.get(wanted);
      if (holder !== undefined && isSampleStated === true && holder === content) {
        return [skipped("duplicate", `a copy of attempt ${wanted} at task "${trajectory.task.id}"`, position)];
      }
      const reports = findSharedId(trajectory, position);
      const notes = findOddities(trajectory);
      for (const oddity of notes) reports.push(repaired("contradiction", `the episode has ${oddity}`, position));
      if (holder === undefined) {
        attempts.taken.set(wanted, content);
        return [...reports, { type: "trajectory", trajectory: addNotes(trajectory, notes) }];
      }
      const isConflict = isSampleStated === true && attempts.moved?.has(wanted) !== true;
      const sampleIndex = takeFree(attempts, content);
      if (isConflict) {
        const message = `another record is attempt ${wanted} at task "${trajectory.task.id}" already, with other content; kept as attempt ${sampleIndex}`;
        reports.push(repaired("conflict", message, position));
      }
      if (isSampleStated === true) notes.push(`numbered ${wanted} by the source; moved since that number was taken`);
      return [...reports, { type: "trajectory", trajectory: addNotes(moveTo(trajectory, sampleIndex), notes) }];
    },
  };
}
