import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { lintFiles } from "./publish-lint.js";
import { reviewFile } from "./publish-review.js";
import { createRecordSubject, isOfRecord, listBlame, type RecordSubject } from "../../test/support/review-record.js";
import type { PublishReviewOptions } from "./review-options.js";

test("an honest record stays unblamed from being raised through fixed, back and verified", async () => {
  const subject = createRecordSubject();
  const { file, options, folder, answer, review, triage, edit } = subject;
  await lintFiles([file], { out: options.out, now: options.now?.() });
  const { audit } = await review([{ response: answer("consistency", [{}, { severity: "minor" }]) }]);
  const [{ id }] = audit.findings;
  expect(await listBlame(subject)).toEqual([]);
  const fix = async (from: string, to: string) => {
    const fixes = join(folder, "fixes.json");
    writeFileSync(
      fixes,
      JSON.stringify({
        schema: "review-fix/1",
        fixes: [{ finding: id, summary: "turned", before: [from], after: to }],
      }),
    );
    edit(from, to);
    await triage({ fixed: fixes });
    expect(await listBlame(subject)).toEqual([]);
  };
  await fix("The loss rises when", "The loss grows when");
  // The same words again: back to open, by the reviewer.
  edit("The loss grows when", "The loss rises when");
  await review([{ response: answer("consistency", [{ severity: "blocker" }]) }]);
  expect(subject.read().findings[0]).toMatchObject({ state: "open", severity: "major", rounds: [1, 2] });
  expect(await listBlame(subject)).toEqual([]);
  await fix("The loss rises when", "The loss falls when");
  await review([{ response: answer("consistency") }]);
  expect(subject.read().findings[0].state_history.at(-1)?.state).toBe("verified");
  expect(await listBlame(subject)).toEqual([]);
});

test("an honest record stays unblamed through what the arbiter decides and the calendar undoes", async () => {
  const subject = createRecordSubject();
  const { answer, review, triage } = subject;
  const reason = "the text is about the other loss";
  const { audit } = await review([
    {
      response: answer("consistency", [
        { severity: "minor" },
        { exact: "it is 3 times as large", evidence: null },
        { exact: "Nothing else is said" },
      ]),
    },
  ]);
  const [first, second, third] = audit.findings.map(({ id }) => id);
  await triage({ defer: [first], reason, owner: "ann", expires: "2030-01-01T00:01:00Z" });
  await triage({ reject: [second], reason });
  await triage({ accept: [third] });
  expect(await listBlame(subject)).toEqual([]);
  await triage({ reopen: [second], reason: "on second thoughts" });
  await triage({ reject: [third], reason });
  expect(await listBlame(subject)).toEqual([]);
  // A minute later the deferral has ended, and a rejected finding that is raised again stays rejected.
  const now = () => new Date("2030-01-01T00:10:00Z");
  await review([{ response: answer("consistency", [{ exact: "Nothing else is said" }]) }], { now });
  expect(subject.read().findings.map(({ state }) => state)).toEqual(["open", "open", "rejected"]);
  expect(await listBlame(subject)).toEqual([]);
});

test("an honest record stays unblamed when two passes raise one defect with two severities", async () => {
  const subject = createRecordSubject();
  const { answer, review } = subject;
  const passes = ["consistency", "claim"] as const;
  await review(
    [
      { pass: "consistency", response: answer("consistency", [{ severity: "minor", evidence: null }]) },
      { pass: "claim", response: answer("claim", [{ severity: "blocker" }]) },
    ],
    { passes },
  );
  expect(subject.read().findings).toMatchObject([{ severity: "minor", supported: true, rounds: [1] }]);
  expect(await listBlame(subject)).toEqual([]);
});

test.each<{ name: string; responses: (answer: RecordSubject["answer"]) => object[] }>([
  { name: "nobody answers", responses: () => [] },
  { name: "the answer is prose", responses: () => [{ response: "Looks good." }] },
  { name: "the answer stays prose", responses: () => [{ response: "Good." }, { response: "Really." }] },
  { name: "the form is mended", responses: (answer) => [{ response: "?" }, { response: answer("consistency", [{}]) }] },
  { name: "an answer is fenced", responses: (answer) => [fence(answer("consistency", [{}]))] },
  { name: "a session is used twice", responses: (answer) => reuse(answer) },
])("an honest record stays unblamed when $name", async ({ responses }) => {
  const subject = createRecordSubject();
  await subject.review(responses(subject.answer), { passes: ["consistency", "claim", "math"] });
  expect(await listBlame(subject)).toEqual([]);
  await subject.review([{ response: subject.answer("consistency") }]);
  expect(await listBlame(subject)).toEqual([]);
});

function fence(response: object): object {
  return { response: `\`\`\`json\n${JSON.stringify(response)}\n\`\`\`` };
}

function reuse(answer: RecordSubject["answer"]): object[] {
  return [
    { session_id: "s-1", response: answer("consistency", [{}]) },
    { session_id: "s-1", response: answer("claim", [{}]) },
  ];
}

test("an honest record stays unblamed with traces of hashes alone, and without traces at draft", async () => {
  const subject = createRecordSubject();
  const { answer, review } = subject;
  const responses = [{ response: answer("consistency", [{}]) }];
  await review(responses, { traces: "meta" });
  expect(await listBlame(subject)).toEqual([]);
  await review(responses, { traces: "off" });
  expect(await subject.listRecordProblems()).toEqual([]);
  expect((await subject.listBlocks("draft")).filter(isOfRecord)).toEqual([]);
  // At release an answer that counts needs its trace, until it is asked for again.
  expect(await subject.listBlocks("release")).toContain("trace-gone");
  await review(responses);
  expect(await listBlame(subject)).toEqual([]);
});

test("an honest record stays unblamed when two people fill in the forms of one round", async () => {
  const subject = createRecordSubject();
  const human: PublishReviewOptions = { ...subject.options, backend: "human", passes: ["consistency", "claim"] };
  await reviewFile(subject.file, human);
  expect(await listBlame(subject)).toEqual([]);
  for (const [pass, reviewer] of [
    ["consistency", "kim"],
    ["claim", "lee"],
  ]) {
    const form = join(subject.out, "lesson.publish", "forms", `${pass}.yaml`);
    const value = parse(readFileSync(form, "utf8")) as { coverage: object[] };
    const coverage = value.coverage.map((entry) => ({ ...entry, status: "checked", method: "read" }));
    writeFileSync(form, stringify({ ...value, coverage, reviewer, done: true }));
  }
  expect(await reviewFile(subject.file, human)).toMatchObject({ verdict: "PASS" });
  expect(await listBlame(subject)).toEqual([]);
});
