// internal
import type { PublishDocument } from "../../document.js";
import type { LintRule, LintSubject } from "../../lint/lint-rule.js";
import { privacyContactRule } from "../../lint/rules/privacy/contact.js";
import { privacyPathRule } from "../../lint/rules/privacy/path.js";
import { privacyProfileRule } from "../../lint/rules/privacy/profile.js";
import { privacySecretRule } from "../../lint/rules/privacy/secret.js";
import { privacyTermRule } from "../../lint/rules/privacy/term.js";
import { listInlineWaivers, type LintWaiver } from "../../lint/waivers.js";
import { parseDocument } from "../../parse/parse-document.js";
import { decide, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck, RenderSubject } from "../render-check.js";

/** A line of a page with its place. */
interface PageLine extends Partial<CheckLocation> {
  readonly content: string;
}

/** Returns a document of the given lines, as the rules of lint read them. */
function makeDocument(lines: readonly PageLine[]): PublishDocument {
  const document = parseDocument("", { file: "page.html" });
  return { ...document, source: "", lines: lines.map(({ content }) => content.replace(/[\r\n]+/g, " ")) };
}

function listWaivers({ document, waivers = [], today }: RenderSubject): readonly LintWaiver[] {
  const own = document === undefined ? [] : listInlineWaivers(document);
  return [...own, ...waivers].filter(
    ({ reason, expires, document: id }) =>
      reason !== "" &&
      !(expires !== undefined && today !== undefined && expires < today) &&
      (id === undefined || id === document?.id),
  );
}

/** Says whether a waiver covers the block of the source that a line of the page shows. */
function isWaived(waiver: LintWaiver, rule: string, { document }: RenderSubject, place: PageLine): boolean {
  if (waiver.rule !== rule) return false;
  if (waiver.text !== undefined && !place.content.includes(waiver.text)) return false;
  const block = document?.blocks.find(({ id }) => id === place.block);
  const { lines } = waiver;
  return lines === undefined || (block !== undefined && block.lineStart <= lines[1] && block.lineEnd >= lines[0]);
}

function runRule(rule: LintRule, lines: readonly PageLine[], subject: RenderSubject): CheckLocation[] {
  const document = makeDocument(lines);
  const lintSubject: LintSubject = {
    document,
    set: [document],
    level: "release",
    // Rules of privacy read no code; a parser that answers nothing is enough.
    python: { parse: () => undefined } as unknown as LintSubject["python"],
    userNames: subject.userNames ?? [],
    ...(subject.banList === undefined ? {} : { banList: subject.banList }),
  };
  if (rule.findGap?.(lintSubject, {}) !== undefined) return [];
  const waivers = listWaivers(subject);
  return rule.check(lintSubject, {}).flatMap(({ message, place }) => {
    const line = lines[(place?.line ?? 1) - 1];
    if (waivers.some((waiver) => isWaived(waiver, rule.id, subject, line))) return [];
    return [{ ...problemAt(line, message), text: undefined }];
  });
}

function listLines({ evidence: { texts } }: RenderSubject): PageLine[] {
  return [
    ...texts.segments.flatMap((segment) =>
      segment.full.split("\n").map((content) => ({ ...problemAt(segment, ""), content })),
    ),
    ...texts.attributes.map((each) => ({ ...problemAt(each, ""), content: each.value })),
    ...texts.comments.map((content) => ({ message: "", selector: "comment", content })),
  ];
}

/** Returns the bytes of the page as lines, without what is embedded. */
function listSourceLines({ html }: RenderSubject): PageLine[] {
  return html
    .replace(/data:[\w/+.-]+;base64,[\w+/=]*/g, "data:")
    .split("\n")
    .map((content) => ({ message: "", content }));
}

export const absolutePathCheck: RenderCheck = {
  id: "R10",
  name: "no_absolute_local_path_leak",
  weight: "fidelity",
  description: "No path of somebody's machine in text, attributes, comments and the rest of the bytes",
  judge(subject) {
    const lines = listLines(subject);
    const inText = runRule(privacyPathRule, lines, subject);
    const hasWaived =
      inText.length === 0 &&
      runRule(privacyPathRule, lines, { ...subject, document: undefined, waivers: [] }).length > 0;
    // Bytes have no block that a waiver could cover; they are read where the text does not tell already.
    const inBytes =
      inText.length > 0 || hasWaived
        ? []
        : runRule(privacyPathRule, listSourceLines(subject), { ...subject, waivers: [], userNames: [] });
    const files = subject.evidence.parts.addresses
      .filter(({ address }) => /^file:/i.test(address))
      .map((place) => problemAt(place, "An address names a file of one machine"));
    return decide({
      expected: "no absolute path",
      actual: "none in text, attributes, comments and bytes",
      problems: [...inText, ...inBytes, ...files],
    });
  },
};

export const personalInfoCheck: RenderCheck = {
  id: "R11",
  name: "no_personal_info_leak",
  weight: "fidelity",
  description: "No contacts, secrets, remarks on persons and banned terms in text and attributes, the byline left out",
  judge(subject) {
    const { byline = "" } = subject.document?.frontMatter ?? {};
    const lines = listLines(subject).map((line) =>
      byline === "" ? line : { ...line, content: line.content.replaceAll(byline, " ") },
    );
    const hashes = lines.filter(({ content }) => !/^(?:sha256:)?[0-9a-f]{16,64}$/.test(content.trim()));
    const strict = [privacyContactRule, privacySecretRule, privacyTermRule].flatMap((rule) =>
      runRule(rule, hashes, subject),
    );
    const soft = runRule(privacyProfileRule, hashes, subject);
    const outcome = decide({
      expected: "no personal information",
      actual: subject.banList === undefined ? "none; no ban list was given" : "none, by the ban list too",
      problems: [...strict, ...soft],
    });
    // Remarks on persons only warn in lint, and so here.
    return strict.length === 0 && soft.length > 0 ? { ...outcome, status: "warn" } : outcome;
  },
};
