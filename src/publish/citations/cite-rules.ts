import type { CiteRule } from "./cite-rule.js";
import { citeArxivShapeRule } from "./rules/arxiv-shape.js";
import { citeCrossDocRule } from "./rules/cross-doc.js";
import { citeDoiShapeRule } from "./rules/doi-shape.js";
import { citeDuplicateRule } from "./rules/duplicate.js";
import { citeFieldMismatchRule } from "./rules/field-mismatch.js";
import { citeNameTwoIdsRule } from "./rules/name-two-ids.js";
import { citeOrgRule } from "./rules/org.js";
import { citePlaceholderRule } from "./rules/placeholder.js";
import { citeQuoteRule } from "./rules/quote.js";
import { citeUncitedRule } from "./rules/uncited.js";
import { citeUnresolvedRule } from "./rules/unresolved.js";
import { citeVenueYearRule } from "./rules/venue-year.js";

/** Every rule about citations. A new rule is one line here. */
export const citeRules: readonly CiteRule[] = [
  citeArxivShapeRule,
  citeDoiShapeRule,
  citeUnresolvedRule,
  citeUncitedRule,
  citeFieldMismatchRule,
  citeVenueYearRule,
  citeCrossDocRule,
  citeNameTwoIdsRule,
  citeOrgRule,
  citeDuplicateRule,
  citePlaceholderRule,
  citeQuoteRule,
];
