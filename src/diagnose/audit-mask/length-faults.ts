// internal
import type { TokenSample } from "../../core/index.js";

/** A list that does not fit the ids. */
export interface LengthFault {
  readonly name: string;
  readonly length: number;
}

/** Returns the lists of a sample that do not have one entry for each id. */
export function findLengthFaults(sample: TokenSample): LengthFault[] {
  const lists = {
    lossMask: sample.lossMask,
    actionMask: sample.actionMask,
    logProbs: sample.logProbs,
    roles: sample.roles,
    texts: sample.texts,
    targetIds: sample.targetIds,
  };
  const faults = Object.entries(lists).flatMap(([name, list]) =>
    list === undefined || list.length === sample.ids.length ? [] : [{ name, length: list.length }],
  );
  return [...faults, ...Object.entries(sample.lengths ?? {}).map(([name, length]) => ({ name, length }))];
}
