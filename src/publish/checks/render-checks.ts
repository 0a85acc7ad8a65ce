import type { RenderCheck } from "./render-check.js";
import { a11yCheck, keyboardCheck } from "./rules/access.js";
import { citationsLinkedCheck, claimsLinkedCheck, verdictVisibleCheck } from "./rules/bound.js";
import { calloutsCheck, detailsCheck } from "./rules/boxes.js";
import { contentsCheck, headingGlueCheck } from "./rules/contents.js";
import { determinismCheck, sourceHashCheck } from "./rules/hashes.js";
import { informationFidelityCheck } from "./rules/information-fidelity.js";
import { langCheck } from "./rules/language.js";
import { findAndLinkCheck, noScriptCheck, printCheck, responsiveCheck, visualCheck } from "./rules/layout.js";
import { placeholderLeakCheck, rawMarkdownLeakCheck } from "./rules/leaks.js";
import { linkTargetsCheck, uniqueIdsCheck } from "./rules/links.js";
import { consoleCleanCheck, selfContainedCheck } from "./rules/loading.js";
import { bylineCheck, titleCheck } from "./rules/masthead.js";
import { mathCodeTablesCheck } from "./rules/math-code-tables.js";
import { translationParityCheck } from "./rules/parity.js";
import { absolutePathCheck, personalInfoCheck } from "./rules/privacy.js";
import { safetyCheck } from "./rules/safety.js";
import { structureCheck } from "./rules/structure.js";

/** The checks of a rendered page, in the order of their ids. */
export const renderChecks: readonly RenderCheck[] = [
  informationFidelityCheck,
  structureCheck,
  mathCodeTablesCheck,
  calloutsCheck,
  detailsCheck,
  safetyCheck,
  placeholderLeakCheck,
  bylineCheck,
  titleCheck,
  absolutePathCheck,
  personalInfoCheck,
  headingGlueCheck,
  contentsCheck,
  sourceHashCheck,
  linkTargetsCheck,
  rawMarkdownLeakCheck,
  langCheck,
  uniqueIdsCheck,
  selfContainedCheck,
  consoleCleanCheck,
  responsiveCheck,
  a11yCheck,
  noScriptCheck,
  printCheck,
  keyboardCheck,
  findAndLinkCheck,
  claimsLinkedCheck,
  citationsLinkedCheck,
  verdictVisibleCheck,
  translationParityCheck,
  determinismCheck,
  visualCheck,
];
