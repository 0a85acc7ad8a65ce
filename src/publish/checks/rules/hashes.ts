// internal
import { readPageDigests } from "../../render/render-page.js";
import { decide, noSource } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

const short = (hash: string | undefined): string => hash?.slice(0, 16) ?? "none";

export const sourceHashCheck: RenderCheck = {
  id: "R14",
  name: "source_hash_match",
  weight: "fidelity",
  description: "The page states the hash of exactly this source, and its body is as it was made",
  judge({ html, document }) {
    const { sourceSha256, bodySha256, actualBodySha256 } = readPageDigests(html);
    const problems: CheckLocation[] = [];
    if (sourceSha256 === undefined) problems.push({ message: "The page states no hash of its source" });
    else if (document !== undefined && sourceSha256 !== document.sha256)
      problems.push({
        message: `The page was made from ${short(sourceSha256)}, the source is ${short(document.sha256)}`,
      });
    if (bodySha256 === undefined) problems.push({ message: "The page states no digest of its body" });
    else if (bodySha256 !== actualBodySha256)
      problems.push({
        message: `The body was edited after it was made: its digest is ${short(actualBodySha256)}, stated ${short(bodySha256)}`,
      });
    return decide({
      expected:
        document === undefined
          ? "the digest of the body"
          : `source ${short(document.sha256)} and the digest of the body`,
      actual: `source ${short(sourceSha256)}, body ${short(bodySha256)}`,
      problems,
      gap: document === undefined ? noSource : undefined,
    });
  },
};

export const determinismCheck: RenderCheck = {
  id: "R31",
  name: "determinism",
  weight: "quality",
  description: "A second rendering has the same bytes",
  judge({ renderings }) {
    const expected = "two equal renderings";
    if (renderings === undefined) return decide({ expected, actual: "", problems: [], gap: noSource });
    const [first, second] = renderings;
    let at = 0;
    while (at < first.length && first[at] === second[at]) at += 1;
    const problems =
      first === second
        ? []
        : [{ message: `The renderings differ from character ${at}`, text: second.slice(at, at + 80) }];
    return decide({ expected, actual: `${first.length} characters, equal`, problems });
  },
};
