// internal
import type { Random } from "../../core/index.js";
import { listTemplates } from "./list-templates.js";
import { numberTemplates } from "./number-templates.js";
import type { RepairData, RepairFile } from "./repair-data.js";
import type { Template, TemplateMaker } from "./template.js";

interface Level {
  readonly rules: RepairData["rules"];
  readonly fileCount: number;
  readonly faultCount: number;
}
const levels: readonly Level[] = [
  { rules: "comments", fileCount: 1, faultCount: 1 },
  { rules: "tests", fileCount: 1, faultCount: 1 },
  { rules: "tests", fileCount: 3, faultCount: 1 },
  { rules: "tests", fileCount: 3, faultCount: 2 },
];
/** Number of difficulty levels. */
export const repairLevelCount = levels.length;
/** Every template. */
export const templates: readonly TemplateMaker[] = [...numberTemplates, ...listTemplates];
/** Hidden calls beyond the visible ones, for each file. */
const extraCallCount = 8;

function drawNames({ names }: Template, random: Random, taken: Set<string>): Record<string, string> {
  const drawn: Record<string, string> = {};
  for (const [role, pool] of Object.entries(names)) {
    const free = pool.filter((name) => !taken.has(name) && !Object.values(drawn).includes(name));
    drawn[role] = random.pick(free.length === 0 ? pool.map((name) => `${name}2`) : free);
  }
  taken.add(drawn["f"]);
  return drawn;
}

function fillIn(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z]+)\}/gi, (place: string, role: string) => names[role] ?? place);
}

/** Returns the file's text with this code in the hole. */
function writeFile(template: Template, names: Readonly<Record<string, string>>, code: string, rule: string): string {
  const comment = [`// ${template.purpose}.`, `// ${rule}`];
  return [...comment, ...template.lines]
    .map((line) =>
      fillIn(
        line.replace("{hole}", () => code),
        names,
      ).trimEnd(),
    )
    .join("\n");
}

/** Returns a file of this template; a faulty one has a fill that is not the right one, or a plain mistake. */
export function createFile(
  template: Template,
  random: Random,
  options: { readonly rules: RepairData["rules"]; readonly isFaulty: boolean; readonly taken?: Set<string> },
): RepairFile {
  const { rules, isFaulty, taken = new Set<string>() } = options;
  const names = drawNames(template, random, taken);
  const right = random.pick(template.fills);
  const rule = rules === "comments" ? right.rule : "The tests show the exact rule.";
  const wrong = template.fills.filter((fill) => fill !== right).map((fill) => fill.code);
  const faults = rules === "comments" ? [...wrong, ...template.defects] : wrong;
  const fault = random.pick(faults);
  const write = (code: string): string => writeFile(template, names, code, rule);
  const toCall = (values: readonly unknown[]): string =>
    `${names["f"]}(${values.map((value) => JSON.stringify(value)).join(", ")})`;
  const visible = template.pins.map(toCall);
  const extra = Array.from({ length: extraCallCount }, () => toCall(template.drawArguments(random)));
  return {
    name: `${names["f"]}.js`,
    template: template.id,
    source: write(isFaulty ? fault : right.code),
    fixed: write(right.code),
    variants: template.fills.map((fill) => write(fill.code)),
    visible,
    hidden: [...new Set([...visible, ...extra])],
  };
}

/** Returns a faulty program of this level. */
export function generateRepair(level: number, random: Random): RepairData {
  const { rules, fileCount, faultCount } = levels[level - 1];
  const chosen = random.shuffle(templates).slice(0, fileCount);
  const faulty = new Set(random.shuffle(chosen.map((_, i) => i)).slice(0, faultCount));
  const taken = new Set<string>();
  const files = chosen.map((make, i) => createFile(make(random), random, { rules, isFaulty: faulty.has(i), taken }));
  return { rules, faultCount, files };
}
