import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "../../parse/parse-document.js";
import { findBannedEntries, hashBanTerm, isHashedBanList, parseBanList } from "./ban-list.js";
import { describeDifference } from "./multiset.js";
import { getProse } from "./prose.js";
import { findSecrets } from "./secrets.js";

test.each([
  ["hire", "They were hiring.", true],
  ["acme labs", "ACME-Labs wrote", true],
  ["acme", "acmeist", false],
  ["acme*", "acmeist", true],
  ["内推", "欢迎内推。", true],
  ["内推", "内部推荐", false],
  ["/internal-\\d+/i", "see INTERNAL-12", true],
  ["Ａcme", "acme", true],
])("ban term %s in %s", (term, line, isFound) => {
  const plain = parseBanList(term, "b");
  expect(findBannedEntries(line, plain).length > 0).toBe(isFound);
  if (term.startsWith("/") || term.endsWith("*")) return;
  const hashed = parseBanList(hashBanTerm(term, "s1"), "b");
  expect(isHashedBanList(hashed)).toBe(true);
  expect(findBannedEntries(line, hashed).length > 0).toBe(isFound);
});

test("a ban list with a line that is no term is refused by its number", () => {
  expect(() => parseBanList("acme\n---", "b.txt")).toThrow(/line 2 of ban list "b.txt"/);
  expect(() => parseBanList("/(/", "b.txt")).toThrow(/line 1/);
});

test("names, hashes and addresses are no secrets", () => {
  const lines = [
    "computeGroupRelativeAdvantagesForEachTrajectory2Level",
    "commit a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
    "see github.com/org/Repo-Name2/blob/MainBranch/Some/Path/File.Py",
    "meta-llama/Llama-3.1-8B-Instruct-GGUF-Q4",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DCNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    'api_key = "your-api-key-0000"',
    "TOKEN=${GITHUB_TOKEN}",
    "Qwen2.5-Coder-32B-Instruct-AWQ",
  ];
  expect(lines.flatMap(findSecrets)).toEqual([]);
});

test("findings of secrets show four characters at most", () => {
  const [secret] = findSecrets(`token: "${"hf_"}AqCtEvGhJkLmNpRrStUwWxYz907318xyZQs"`);
  expect(secret.shown).toBe("hf_A… (38 characters)");
});

test("prose keeps the places of what it leaves", () => {
  const source = "Take $n$ and `n` of [n](http://x.y/n) in n.\n\n```\nn\n```\n\n$$\nn\n$$\n";
  const prose = getProse(parseDocument(source, { file: "a.md" }));
  const [line] = source.split("\n");
  expect(prose[0]).toHaveLength(line.length);
  expect([...prose.join("\n").matchAll(/\bn\b/g)]).toHaveLength(2);
  expect(prose[0].lastIndexOf("n")).toBe(line.lastIndexOf("n"));
});

test("prose has the length of its source for any text", () => {
  const piece = fc.constantFrom(
    "$",
    "`",
    "``",
    "a",
    "\\",
    "[",
    "](",
    ")",
    "<b>",
    "<!--",
    "-->",
    " ",
    "|",
    "{#x}",
    "https://a.b",
    "$$",
  );
  const keepsPlaces = fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
    const document = parseDocument(pieces.join(""), { file: "a.md" });
    return getProse(document).every((text, i) => text === "" || text.length === document.lines[i].length);
  });
  expect(() => fc.assert(keepsPlaces)).not.toThrow();
});

test("describeDifference() counts each item", () => {
  expect(describeDifference(["1", "2", "2"], ["2", "1", "3"])).toBe("only here: 2; only in the original: 3");
  expect(describeDifference(["1"], ["1"])).toBeUndefined();
});
