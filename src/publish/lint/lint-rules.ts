import type { LintRule } from "./lint-rule.js";
import { calloutListAdjacentRule } from "./rules/callout/list-adjacent.js";
import { calloutListSameLineRule } from "./rules/callout/list-same-line.js";
import { calloutTitleOnlyRule } from "./rules/callout/title-only.js";
import { calloutUnknownContainerRule } from "./rules/callout/unknown-container.js";
import { calloutUnknownMarkRule } from "./rules/callout/unknown-mark.js";
import { codeImportOrderRule } from "./rules/code/import-order.js";
import { codeParseRule } from "./rules/code/parse.js";
import { codeRunRule } from "./rules/code/run.js";
import { codeSkipReasonRule } from "./rules/code/skip-reason.js";
import { codeUndefinedRule } from "./rules/code/undefined.js";
import { commentUnclosedRule } from "./rules/comment/unclosed.js";
import { dateFutureRule } from "./rules/date/future.js";
import { dateStaleRule } from "./rules/date/stale.js";
import { detailsTooDeepRule } from "./rules/details/too-deep.js";
import { detailsUnbalancedRule } from "./rules/details/unbalanced.js";
import { emphasisUnclosedRule } from "./rules/emphasis/unclosed.js";
import { fenceNoLanguageRule } from "./rules/fence/no-language.js";
import { fenceUnclosedRule } from "./rules/fence/unclosed.js";
import { footnoteDuplicateRule } from "./rules/footnote/duplicate.js";
import { footnoteUndefinedRule } from "./rules/footnote/undefined.js";
import { footnoteUnusedRule } from "./rules/footnote/unused.js";
import { frontMatterInvalidRule } from "./rules/front-matter/invalid.js";
import { frontMatterSyntaxRule } from "./rules/front-matter/syntax.js";
import { frontMatterUnclosedRule } from "./rules/front-matter/unclosed.js";
import { frontMatterUnknownKeyRule } from "./rules/front-matter/unknown-key.js";
import { headingDuplicateIdRule } from "./rules/heading/duplicate-id.js";
import { headingGluedRule } from "./rules/heading/glued.js";
import { headingInlineMarkupRule } from "./rules/heading/inline-markup.js";
import { headingLevelJumpRule } from "./rules/heading/level-jump.js";
import { headingNumberRule } from "./rules/heading/number.js";
import { headingWideSpaceRule } from "./rules/heading/wide-space.js";
import { htmlEscapedRule } from "./rules/html/escaped.js";
import { imageRemoteRule } from "./rules/image/remote.js";
import { langMismatchRule } from "./rules/lang/mismatch.js";
import { linkFileRule } from "./rules/link/file.js";
import { linkFragmentRule } from "./rules/link/fragment.js";
import { linkInternalRule } from "./rules/link/internal.js";
import { linkUnsafeRule } from "./rules/link/unsafe.js";
import { listMarkerInItemRule } from "./rules/list/marker-in-item.js";
import { listStartLostRule } from "./rules/list/start-lost.js";
import { markerOpenRule } from "./rules/marker/open.js";
import { mathAmbiguousSlashRule } from "./rules/math/ambiguous-slash.js";
import { mathArithRule } from "./rules/math/arith.js";
import { mathDoubleEscapeRule } from "./rules/math/double-escape.js";
import { mathIndexCollisionRule } from "./rules/math/index-collision.js";
import { mathKlWordingRule } from "./rules/math/kl-wording.js";
import { mathLtLetterRule } from "./rules/math/lt-letter.js";
import { mathParseRule } from "./rules/math/parse.js";
import { mathRangeSetRule } from "./rules/math/range-set.js";
import { mathSameLhsRule } from "./rules/math/same-lhs.js";
import { mathShadowRule } from "./rules/math/shadow.js";
import { mathStrictRule } from "./rules/math/strict.js";
import { mathSymbolRedefinedRule } from "./rules/math/symbol-redefined.js";
import { mathTextCommandRule } from "./rules/math/text-command.js";
import { mathUnbalancedDelimsRule } from "./rules/math/unbalanced-delims.js";
import { mathUnclosedRule } from "./rules/math/unclosed.js";
import { parityBlocksRule } from "./rules/parity/blocks.js";
import { parityCitationsRule } from "./rules/parity/citations.js";
import { parityCodeRule } from "./rules/parity/code.js";
import { parityInlineMathRule } from "./rules/parity/inline-math.js";
import { parityLanguageRule } from "./rules/parity/language.js";
import { parityMathRule } from "./rules/parity/math.js";
import { parityNumbersRule } from "./rules/parity/numbers.js";
import { privacyContactRule } from "./rules/privacy/contact.js";
import { privacyPathRule } from "./rules/privacy/path.js";
import { privacyProfileRule } from "./rules/privacy/profile.js";
import { privacySecretRule } from "./rules/privacy/secret.js";
import { privacyTermRule } from "./rules/privacy/term.js";
import { profileLengthRule } from "./rules/profile/length.js";
import { profileSectionsRule } from "./rules/profile/sections.js";
import { quoteLazyContinuationRule } from "./rules/quote/lazy-continuation.js";
import { referenceDuplicateLabelRule } from "./rules/reference/duplicate-label.js";
import { referenceUnresolvedRule } from "./rules/reference/unresolved.js";
import { spanUnknownClassRule } from "./rules/span/unknown-class.js";
import { styleOverclaimRule } from "./rules/style/overclaim.js";
import { stylePlaceholderRule } from "./rules/style/placeholder.js";
import { summaryMarkdownRule } from "./rules/summary/markdown.js";
import { tableCellCountRule } from "./rules/table/cell-count.js";
import { tableHeaderEmptyRule } from "./rules/table/header-empty.js";
import { tablePipeInMathRule } from "./rules/table/pipe-in-math.js";
import { textEncodingRule } from "./rules/text/encoding.js";
import { textTooDeepRule } from "./rules/text/too-deep.js";
import { waiverExpiredRule } from "./rules/waiver/expired.js";
import { waiverInvalidRule } from "./rules/waiver/invalid.js";
import { waiverUnusedRule } from "./rules/waiver/unused.js";

