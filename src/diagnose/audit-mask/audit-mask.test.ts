import fc from "fast-check";
import { expect, test } from "vitest";
import { createTokenSample, type TokenSample } from "../../core/index.js";
import { auditMasks } from "./audit-masks.js";
import { exampleSample } from "./mask-rule.js";
import { formRules, maskRules } from "./mask-rules.js";
import { renderExcerpt } from "./render-excerpt.js";

const audit = (samples: readonly TokenSample[], rules?: readonly string[]) =>
  auditMasks([{ file: "x", format: "test", samples }], rules === undefined ? {} : { rules });

const cases = maskRules.flatMap((rule) =>
  rule.examples.map((example) => ({ id: rule.id, name: example.name, example })),
);
test.each(cases)("$id: $name", async ({ id, example }) => {
  const result = await audit([example.subject], [id]);
  expect(result.rules[0].gaps).toEqual([]);
  expect(result.findings.map(({ message }) => message)).toEqual(example.messages);
});

test.each(maskRules)("$id has a sound example and one with a finding", ({ examples }) => {
  expect(examples.some(({ messages }) => messages.length === 0)).toBe(true);
  expect(examples.some(({ messages }) => messages.length > 0)).toBe(true);
});

test("a sample whose lists differ in length is judged by one rule only", async () => {
  const { findings, rules } = await audit([exampleSample("a b c", { loss: "01", roles: "uaa" })]);
  expect(findings.map(({ ruleId }) => ruleId)).toEqual(["unequal-lengths"]);
  expect(rules.filter(({ judgedCount }) => judgedCount > 0).map(({ ruleId }) => ruleId)).toEqual([
    "unequal-lengths",
    "unusable-field",
  ]);
});

test("a sample that says nothing but its loss mask passes no rule of provenance", async () => {
  const { findings, rules, files } = await audit([{ id: "s", ids: [1, 2, 3], lossMask: [false, true, true] }]);
  expect(findings).toEqual([]);
  expect(rules.filter(({ judgedCount }) => judgedCount > 0).map(({ ruleId }) => ruleId)).toEqual(
    formRules.map(({ id }) => id),
  );
  expect(files[0].judgedCount).toBe(0);
});

test("a role that nobody knows is not judged by name, and is no prompt", async () => {
  const sample = {
    ...exampleSample("a b c", { roles: "uxa", loss: "011" }),
    roles: ["user", undefined, "assistant"] as const,
    unknownRoles: ["narrator"],
  };
  const { findings, rules } = await audit([sample]);
  expect(findings).toEqual([]);
  const gaps = rules.find(({ ruleId }) => ruleId === "prompt-trained")?.gaps;
  expect(gaps?.[0].reason).toContain('the role "narrator" is not known');
  const known = await audit([{ ...sample, actionMask: [false, false, true] }]);
  expect(known.findings.map(({ ruleId }) => ruleId)).toEqual(["prompt-trained"]);
});

/** Turns of alternating observation and sampled tokens, each sampled one of at least two tokens with an end token. */
const episodes = fc.array(fc.record({ shown: fc.integer({ min: 1, max: 4 }), drawn: fc.integer({ min: 2, max: 5 }) }), {
  minLength: 1,
  maxLength: 5,
});
function toSample(turns: readonly { readonly shown: number; readonly drawn: number }[]): TokenSample {
  const texts: string[] = [];
  const actionMask: boolean[] = [];
  for (const { shown, drawn } of turns) {
    for (let i = 0; i < shown; i += 1)
      [texts[texts.length], actionMask[actionMask.length]] = [`seen${texts.length}`, false];
    for (let i = 0; i < drawn; i += 1)
      [texts[texts.length], actionMask[actionMask.length]] = [
        i === drawn - 1 ? "<|im_end|>" : `said${texts.length}`,
        true,
      ];
  }
  return createTokenSample(texts, { actionMask, lossMask: actionMask });
}

test("a loss mask equal to what was sampled has no finding, whatever the episode", async () => {
  await fc.assert(
    fc.asyncProperty(episodes, async (turns) => {
      expect((await audit([toSample(turns)])).findings).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("any trained token that was not sampled, and any sampled turn that is not trained, is found", async () => {
  await fc.assert(
    fc.asyncProperty(episodes, fc.nat(), async (turns, pick) => {
      const sample = toSample(turns);
      const i = pick % sample.ids.length;
      const lossMask = sample.lossMask.map((value, j) => (i === j ? !value : value));
      // A token in the middle of a turn may be left out on purpose; its ends may not.
      const isInner = sample.actionMask?.[i] === true && sample.actionMask[i - 1] && sample.actionMask[i + 1];
      const { findings } = await audit([{ ...sample, lossMask }]);
      expect(isInner || findings.length > 0).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("renderExcerpt() marks trained and sampled tokens with and without colour, and lets no control character through", () => {
  const excerpt = {
    start: 3,
    tokens: [
      { id: 1, text: "a\n\u001b", trained: false },
      { id: 2, trained: true, sampled: true },
    ],
    marked: [4],
  };
  expect(renderExcerpt(excerpt)).toBe("a\\n\ufffd ^[2~]");
  expect(renderExcerpt(excerpt, { colour: true })).toBe(
    "\u001b[2ma\\n\ufffd\u001b[0m \u001b[1;4m\u001b[30;42m2~\u001b[0m",
  );
});
