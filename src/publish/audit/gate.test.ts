import { expect, test } from "vitest";
import type { Assurance } from "../document.js";
import { verdictOrder, type PublishStage, type PublishVerdict } from "../verdict.js";
import { combineExitCodes, decideGate, type GateStage } from "./gate.js";
import { checkIndependence } from "./independence.js";
import { listMandatoryStages, publishStages } from "./stage-artefact.js";

const kinds = ["tutorial", "report", "paper", "page"] as const;
const sound = (kind: string, stage: PublishStage, verdict: PublishVerdict): GateStage[] => {
  const stages = listMandatoryStages(kind).filter((each) => each !== stage);
  return [
    ...stages.map((each): GateStage => ({ stage: each, verdict: "PASS", reason_code: "clean" })),
    { stage, verdict, reason_code: "why" },
  ];
};
const decide = (kind: string, stages: readonly GateStage[], level: Assurance, more = {}) =>
  decideGate({ kind, stages, hasTrace: true, violations: [], ...more }, level);

/** The table: which verdicts of one stage open the gate when all others are sound. */
function isExpectedOpen(verdict: PublishVerdict, level: Assurance, isMandatory: boolean): boolean {
  if (verdict === "FAIL") return false;
  if (level === "draft") return verdict !== "ERROR" && verdict !== "STALE";
  return !isMandatory || verdict === "PASS" || verdict === "WARN" || verdict === "NOT_APPLICABLE";
}

const table = kinds.flatMap((kind) =>
  publishStages.flatMap((stage) =>
    verdictOrder.flatMap((verdict) =>
      (["draft", "release"] as const).map((level) => ({ kind, stage, verdict, level })),
    ),
  ),
);

test("decideGate() follows the table for every kind, stage, verdict and level", () => {
  expect(table).toHaveLength(4 * 10 * 9 * 2);
  for (const { kind, stage, verdict, level } of table) {
    const { decision, exitCode, blocking } = decide(kind, sound(kind, stage, verdict), level);
    const isMandatory = listMandatoryStages(kind).includes(stage);
    const isOpen = isExpectedOpen(verdict, level, isMandatory);
    expect({ kind, stage, verdict, level, decision }).toEqual({
      kind,
      stage,
      verdict,
      level,
      decision: isOpen ? "open" : "closed",
    });
    expect(exitCode).toBe(isOpen ? 0 : verdict === "STALE" ? 3 : 1);
    if (!isOpen) expect(blocking[0]).toEqual({ stage, verdict, reason_code: "why" });
  }
});

test("decideGate() closes at release with 3 for each missing mandatory stage, and lists it at draft", () => {
  for (const kind of kinds) {
    for (const stage of listMandatoryStages(kind)) {
      const stages = sound(kind, stage, "PASS").filter((each) => each.stage !== stage);
      expect(decide(kind, stages, "release")).toMatchObject({
        decision: "closed",
        exitCode: 3,
        blocking: [{ stage, verdict: "MISSING" }],
      });
      if (stages.length > 0)
        expect(decide(kind, stages, "draft")).toMatchObject({ decision: "open", skipped: [stage] });
    }
  }
});

test("decideGate() closes with 3 when no stage was run at all", () => {
  expect(decide("tutorial", [], "draft")).toMatchObject({ decision: "closed", exitCode: 3, verdict: "NOT_APPLICABLE" });
});

test("decideGate() closes with 1 when something failed and something else is missing", () => {
  expect(decide("tutorial", [{ stage: "lint", verdict: "FAIL", reason_code: "x" }], "release").exitCode).toBe(1);
});

test("decideGate() asks for a trace and independence of a review at release alone", () => {
  const stages = sound("tutorial", "content", "PASS");
  expect(decide("tutorial", stages, "release", { hasTrace: false }).blocking).toMatchObject([
    { stage: "content", reason_code: "no-trace" },
  ]);
  expect(decide("tutorial", stages, "draft", { hasTrace: false }).decision).toBe("open");
  const violations = [{ rule: "session.reused", message: "m" }];
  expect(decide("tutorial", stages, "release", { violations })).toMatchObject({
    exitCode: 1,
    blocking: [{ reason_code: "not-independent: session.reused" }],
  });
  expect(decide("page", sound("page", "lint", "PASS"), "release", { hasTrace: false }).decision).toBe("open");
});

test("combineExitCodes() puts a verdict before staleness", () => {
  expect([combineExitCodes([0, 3, 1]), combineExitCodes([0, 3]), combineExitCodes([0]), combineExitCodes([])]).toEqual([
    1, 3, 0, 0,
  ]);
});

test("checkIndependence() finds decisions by the author, also under the name of arbiter", () => {
  const step = (id: string, role: "author" | "arbiter") => [
    { state: "rejected" as const, at: "2030-01-01T00:00:00Z", by: { id, role } },
  ];
  const finding = {
    id: "f-1",
    fingerprint: "1",
    stage: "content",
    category: "c",
    severity: "minor" as const,
    location: {},
    says: "s",
    problem: "p",
    supported: true,
    state: "rejected" as const,
  };
  const count = (id: string, role: "author" | "arbiter") =>
    checkIndependence({ author: { id: "ann" } }, [], [{ ...finding, state_history: step(id, role) }]).violations.length;
  expect([count("ann", "author"), count("ann", "arbiter"), count("kim", "arbiter")]).toEqual([1, 1, 0]);
});
