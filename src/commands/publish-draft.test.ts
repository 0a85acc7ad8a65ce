import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { afterEach, expect, test } from "vitest";
import { draftDocument, type PublishDraftOptions } from "./publish-draft.js";
import { createDocument } from "./publish-new.js";
import { reviewFile } from "./publish-review.js";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Returns options whose author is a program that prints what `script` makes of the request. */
function setUp(script: string) {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-draft-"));
  folders.push(folder);
  const program = join(folder, "author.cjs");
  writeFileSync(
    program,
    `let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{const request=JSON.parse(text);${script}});`,
  );
  const options: PublishDraftOptions = {
    folder,
    out: join(folder, "out"),
    backend: "command",
    command: `"${execPath}" "${program}"`,
    reviewerFamily: "qwen",
    environment: process.env,
    kind: "report",
    timeoutSeconds: 30,
    now: () => new Date("2030-01-01T00:00:00Z"),
  };
  return { folder, options };
}

const obedient =
  'console.log("# "+request.title+"\\n\\n"+request.sections.map((name,i)=>"## "+(i+1)+" "+name+"\\n\\nIt is so in "+name+".\\n").join("\\n"));';

test("draftDocument() writes the sections of the profile with every statement marked, and who wrote them", async () => {
  const { folder, options } = setUp(obedient);
  const draft = await draftDocument("Turn budgets!", options);
  expect(draft).toMatchObject({
    id: "turn-budgets",
    statementCount: 4,
    author: { family: "qwen" },
  });
  expect(draft.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  const text = readFileSync(join(folder, "turn-budgets.md"), "utf8");
  expect(text).toContain("It is so in Limits. [needs-verify]");
  expect(text).toMatch(/^---\nid: turn-budgets\nkind: report\nlang: en\ntitle: Turn budgets!\nassurance: draft\n---\n/);
  // The author's family reviews nothing it wrote, though no configuration names the author.
  const reviewer = join(folder, "reviewer.cjs");
  writeFileSync(
    reviewer,
    'let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{const {pass,items}=JSON.parse(text);console.log(JSON.stringify({schema:"review-response/1",pass,coverage:items.map(({id})=>({item:id,status:"checked",method:"read"})),findings:[]}))});',
  );
  const review = await reviewFile(draft.file, {
    out: options.out,
    backend: "command",
    command: `"${execPath}" "${reviewer}"`,
    reviewerFamily: "qwen",
    reviewerId: "another",
    environment: process.env,
  });
  expect(review.rounds).toMatchObject([{ independent: false, eligibility: "same-family", reviewer_id: "another" }]);
});

test("draftDocument() never overwrites, and asks nobody when it could not write", async () => {
  const { folder, options } = setUp(
    'require("node:fs").writeFileSync(require("node:path").join(__dirname,"asked"),"");',
  );
  writeFileSync(join(folder, "topic.md"), "mine");
  await expect(draftDocument("topic", options)).rejects.toThrow("it is there already");
  expect(readFileSync(join(folder, "topic.md"), "utf8")).toBe("mine");
  expect(existsSync(join(folder, "asked"))).toBe(false);
});

test.each([
  { name: "prose", script: 'console.log("I would rather not.");', says: "draft.no-sections" },
  { name: "nothing", script: "", says: "draft.empty" },
  {
    name: "a broken head",
    script: 'console.log("---\\nid: [x\\n---\\n## One\\n\\nText.");',
    says: "front-matter.syntax",
  },
  { name: "a failure", script: 'console.error("no quota");process.exit(3);', says: "exited with 3: no quota" },
])("draftDocument() of an author that gives $name writes no document and names the fault", async ({ script, says }) => {
  const { folder, options } = setUp(script);
  await expect(draftDocument("topic", options)).rejects.toThrow(says);
  expect(readdirSync(folder).filter((name) => name.endsWith(".md"))).toEqual([]);
});

test("draftDocument() refuses to go on without an author or evidence that is there", async () => {
  const { options } = setUp(obedient);
  await expect(draftDocument("topic", { ...options, backend: undefined })).rejects.toThrow("without an author");
  await expect(draftDocument("topic", { ...options, backend: "http" })).rejects.toThrow(
    "for a draft without its model",
  );
  await expect(draftDocument("topic", { ...options, evidence: ["none"] })).rejects.toThrow('evidence "none"');
  await expect(draftDocument("!", options)).rejects.toThrow("Cannot name a draft");
});

test("createDocument() begins a document once", async () => {
  const { folder } = setUp("");
  const file = await createDocument("report", "r", { folder, title: "A: report" });
  expect(readFileSync(file, "utf8")).toContain(
    'title: "A: report"\nevidence:\n  - .\n---\n\n# A: report\n\n## 1 Summary\n',
  );
  await expect(createDocument("report", "r", { folder })).rejects.toThrow("it is there already");
  await expect(createDocument("report", "../r", { folder })).rejects.toThrow("Cannot name a document");
});
