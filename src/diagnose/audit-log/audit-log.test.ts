import { expect, test } from "vitest";
import { commonMetrics, createMetricLog, type MetricLog } from "../../core/index.js";
import { auditLogs } from "./audit-logs.js";
import { logRules } from "./log-rules.js";

const cases = logRules.flatMap((rule) =>
  rule.examples.map((example) => ({ id: rule.id, name: example.name, rule, example })),
);

test.each(cases)("$id: $name", async ({ rule, example }) => {
  const result = await auditLogs([example.subject], { rules: [rule.id] });
  expect(result.rules[0].gaps).toEqual([]);
  expect(result.findings.map(({ message }) => message)).toEqual(example.messages);
});

test.each(logRules)("$id has a sound example and one with a finding", ({ examples }) => {
  expect(examples.some(({ messages }) => messages.length === 0)).toBe(true);
  expect(examples.some(({ messages }) => messages.length > 0)).toBe(true);
});

test.each(logRules)("$id neither throws nor passes on a log without what it needs", async (rule) => {
  const empty: MetricLog = createMetricLog({ other: [1, 2, 3] });
  const [judged] = (await auditLogs([empty], { rules: [rule.id] })).rules;
  if (rule.findGap !== undefined) expect(judged).toMatchObject({ judgedCount: 0, affectedCount: 0 });
  else expect(judged).toMatchObject({ judgedCount: 1, affectedCount: 0 });
});

test("auditLogs() lists errors first and counts what it leaves out", async () => {
  const log = createMetricLog(
    Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`metric ${i}`, [1, 2, NaN, NaN]])),
  );
  const result = await auditLogs([log], { maxFindings: 4, rules: ["non-finite-value"] });
  expect(result.findings).toHaveLength(4);
  expect(result.counts).toEqual({ error: 9, warning: 0, note: 0 });
  expect(result.rules[0]).toMatchObject({ judgedCount: 1, affectedCount: 1, thresholds: { maxShare: 0.05 } });
});

test("auditLogs() uses the thresholds it is given and refuses unknown ones", async () => {
  const log = createMetricLog({ clipped_share: [0.2, 0.2] });
  expect((await auditLogs([log], { rules: ["clipped-responses"] })).findings).toEqual([]);
  expect(
    (await auditLogs([log], { thresholds: { "clipped-responses.maxShare": 0.1 }, rules: ["clipped-responses"] }))
      .findings,
  ).toHaveLength(1);
  await expect(auditLogs([log], { thresholds: { "clipped-responses.most": 0.1 } })).rejects.toThrow(
    /threshold "clipped-responses.most"/,
  );
  await expect(auditLogs([log], { disabled: ["clipped"] })).rejects.toThrow(/Cannot disable rule "clipped"/);
  const one = ["flat-groups"];
  await expect(auditLogs([log], { rules: one, disabled: one })).rejects.toThrow(/Cannot audit without a rule/);
});

test("a restart that was resumed does not count the updates before it twice", async () => {
  const log = createMetricLog({ clipped_share: [0, 1, 1, 1, 0, 0, 0] }, { updateIndices: [1, 2, 3, 4, 2, 3, 4] });
  expect((await auditLogs([log], { rules: ["clipped-responses"] })).findings).toEqual([]);
});

test.each(Object.keys(commonMetrics))(
  "a column of %s with no finite value, or with one, makes no rule throw",
  async (metric) => {
    for (const values of [[], [NaN], [Infinity, -Infinity], [0], [1, undefined]]) {
      const { rules, findings } = await auditLogs([createMetricLog({ [metric]: values })]);
      const judged = rules.filter(({ judgedCount }) => judgedCount > 0).map(({ ruleId }) => ruleId);
      expect(judged).toEqual(expect.arrayContaining(findings.map(({ ruleId }) => ruleId)));
      if (!values.some((value) => Number.isFinite(value))) {
        expect(
          judged.filter(
            (id) =>
              !["non-finite-value", "repeated-updates"].includes(id) &&
              !(id === "no-learning-signal" && values.length > 0),
          ),
        ).toEqual([]);
      }
    }
  },
);
