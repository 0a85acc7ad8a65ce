// internal
import type { ResolvedClaim } from "./render-options.js";

const claim = /\[([^[\]]*)\]\{#c:[\w.:-]+\}|\[\[(c:[\w.:-]+)\]\]/g;

/** Returns an alternative text with its claims as readers get them: numbers without their ids, values filled in. */
export function resolveAlt(alt: string, resolveClaim?: (id: string) => ResolvedClaim | undefined): string {
  return alt.replace(claim, (whole: string, literal: string | undefined, id: string | undefined) =>
    id === undefined ? (literal ?? "") : (resolveClaim?.(id)?.text ?? whole),
  );
}
