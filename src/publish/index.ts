export type { AuditFile, AuditStageEntry } from "./audit/audit-file.js";
export {
  auditFileSchema,
  auditSchemaVersion,
  createAuditJsonSchema,
  hashAuditText,
  isLegacyAudit,
  parseAuditFile,
  renderAuditFile,
} from "./audit/audit-file.js";
export { toAuditSarif } from "./audit/audit-sarif.js";
export type { ChangedInput, FoundArtefact, PublishPaths } from "./audit/audit-store.js";
export {
  findChangedInputs,
  getPublishPaths,
  hashFile,
  listAudits,
  readAudit,
  readStageArtefacts,
  toRelativePath,
  writeAudit,
  writeStageArtefact,
} from "./audit/audit-store.js";
export type { AuditInput } from "./audit/build-audit.js";
export { buildAudit, readContentReview } from "./audit/build-audit.js";
export type { RecordFault } from "./audit/check-record.js";
export { checkReviewRecord } from "./audit/check-record.js";
export type { GateBlock, GateDecision, GateInput, GateStage } from "./audit/gate.js";
export { combineExitCodes, decideGate } from "./audit/gate.js";
export type { IndependenceRecord, IndependenceViolation } from "./audit/independence.js";
export { checkIndependence } from "./audit/independence.js";
export type { LegacyImportOptions } from "./audit/legacy/import-legacy.js";
export { importLegacyAudit } from "./audit/legacy/import-legacy.js";
export type { LegacyRecord } from "./audit/legacy/legacy-texts.js";
export {
  collectLegacyTexts,
  findLegacySection,
  isLegacyRecord,
  readLegacyNeedsVerify,
  readLegacyTexts,
  readReplacement,
  splitLegacyList,
} from "./audit/legacy/legacy-texts.js";
export type { DecidingRound, LegacyVerdict } from "./audit/legacy/legacy-verdict.js";
export { decideLegacyStage, expandRun, readLegacyVerdict } from "./audit/legacy/legacy-verdict.js";
export type { ReviewTrace, TraceFile } from "./audit/review-trace.js";
export { parseReviewTrace, readTraceFiles, readTracedResponse } from "./audit/review-trace.js";
export type { StoredStageArtefact } from "./audit/stage-artefact.js";
export { listMandatoryStages, parseStageArtefact, publishStages } from "./audit/stage-artefact.js";
export type { VcsState } from "./audit/vcs-state.js";
export { readVcsState } from "./audit/vcs-state.js";
export type { VerifyProblem, VerifyResult } from "./audit/verify-audit.js";
export { verifyAudit } from "./audit/verify-audit.js";
export type { TraceMode } from "./audit/write-trace.js";
export { checkTraceMode, writeTraces } from "./audit/write-trace.js";
export type {
  CheckPageOptions,
  CheckedPage,
  RenderCheckDetails,
  RenderDetails,
  StoredScreenshot,
} from "./checks/check-page.js";
export { blockPageCheck, checkPage, judgePage } from "./checks/check-page.js";
export { findChromium } from "./checks/find-chromium.js";
export type { MissingBrowser, OpenBrowserOptions, RenderBrowser } from "./checks/open-browser.js";
export { loadAxe, openRenderBrowser } from "./checks/open-browser.js";
export type {
  BarrierFinding,
  BlockedLoad,
  PageEvidence,
  PageScreenshot,
  ScriptlessPage,
} from "./checks/page-evidence.js";
export { renderViewports } from "./checks/page-evidence.js";
export type { ProbePageOptions } from "./checks/probe/probe-page.js";
export { probePage } from "./checks/probe/probe-page.js";
export type {
  CheckLocation,
  CheckOutcome,
  CheckStatus,
  LedgerClaim,
  RenderCheck,
  RenderSubject,
} from "./checks/render-check.js";
export { renderChecks } from "./checks/render-checks.js";
export type { BibtexEntry } from "./citations/bibtex.js";
export { parseBibtex } from "./citations/bibtex.js";
export type { CheckCitationsOptions, CitationProposal, CitationsDetails } from "./citations/check-citations.js";
export { checkCitations, judgeUses } from "./citations/check-citations.js";
export type { CiteExample, CiteFault, CiteRule, CiteSubject, JudgedUse, RuledFault } from "./citations/cite-rule.js";
export { nameWork } from "./citations/cite-rule.js";
export { citeRules } from "./citations/cite-rules.js";
export type { CitationContext } from "./citations/context.js";
export { listCitationContexts, parseContextAnswers } from "./citations/context.js";
export type { ContextAnswer, Existence, JudgedEntry } from "./citations/judge-entries.js";
export { contextAnswers, getExistence, judgeEntries } from "./citations/judge-entries.js";
export { listReferences } from "./citations/references.js";
export type { Registry, RegistryEntry } from "./citations/registry.js";
export {
  createRegistry,
  findYear,
  getEntryId,
  getShortAuthors,
  isSameTitle,
  listYears,
  parseRegistry,
  renderRegistry,
  sourceResults,
  toRegistryEntry,
} from "./citations/registry.js";
export type {
  CachedResolution,
  CitationResolver,
  MetadataDifference,
  Resolution,
  ResolutionCache,
  ResolveOptions,
  ResolvedRegistry,
} from "./citations/resolver.js";
export { resolveRegistry } from "./citations/resolver.js";
export { citeArxivShapeRule } from "./citations/rules/arxiv-shape.js";
export { citeCrossDocRule } from "./citations/rules/cross-doc.js";
export { citeDoiShapeRule } from "./citations/rules/doi-shape.js";
export { citeDuplicateRule } from "./citations/rules/duplicate.js";
export { citeFieldMismatchRule } from "./citations/rules/field-mismatch.js";
export { citeNameTwoIdsRule } from "./citations/rules/name-two-ids.js";
export { citeOrgRule } from "./citations/rules/org.js";
export { citePlaceholderRule, isPlaceholderKey } from "./citations/rules/placeholder.js";
export { citeQuoteRule } from "./citations/rules/quote.js";
export { citeUncitedRule } from "./citations/rules/uncited.js";
export { citeUnresolvedRule } from "./citations/rules/unresolved.js";
export { citeVenueYearRule } from "./citations/rules/venue-year.js";
export type { Venue } from "./citations/venues.js";
export { knownVenues, makeVenue } from "./citations/venues.js";
export type { WorkIds } from "./citations/work-id.js";
export { findArxivFault, findArxivMonth, findDoiFault, getCanonicalId } from "./citations/work-id.js";
export type { Artefact } from "./claims/artefact.js";
export { findRunStatus, joinArtefacts, parseArtefact } from "./claims/artefact.js";
export type { BoundDocument, BoundNumberChange } from "./claims/bind-claims.js";
export { bindClaims } from "./claims/bind-claims.js";
export type { CheckClaimsOptions, ClaimMismatch, ClaimsDetails } from "./claims/check-claims.js";
export { checkClaims } from "./claims/check-claims.js";
export type { ReportClaimsOptions } from "./claims/check-report.js";
export { checkReportClaims } from "./claims/check-report.js";
export type { CheckedClaim, UnboundNumber } from "./claims/checked-claim.js";
export { checkAggregation, checkAggregationWording } from "./claims/checks/aggregation.js";
export { checkComparability, checkRunState, comparabilityKeys, partialWords } from "./claims/checks/comparability.js";
export type { StatisticFault } from "./claims/checks/statistics.js";
export { checkColumnTotal, checkStatistics, computePValue, isMeanAdmissible } from "./claims/checks/statistics.js";
export type { SentenceClaims, WordingFault } from "./claims/checks/wording.js";
export { checkCeiling, checkEffectWording, checkSentence } from "./claims/checks/wording.js";
export type { ClaimFinding, ClaimStatus } from "./claims/claim-status.js";
export { claimStatuses, getWorstStatus, isReconciled } from "./claims/claim-status.js";
export type { ShownComparison, ShownContext } from "./claims/compare-shown.js";
export { compareShown } from "./claims/compare-shown.js";
export { displayValue, getUnitMark } from "./claims/display-value.js";
export type { ComputedClaim, Evidence, SelectedInput } from "./claims/evidence.js";
export { ClaimFault, computeClaim } from "./claims/evidence.js";
export type { ExpressionValue } from "./claims/expression-value.js";
export { describeValue, toNumber, toNumbers } from "./claims/expression-value.js";
export type { BinaryOperator, Expression } from "./claims/expression.js";
export { evaluateExpression, listNames, parseExpression } from "./claims/expression.js";
export { callFunction, functionNames } from "./claims/functions.js";
export type { ClaimEntry, ClaimLedger, LedgerDisplay, LedgerTable } from "./claims/ledger.js";
export { evaluationTypes, nameInputs, parseClaimLedger, wordingCeilings } from "./claims/ledger.js";
export type { RoundingMode } from "./claims/round-decimal.js";
export { roundDecimal } from "./claims/round-decimal.js";
export { selectValue, toExpressionValue } from "./claims/select.js";
export type { Quantity } from "./claims/text/quantity.js";
export { listQuantities } from "./claims/text/quantity.js";
export type {
  Assurance,
  Block,
  BlockType,
  CalloutKind,
  DocumentKind,
  Effort,
  ExecMode,
  FrontMatter,
  InlineMath,
  Inventory,
  ParseProblem,
  PublishDocument,
} from "./document.js";
export type { AcceptedDraft, DraftHead, DraftProblem } from "./draft/accept-draft.js";
export { acceptDraft } from "./draft/accept-draft.js";
export type { DraftAuthor, HttpAuthorOptions } from "./draft/authors.js";
export { createCommandAuthor, createHttpAuthor } from "./draft/authors.js";
export type { DraftPlan, DraftRequest } from "./draft/draft-request.js";
export { buildDraftRequest, renderDraftRequest } from "./draft/draft-request.js";
export { markStatements } from "./draft/mark-statements.js";
export type {
  ClaimImpact,
  EvaluationType,
  ExperimentAudit,
  ExperimentCheck,
  ExperimentCheckId,
  ExperimentClaim,
  ExperimentRun,
} from "./experiment/audit-experiment.js";
export { auditExperiment } from "./experiment/audit-experiment.js";
export type { ResultJudgement, ResultToClaim, ResultToClaimOutcome } from "./experiment/result-to-claim.js";
export { judgeResults } from "./experiment/result-to-claim.js";
export type { CodeDetails } from "./lint/code/code-stage.js";
export { judgeCodeRuns } from "./lint/code/code-stage.js";
export type { PythonParser, SyntaxFault } from "./lint/code/python-parser.js";
export { loadPythonParser, stripNotebookSyntax } from "./lint/code/python-parser.js";
export type { PythonRunner } from "./lint/code/python-runner.js";
export { findPython, openPythonRunner } from "./lint/code/python-runner.js";
export type { CodeOutcome, CodeRun, CodeRunners } from "./lint/code/run-code.js";
export { runDocumentCode } from "./lint/code/run-code.js";
export type { SafeEdit, SafeFix } from "./lint/fix-safe.js";
export { fixSafely, renderFixDiff } from "./lint/fix-safe.js";
export type { LintDetails, LintFinding, LintOptions, LintRuleResult } from "./lint/lint-document.js";
export { checkParity, lintDocument } from "./lint/lint-document.js";
export { renderLintReference } from "./lint/lint-reference.js";
export type { LintExample, LintRule, LintSubject } from "./lint/lint-rule.js";
export { lintFinding, lintRule } from "./lint/lint-rule.js";
export { lintRules, parityRules } from "./lint/lint-rules.js";
export { toLintSarif } from "./lint/lint-sarif.js";
export type { PublishProfile, RequiredSection } from "./lint/profiles.js";
export { findProfile, publishProfiles } from "./lint/profiles.js";
export { calloutListAdjacentRule } from "./lint/rules/callout/list-adjacent.js";
export { calloutListSameLineRule } from "./lint/rules/callout/list-same-line.js";
export { calloutTitleOnlyRule } from "./lint/rules/callout/title-only.js";
export { calloutUnknownContainerRule } from "./lint/rules/callout/unknown-container.js";
export { calloutUnknownMarkRule } from "./lint/rules/callout/unknown-mark.js";
export { codeImportOrderRule } from "./lint/rules/code/import-order.js";
export { codeParseRule } from "./lint/rules/code/parse.js";
export { codeRunRule } from "./lint/rules/code/run.js";
export { codeSkipReasonRule } from "./lint/rules/code/skip-reason.js";
export { codeUndefinedRule } from "./lint/rules/code/undefined.js";
export { commentUnclosedRule } from "./lint/rules/comment/unclosed.js";
export { dateFutureRule } from "./lint/rules/date/future.js";
export { dateStaleRule } from "./lint/rules/date/stale.js";
export { detailsTooDeepRule } from "./lint/rules/details/too-deep.js";
export { detailsUnbalancedRule } from "./lint/rules/details/unbalanced.js";
export { emphasisUnclosedRule } from "./lint/rules/emphasis/unclosed.js";
export { fenceNoLanguageRule } from "./lint/rules/fence/no-language.js";
export { fenceUnclosedRule } from "./lint/rules/fence/unclosed.js";
export { footnoteDuplicateRule } from "./lint/rules/footnote/duplicate.js";
export { footnoteUndefinedRule } from "./lint/rules/footnote/undefined.js";
export { footnoteUnusedRule } from "./lint/rules/footnote/unused.js";
export { frontMatterInvalidRule } from "./lint/rules/front-matter/invalid.js";
export { frontMatterSyntaxRule } from "./lint/rules/front-matter/syntax.js";
export { frontMatterUnclosedRule } from "./lint/rules/front-matter/unclosed.js";
export { frontMatterUnknownKeyRule } from "./lint/rules/front-matter/unknown-key.js";
export { headingDuplicateIdRule } from "./lint/rules/heading/duplicate-id.js";
export { headingGluedRule } from "./lint/rules/heading/glued.js";
export { headingInlineMarkupRule } from "./lint/rules/heading/inline-markup.js";
export { headingLevelJumpRule } from "./lint/rules/heading/level-jump.js";
export { headingNumberRule } from "./lint/rules/heading/number.js";
export { headingWideSpaceRule } from "./lint/rules/heading/wide-space.js";
export { htmlEscapedRule } from "./lint/rules/html/escaped.js";
export { imageRemoteRule } from "./lint/rules/image/remote.js";
export { langMismatchRule } from "./lint/rules/lang/mismatch.js";
export { linkFileRule } from "./lint/rules/link/file.js";
export { linkFragmentRule } from "./lint/rules/link/fragment.js";
export { linkInternalRule } from "./lint/rules/link/internal.js";
export { linkUnsafeRule } from "./lint/rules/link/unsafe.js";
export { listMarkerInItemRule } from "./lint/rules/list/marker-in-item.js";
export { listStartLostRule } from "./lint/rules/list/start-lost.js";
export { markerOpenRule } from "./lint/rules/marker/open.js";
export { mathAmbiguousSlashRule } from "./lint/rules/math/ambiguous-slash.js";
export { mathArithRule } from "./lint/rules/math/arith.js";
export { mathDoubleEscapeRule } from "./lint/rules/math/double-escape.js";
export { mathIndexCollisionRule } from "./lint/rules/math/index-collision.js";
export { mathKlWordingRule } from "./lint/rules/math/kl-wording.js";
export { mathLtLetterRule } from "./lint/rules/math/lt-letter.js";
export { mathParseRule } from "./lint/rules/math/parse.js";
export { mathRangeSetRule } from "./lint/rules/math/range-set.js";
export { mathSameLhsRule } from "./lint/rules/math/same-lhs.js";
export { mathShadowRule } from "./lint/rules/math/shadow.js";
export { mathStrictRule } from "./lint/rules/math/strict.js";
export { mathSymbolRedefinedRule } from "./lint/rules/math/symbol-redefined.js";
export { mathTextCommandRule } from "./lint/rules/math/text-command.js";
export { mathUnbalancedDelimsRule } from "./lint/rules/math/unbalanced-delims.js";
export { mathUnclosedRule } from "./lint/rules/math/unclosed.js";
export { parityBlocksRule } from "./lint/rules/parity/blocks.js";
export { parityCitationsRule } from "./lint/rules/parity/citations.js";
export { parityCodeRule } from "./lint/rules/parity/code.js";
export { parityInlineMathRule } from "./lint/rules/parity/inline-math.js";
export { parityLanguageRule } from "./lint/rules/parity/language.js";
export { parityMathRule } from "./lint/rules/parity/math.js";
export { parityNumbersRule } from "./lint/rules/parity/numbers.js";
export { privacyContactRule } from "./lint/rules/privacy/contact.js";
export { privacyPathRule } from "./lint/rules/privacy/path.js";
export { privacyProfileRule } from "./lint/rules/privacy/profile.js";
export { privacySecretRule } from "./lint/rules/privacy/secret.js";
export { privacyTermRule } from "./lint/rules/privacy/term.js";
export { profileLengthRule } from "./lint/rules/profile/length.js";
export { profileSectionsRule } from "./lint/rules/profile/sections.js";
export { quoteLazyContinuationRule } from "./lint/rules/quote/lazy-continuation.js";
export { referenceDuplicateLabelRule } from "./lint/rules/reference/duplicate-label.js";
export { referenceUnresolvedRule } from "./lint/rules/reference/unresolved.js";
export { spanUnknownClassRule } from "./lint/rules/span/unknown-class.js";
export { styleOverclaimRule } from "./lint/rules/style/overclaim.js";
export { stylePlaceholderRule } from "./lint/rules/style/placeholder.js";
export { summaryMarkdownRule } from "./lint/rules/summary/markdown.js";
export { tableCellCountRule } from "./lint/rules/table/cell-count.js";
export { tableHeaderEmptyRule } from "./lint/rules/table/header-empty.js";
export { tablePipeInMathRule } from "./lint/rules/table/pipe-in-math.js";
export { textEncodingRule } from "./lint/rules/text/encoding.js";
export { textTooDeepRule } from "./lint/rules/text/too-deep.js";
export { waiverExpiredRule } from "./lint/rules/waiver/expired.js";
export { waiverInvalidRule } from "./lint/rules/waiver/invalid.js";
export { waiverUnusedRule } from "./lint/rules/waiver/unused.js";
export type { BanEntry, BanList } from "./lint/text/ban-list.js";
export { findBannedEntries, hashBanTerm, isHashedBanList, parseBanList } from "./lint/text/ban-list.js";
export type { LintWaiver } from "./lint/waivers.js";
export { listInlineWaivers, parseWaivers } from "./lint/waivers.js";
export { renderAuditPage } from "./pages/audit-page.js";
export { renderCitationsPage } from "./pages/citations-page.js";
export type { IndexEntry } from "./pages/index-page.js";
export { getSearchScript, renderSiteIndex } from "./pages/index-page.js";
export type { StagePageInput } from "./pages/record-pages.js";
export {
  renderClaimsPage,
  renderExperimentPage,
  renderIndependencePage,
  renderResultPage,
  renderTracesPage,
} from "./pages/record-pages.js";
export type { RelatedPage } from "./pages/related-page.js";
export type { SetEntry } from "./pages/set-pages.js";
export { renderAssurancePage, renderCorpusPage, renderDiffPage } from "./pages/set-pages.js";
export type { LeadingMark } from "./parse/callout-marks.js";
export { containerNames, findLeadingMark, findWordKind } from "./parse/callout-marks.js";
export type { ParsedFrontMatter } from "./parse/front-matter.js";
export { parseFrontMatter } from "./parse/front-matter.js";
export { countInventory, countWords } from "./parse/inventory.js";
export { detectLanguage, getBaseLanguage } from "./parse/language.js";
export type {
  BoundNumberNode,
  CalloutNode,
  CalloutTitleNode,
  CitationItem,
  CitationNode,
  ClaimReferenceNode,
  CommentNode,
  CrossReferenceNode,
  DefinitionItemNode,
  DefinitionListNode,
  DefinitionTermNode,
  DetailsNode,
  ExternalIdNode,
  FigureCaptionNode,
  FigureNode,
  InlineElementNode,
  InlineMathNode,
  MathNode,
  SpanNode,
  StatementStatus,
  SummaryNode,
} from "./parse/nodes.js";
export type { ParseOptions } from "./parse/parse-document.js";
export { parseDocument } from "./parse/parse-document.js";
export { getVisibleText } from "./parse/visible-text.js";
export type { EvidenceOptions, PageReference } from "./render/evidence.js";
export { createEvidenceResolver, createReferenceResolver, renderEvidence } from "./render/evidence.js";
export { listHedgedStatements } from "./render/hedged.js";
export type { RenderedMath } from "./render/math.js";
export { renderMath, repairTex } from "./render/math.js";
export type { AnchorLedger } from "./render/old-anchors.js";
export { parseAnchorLedger, updateAnchors } from "./render/old-anchors.js";
export { documentScript } from "./render/page-script.js";
export type { PageBlock, PageContent } from "./render/read-page.js";
export { readPage } from "./render/read-page.js";
export type {
  PageImage,
  PageVerdicts,
  RenderPageOptions,
  ResolvedCitation,
  ResolvedClaim,
  StageVerdict,
} from "./render/render-options.js";
export type { PageDigests, RenderedPage } from "./render/render-page.js";
export { readPageDigests, renderDocumentPage } from "./render/render-page.js";
export type { AnchorMatch } from "./review/anchor.js";
export { createQuote, locateQuote, normalizeQuote } from "./review/anchor.js";
export type { ReviewBackend, ReviewBackendKind, ReviewSession, ReviewerAnswer } from "./review/backend.js";
export { ReviewerFault, renderRepairRequest } from "./review/backend.js";
export type { CommandBackendOptions } from "./review/backends/command.js";
export { createCommandBackend } from "./review/backends/command.js";
export type { HttpBackendOptions } from "./review/backends/http.js";
export { createHttpBackend } from "./review/backends/http.js";
export type { HumanBackendOptions } from "./review/backends/human.js";
export { createHumanBackend, renderReviewForm } from "./review/backends/human.js";
export { createNoneBackend } from "./review/backends/none.js";
export type { RecordedResponse, ReplayOptions } from "./review/backends/replay.js";
export { createReplayBackend } from "./review/backends/replay.js";
export type { IndependenceFinding, PacketCheckOptions, PacketHistory } from "./review/check-packet.js";
export { checkPacket } from "./review/check-packet.js";
export type { ContentReview, OpenCounts } from "./review/content-review.js";
export {
  addRound,
  countOpen,
  estimateRemainderOf,
  findVerificationGap,
  listBlocking,
  listRecurring,
  listRequiredPasses,
  verifyFixes,
} from "./review/content-review.js";
export type { ContentState, JudgedVerdict } from "./review/content-verdict.js";
export { computeContentVerdict } from "./review/content-verdict.js";
export type {
  Correction,
  CorrectionScope,
  ResidueException,
  ResidueHit,
  ResiduePattern,
  ResidueResult,
} from "./review/correction.js";
export { checkCorrection, compileResiduePattern, describePattern, suggestPatterns } from "./review/correction.js";
export type { Disagreement } from "./review/disagreement.js";
export { findDisagreements } from "./review/disagreement.js";
export type { AuditFinding, FindingSource, FindingState, FindingStep } from "./review/finding.js";
export {
  computeFingerprint,
  createAuditFinding,
  findBlockAtLine,
  hasFindingEvidence,
  isBlocking,
  locateFinding,
  mergeFindings,
} from "./review/finding.js";
export type { FixReport } from "./review/fixer.js";
export { parseFixReport, renderFixRequest, runFixer } from "./review/fixer.js";
export type { EligibilityFault, ReviewActor, ReviewIdentity, ReviewParties, ReviewRole } from "./review/identity.js";
export { findEligibilityFault, findModelFamily, humanFamily } from "./review/identity.js";
export type { DeferredItem, FindingChange } from "./review/life-cycle.js";
export { changeFinding, countFixes, expireDeferrals, findHistoryFault } from "./review/life-cycle.js";
export type { LoopOptions, LoopRound, LoopStop } from "./review/loop-control.js";
export { findLoopStop } from "./review/loop-control.js";
export type { Mutation, MutationClass } from "./review/mutations.js";
export { applyMutations, drawMutations, mutationClasses } from "./review/mutations.js";
export type {
  LookupEvidence,
  NeedsVerifyEntry,
  NeedsVerifyResolution,
  NeedsVerifyState,
} from "./review/needs-verify.js";
export { collectNeedsVerify, resolveNeedsVerify, updateNeedsVerify } from "./review/needs-verify.js";
export type { PacketDocument, PacketEvidence, PacketOptions, PacketStyleRule, ReviewPacket } from "./review/packet.js";
export { buildReviewPacket, hashPacket, renderPacket } from "./review/packet.js";
export type { PassTask, ReviewPass } from "./review/passes.js";
export { findReviewPass, getPassTask, reviewPasses } from "./review/passes.js";
export type { ProbeOptions, ProbeRecall, SeededProbe } from "./review/probe.js";
export { probeReviewer } from "./review/probe.js";
export type { RemainderEstimate } from "./review/remainder.js";
export { estimateRemainder } from "./review/remainder.js";
export type { ResidueFile } from "./review/residue.js";
export { scanResidue } from "./review/residue.js";
export type {
  CoverageEntry,
  ParsedReviewResponse,
  QuoteAnchor,
  ResponseScope,
  ReviewResponse,
  ReviewResponseFinding,
  ReviewSeverity,
} from "./review/response.js";
export { createResponseJsonSchema, parseReviewResponse, reviewResponseSchema } from "./review/response.js";
export type { ReviewItem } from "./review/review-items.js";
export { listReviewItems } from "./review/review-items.js";
export type { PassResult, ReviewRound, RoundEdit } from "./review/round-record.js";
export { listAnsweredSessions } from "./review/round-record.js";
export type { LoopOutcome, LoopParts, LoopState } from "./review/run-loop.js";
export { applyFixes, runReviewLoop } from "./review/run-loop.js";
export type { PassOutcome, ReviewCall, RunPassOptions } from "./review/run-pass.js";
export { runReviewPass } from "./review/run-pass.js";
export type { RoundOutcome, RunRoundOptions } from "./review/run-round.js";
export { runReviewRound } from "./review/run-round.js";
export type { PublishStage, PublishVerdict, StageArtefact } from "./verdict.js";
export { getWorstVerdict, verdictOrder } from "./verdict.js";
