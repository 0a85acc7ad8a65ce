// internal
import type { Page } from "playwright-core";
import type { BarrierFinding } from "../page-evidence.js";

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
  }[];
}

interface AxeRunner {
  run(context: object, options: object): Promise<AxeResult>;
}

/** Runs axe; runs inside the page. Formulas have a check of their own. */
async function runAxe(rules: readonly string[]): Promise<AxeResult["violations"]> {
  const { axe } = globalThis as unknown as { axe: AxeRunner }; // put there before
  const options = rules.length === 0 ? {} : { runOnly: { type: "rule", values: rules } };
  const { violations } = await axe.run({ exclude: [[".katex"]] }, { resultTypes: ["violations"], ...options });
  return violations.map(({ id, impact, help, nodes }) => ({
    id,
    impact,
    help,
    nodes: nodes.slice(0, 5).map(({ html, target }) => ({ html: html.slice(0, 200), target: target.map(String) })),
  }));
}

/**
 * Empties formulas and leaves room as large, since axe walks through tens of thousands of boxes that say nothing to it;
 * fills them again on the second call. Runs inside the page.
 */
function toggleFormulas(): void {
  const store = globalThis as unknown as { turnwiseFormulas?: [HTMLElement, readonly Node[]][] }; // put there below
  for (const [box, nodes] of store.turnwiseFormulas ?? []) {
    box.removeAttribute("style");
    box.append(...nodes);
  }
  if (store.turnwiseFormulas !== undefined) {
    store.turnwiseFormulas = undefined;
    return;
  }
  const boxes = [...document.querySelectorAll<HTMLElement>(".katex")].map((box) => ({
    box,
    size: box.getBoundingClientRect(),
  }));
  store.turnwiseFormulas = boxes.map(({ box }) => [box, [...box.childNodes]]);
  for (const { box, size } of boxes) {
    box.replaceChildren();
    box.style.cssText = `display:inline-block;width:${size.width}px;height:${size.height}px`;
  }
}

/** Returns the serious and critical findings of axe-core, contrast also in the dark scheme. */
export async function findBarriers(page: Page, axe: string): Promise<BarrierFinding[]> {
  await page.evaluate(axe);
  await page.evaluate(toggleFormulas);
  const found = { light: await page.evaluate(runAxe, []), dark: [] as AxeResult["violations"] }; // filled below
  await page.emulateMedia({ colorScheme: "dark" });
  found.dark = await page.evaluate(runAxe, ["color-contrast"]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(toggleFormulas);
  return (["light", "dark"] as const).flatMap((scheme) =>
    found[scheme]
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, impact, help, nodes }) =>
        nodes.map(({ html, target }) => ({
          rule: id,
          impact,
          scheme,
          selector: target.join(" "),
          html,
          message: help,
        })),
      ),
  );
}
