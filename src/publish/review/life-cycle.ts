import { usageError } from "../../core/index.js";
import { checkCorrection, type Correction } from "./correction.js";
import type { AuditFinding, FindingState } from "./finding.js";
import type { ReviewActor, ReviewRole } from "./identity.js";

/** A change of a finding's state that somebody asks for. */
export interface FindingChange {
  readonly to: FindingState;
  readonly by: ReviewActor;
  readonly at: string;
  /** Why; needed for rejecting, deferring, superseding and opening again. */
  readonly reason?: string;
  /** Who will do it; needed for deferring. */
  readonly owner?: string;
  /** ISO date after which it is open again; needed for deferring. */
  readonly expires?: string;
  /** What was corrected; needed for fixing. */
  readonly correction?: Correction;
}

/** Who may take a finding from one state to another. The arbiter alone rejects, defers and supersedes. */
const transitions: Readonly<Record<FindingState, Partial<Record<FindingState, readonly ReviewRole[]>>>> = {
  open: {
    accepted: ["author", "fixer", "arbiter"],
    rejected: ["arbiter"],
    deferred: ["arbiter"],
    superseded: ["arbiter", "tool"],
  },
  accepted: {
    fixed: ["author", "fixer"],
    rejected: ["arbiter"],
    deferred: ["arbiter"],
    superseded: ["arbiter", "tool"],
  },
  fixed: { verified: ["tool"], open: ["tool", "reviewer", "arbiter"] },
  verified: { open: ["tool", "reviewer", "arbiter"] },
  rejected: { open: ["arbiter"] },
  deferred: { open: ["arbiter", "tool"], accepted: ["author", "fixer", "arbiter"] },
  superseded: { open: ["arbiter", "tool", "reviewer"] },
};

const needsReason: readonly FindingState[] = ["rejected", "deferred", "superseded", "open"];

/** Only small defects can wait. */
function canWait({ severity }: AuditFinding): boolean {
  return severity === "minor" || severity === "nit";
}

/**
 * Returns what is wrong with the life of a finding on record, or `undefined`: it begins open, each step is one that its
 * role may take and has the reason it needs, and the last one leads to where the finding is.
 */
export function findHistoryFault(finding: AuditFinding): string | undefined {
  const { state, severity, state_history: steps } = finding;
  if (steps[0]?.state !== "open") return "its history does not begin with its being raised";
  for (const [index, { state: to, by, reason = "" }] of steps.entries()) {
    if (index === 0) continue;
    const from = steps[index - 1].state;
    if (transitions[from][to]?.includes(by.role) !== true)
      return `"${by.id}" as ${by.role} cannot have set it from ${from} to ${to}`;
    if (needsReason.includes(to) && reason.trim() === "") return `it was set from ${from} to ${to} without a reason`;
    if (to === "deferred" && !canWait(finding)) return `a ${severity} cannot have been deferred`;
  }
  const last = steps[steps.length - 1].state;
  return last === state ? undefined : `its history ends with ${last}, and it is marked ${state}`;
}

function refuse(finding: AuditFinding, to: FindingState, why: string, remedy?: string): never {
  throw usageError(`Cannot set finding "${finding.id}" from ${finding.state} to ${to}: ${why}`, remedy);
}

function checkDeferral(finding: AuditFinding, { to, at, owner, expires }: FindingChange): void {
  if (!canWait(finding))
    refuse(
      finding,
      to,
      `only minor findings and nits can wait, and this is a ${finding.severity}`,
      "Fix it, or have the arbiter reject it",
    );
  if (owner === undefined || owner.trim() === "")
    refuse(finding, to, "nobody is named who will do it", "Name an owner");
  if (expires === undefined || Number.isNaN(Date.parse(expires)))
    refuse(finding, to, `"${expires ?? ""}" is no date on which it ends`, "Give a date such as 2030-01-31");
  if (Date.parse(expires) <= Date.parse(at)) refuse(finding, to, `it would have ended already, on ${expires}`);
}

/**
 * Returns a finding after a change of state.
 *
 * @throws {TurnwiseError} (usage) for a step that does not exist, that this role may not take, or that lacks what it
 * must come with.
 */
export function changeFinding(finding: AuditFinding, change: FindingChange): AuditFinding {
  const { to, by, at, reason, correction } = change;
  const roles = transitions[finding.state][to];
  if (roles === undefined) {
    const allowed = Object.keys(transitions[finding.state]).join(", ");
    refuse(finding, to, `from there it can go to ${allowed}`);
  }
  if (!roles.includes(by.role))
    refuse(finding, to, `"${by.id}" acts as ${by.role}, and this takes the ${roles.join(" or ")}`);
  if (needsReason.includes(to) && (reason === undefined || reason.trim() === ""))
    refuse(finding, to, "no reason is given", "Say why");
  if (to === "deferred") checkDeferral(finding, change);
  if (to === "fixed") {
    if (correction === undefined)
      refuse(finding, to, "no correction is given", "Give the summary, the old wordings and the new text");
    if ((correction.summary ?? "").trim() === "") refuse(finding, to, "the correction has no summary");
    checkCorrection(correction);
  }
  return {
    ...finding,
    // An acceptance is a second opinion that the defect is real.
    ...(to === "accepted" ? { supported: true } : {}),
    state: to,
    state_history: [...finding.state_history, { state: to, at, by, ...(reason === undefined ? {} : { reason }) }],
  };
}

/** A rule or finding that is left as it is for a time, shown on the page. */
export interface DeferredItem {
  readonly finding?: string;
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
  readonly shown_on_page: boolean;
}

/** Returns the findings with those open again whose deferral has ended. */
export function expireDeferrals(
  findings: readonly AuditFinding[],
  deferred: readonly DeferredItem[],
  at: string,
): AuditFinding[] {
  return findings.map((finding) => {
    if (finding.state !== "deferred") return finding;
    const item = deferred.findLast((each) => each.finding === finding.id);
    if (item !== undefined && Date.parse(item.expires) > Date.parse(at)) return finding;
    const reason = item === undefined ? "the deferral is not on record" : `the deferral ended on ${item.expires}`;
    return changeFinding(finding, { to: "open", by: { id: "turnwise", role: "tool" }, at, reason });
  });
}

/** Returns how often a finding was fixed so far. */
export function countFixes({ state_history }: AuditFinding): number {
  return state_history.filter(({ state }) => state === "fixed").length;
}
