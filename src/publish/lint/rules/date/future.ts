import { lintFinding, lintRule } from "../../lint-rule.js";
import { matchProse } from "../../text/prose.js";

const months = "january february march april may june july august september october november december".split(" ");
const dates =
  /(?<![\d-])(20\d{2})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?(?![\d-])|\b(?:\d{1,2} )?(January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2},)? (20\d{2})\b|(20\d{2})\s*年\s*(\d{1,2})\s*月|tháng (\d{1,2})(?: năm |\/)(20\d{2})/gi;

function readDate(groups: readonly (string | undefined)[]): string {
  const [isoYear, isoMonth, isoDay, month, year, hanYear, hanMonth, vietMonth, vietYear] = groups;
  const pad = (value: string | number): string => String(value).padStart(2, "0");
  if (isoYear !== undefined) return [isoYear, isoMonth, isoDay].filter((part) => part !== undefined).join("-");
  if (month !== undefined) return `${year}-${pad(months.indexOf(month.toLowerCase()) + 1)}`;
  return hanYear === undefined ? `${vietYear}-${pad(vietMonth ?? "")}` : `${hanYear}-${pad(hanMonth ?? "")}`;
}

/** Dates that have not come yet. */
export const dateFutureRule = lintRule({
  id: "date.future",
  severity: "warning",
  description: "Finds dates later than the date of the document, or than today where it has none.",
  rationale: "A reference or a result from the future is a slip of the pen, or invented. Years alone are not judged.",
  remedy: "Correct the date, or the document's date in its front matter",
  examples: [
    {
      name: "past dates, and the month of the document",
      markdown: "---\ndate: 2025-06-10\n---\n\nOn 2025-06-09, in June 2025 and 2024 年 5 月.",
      messages: [],
    },
    {
      name: "dates after the document's",
      markdown: "---\ndate: 2025-06-10\n---\n\nOn 2025-06-11; in July 2025; 2026 年 1 月.",
      messages: [
        '"2025-06-11" is after 2025-06-10',
        '"July 2025" is after 2025-06-10',
        '"2026 年 1 月" is after 2025-06-10',
      ],
    },
    {
      name: "a document without a date",
      markdown: "On 2031-01-01.",
      today: "2030-01-01",
      messages: ['"2031-01-01" is after 2030-01-01'],
    },
  ],
  findGap: ({ document, today }) =>
    document.frontMatter.date === undefined && today === undefined
      ? "neither the document nor the call has a date"
      : undefined,
  check({ document, today }) {
    const date = document.frontMatter.date ?? today ?? "9999";
    return matchProse(document, dates)
      .filter(({ groups }) => {
        const found = readDate(groups);
        return found > date.slice(0, found.length);
      })
      .map(({ line, text }) => lintFinding(line, `"${text}" is after ${date}`));
  },
});
