import type { LintExample, LintRule } from "./lint-rule.js";
import { lintRules, parityRules } from "./lint-rules.js";

/** Returns text as a fenced block; the fence is longer than any inside. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/[`~]{3,}/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}markdown\n${text}\n${marks}`;
}

function describeSetting({
  kind,
  level,
  today,
  banList,
  userNames,
  files,
  others,
  isRun,
  isLatin1,
}: LintExample): string {
  const parts = [
    ...(kind === undefined ? [] : [`kind ${kind}`]),
    ...(level === undefined ? [] : [`level ${level}`]),
    ...(today === undefined ? [] : [`today ${today}`]),
    ...(banList === undefined
      ? []
      : [
          `ban list ${banList
            .split("\n")
            .map((line) => `\`${line}\``)
            .join(", ")}`,
        ]),
    ...(userNames === undefined ? [] : [`users ${userNames.join(", ")}`]),
    ...(files === undefined || files.length === 0 ? [] : [`files ${files.join(", ")}`]),
    ...(others === undefined ? [] : [`beside ${Object.keys(others).join(", ")}`]),
    ...(isLatin1 === true ? ["in Latin-1"] : []),
    ...(isRun === true ? ["the code was run"] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

function renderExample(example: LintExample): string {
  const { name, markdown, original, others = {}, messages } = example;
  return [
    `${name[0].toUpperCase()}${name.slice(1)}${describeSetting(example)}: ${messages.length === 0 ? "no finding" : "found"}`,
    "",
    fence(markdown),
    ...(original === undefined ? [] : ["", "Its original:", "", fence(original)]),
    ...Object.entries(others).flatMap(([file, text]) => ["", `Its neighbour ${file}:`, "", fence(text)]),
    ...(messages.length === 0 ? [] : ["", ...messages.map((message) => `- ${fenceInline(message)}`)]),
    "",
  ].join("\n");
}

/** Returns a message as a code span, so that its dollars, bars and stars stay as they are. */
function fenceInline(text: string): string {
  const marks = text.includes("``") ? "```" : text.includes("`") ? "``" : "`";
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

function renderRule({ id, severity, description, rationale, remedy, thresholds, examples }: LintRule): string {
  const rows = Object.entries(thresholds).map(
    ([name, threshold]) => `| \`${id}.${name}\` | ${threshold.default} | ${threshold.description} |`,
  );
  const table = rows.length === 0 ? [] : ["| threshold | default | what it bounds |", "|---|---|---|", ...rows, ""];
  return [
    `### ${id}`,
    "",
    `Severity: ${severity}. ${description} ${rationale}`,
    "",
    `What to do: ${remedy}.`,
    "",
    ...table,
    ...examples.map(renderExample),
  ].join("\n");
}

/** Returns the documentation of every lint rule as Markdown, examples included. */
export function renderLintReference(): string {
  const groups = [...new Set([...lintRules, ...parityRules].map(({ id }) => id.split(".")[0]))];
  const text = groups.flatMap((group) => [
    `## Group ${group}`,
    "",
    ...[...lintRules, ...parityRules].filter(({ id }) => id.startsWith(`${group}.`)).map(renderRule),
  ]);
  return `${[
    "# Rules of `turnwise publish lint`",
    "",
    "Written from the rules themselves; `turnwise publish lint --list` prints the short form. The examples are the rules' tests. An error fails the stage, a warning is shown, a note is information.",
    "",
    "A finding is waived where it stands by `<!-- lint-allow rule: reason -->` on its line or above its block, with an end by `<!-- lint-allow rule until 2030-01-31: reason -->`, or in the waivers file that the front matter names. A waiver without a reason, past its end or without a finding is itself a finding.",
    "",
    ...text,
  ]
    .join("\n")
    .trimEnd()}\n`;
}