/** Every rule about one document, by group. A new rule is one line here. */
export const lintRules: readonly LintRule[] = [
  frontMatterInvalidRule,
  frontMatterSyntaxRule,
  frontMatterUnclosedRule,
  frontMatterUnknownKeyRule,
  textEncodingRule,
  textTooDeepRule,
  langMismatchRule,
  commentUnclosedRule,
  htmlEscapedRule,
  headingDuplicateIdRule,
  headingGluedRule,
  headingInlineMarkupRule,
  headingLevelJumpRule,
  headingNumberRule,
  headingWideSpaceRule,
  profileLengthRule,
  profileSectionsRule,
  tableCellCountRule,
  tableHeaderEmptyRule,
  tablePipeInMathRule,
  calloutListAdjacentRule,
  calloutListSameLineRule,
  calloutTitleOnlyRule,
  calloutUnknownContainerRule,
  calloutUnknownMarkRule,
  quoteLazyContinuationRule,
  listMarkerInItemRule,
  listStartLostRule,
  detailsTooDeepRule,
  detailsUnbalancedRule,
  summaryMarkdownRule,
  fenceNoLanguageRule,
  fenceUnclosedRule,
  emphasisUnclosedRule,
  spanUnknownClassRule,
  footnoteDuplicateRule,
  footnoteUndefinedRule,
  footnoteUnusedRule,
  referenceDuplicateLabelRule,
  referenceUnresolvedRule,
  linkFileRule,
  linkFragmentRule,
  linkInternalRule,
  linkUnsafeRule,
  imageRemoteRule,
  mathAmbiguousSlashRule,
  mathArithRule,
  mathDoubleEscapeRule,
  mathIndexCollisionRule,
  mathKlWordingRule,
  mathLtLetterRule,
  mathParseRule,
  mathRangeSetRule,
  mathSameLhsRule,
  mathShadowRule,
  mathStrictRule,
  mathSymbolRedefinedRule,
  mathTextCommandRule,
  mathUnbalancedDelimsRule,
  mathUnclosedRule,
  markerOpenRule,
  privacyContactRule,
  privacyPathRule,
  privacyProfileRule,
  privacySecretRule,
  privacyTermRule,
  styleOverclaimRule,
  stylePlaceholderRule,
  dateFutureRule,
  dateStaleRule,
  codeImportOrderRule,
  codeParseRule,
  codeRunRule,
  codeSkipReasonRule,
  codeUndefinedRule,
  waiverExpiredRule,
  waiverInvalidRule,
  waiverUnusedRule,
];

/** Every rule about a translation and its original. */
export const parityRules: readonly LintRule[] = [
  parityBlocksRule,
  parityCitationsRule,
  parityCodeRule,
  parityInlineMathRule,
  parityLanguageRule,
  parityMathRule,
  parityNumbersRule,
];
