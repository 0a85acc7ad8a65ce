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
export type { GateBlock, GateDecision, GateInput, GateStage } from "./audit/gate.js";
export { combineExitCodes, decideGate } from "./audit/gate.js";
export type { IndependenceRecord, IndependenceViolation } from "./audit/independence.js";
export { checkIndependence } from "./audit/independence.js";
export type { StoredStageArtefact } from "./audit/stage-artefact.js";
export { listMandatoryStages, parseStageArtefact, publishStages } from "./audit/stage-artefact.js";
export type { VcsState } from "./audit/vcs-state.js";
export { readVcsState } from "./audit/vcs-state.js";
export type { VerifyProblem, VerifyResult } from "./audit/verify-audit.js";
export { verifyAudit } from "./audit/verify-audit.js";
export type { TraceMode } from "./audit/write-trace.js";
export { checkTraceMode, writeTraces } from "./audit/write-trace.js";
export type { Artefact } from "./claims/artefact.js";
export { findRunStatus, parseArtefact } from "./claims/artefact.js";
export type { ExpressionValue } from "./claims/expression-value.js";
export { describeValue, toNumber, toNumbers } from "./claims/expression-value.js";
export type { BinaryOperator, Expression } from "./claims/expression.js";
export { evaluateExpression, listNames, parseExpression } from "./claims/expression.js";
export { callFunction, functionNames } from "./claims/functions.js";
export { selectValue, toExpressionValue } from "./claims/select.js";
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
export type { LintExample, LintRule, LintSubject } from "./lint/lint-rule.js";
export { lintFinding, lintRule } from "./lint/lint-rule.js";
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
export type { BanEntry, BanList } from "./lint/text/ban-list.js";
export { findBannedEntries, hashBanTerm, isHashedBanList, parseBanList } from "./lint/text/ban-list.js";
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
  isBlocking,
  locateFinding,
  mergeFindings,
} from "./review/finding.js";
export type { EligibilityFault, ReviewActor, ReviewIdentity, ReviewParties, ReviewRole } from "./review/identity.js";
export { findEligibilityFault, findModelFamily, humanFamily } from "./review/identity.js";
export type { DeferredItem, FindingChange } from "./review/life-cycle.js";
export { changeFinding, countFixes, expireDeferrals } from "./review/life-cycle.js";
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
  ReviewResponse,
  ReviewResponseFinding,
  ReviewSeverity,
} from "./review/response.js";
export { createResponseJsonSchema, parseReviewResponse, reviewResponseSchema } from "./review/response.js";
export type { ReviewItem } from "./review/review-items.js";
export { listReviewItems } from "./review/review-items.js";
export type { PassResult, ReviewRound, RoundEdit } from "./review/round-record.js";
export type { PassOutcome, ReviewCall, RunPassOptions } from "./review/run-pass.js";
export { runReviewPass } from "./review/run-pass.js";
export type { RoundOutcome, RunRoundOptions } from "./review/run-round.js";
export { runReviewRound } from "./review/run-round.js";
export type { PublishStage, PublishVerdict, StageArtefact } from "./verdict.js";
export { getWorstVerdict, verdictOrder } from "./verdict.js";
