// internal
import { basename } from "node:path";
import type { EpisodeSource } from "./analyze.js";

/** Returns the name of a report's folder: what was done, then the names of what it was done with, cut to 80 characters. */
export function nameReportFolder(what: string, sources: readonly EpisodeSource[]): string {
  const names = sources.map(({ label, path, policyId }) => label ?? policyId ?? basename(path));
  return `${what}-${names
    .join("-")
    .replace(/[^\p{L}\p{N}_.-]+/gu, "_")
    .slice(0, 80)}`;
}
