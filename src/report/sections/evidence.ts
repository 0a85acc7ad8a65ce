// internal
import type { Claim } from "../../core/index.js";
import { markup, type Html } from "../../page/index.js";
import type { ReportSection, ReportView } from "../section.js";

/** Writes where a claim's inputs stand; the artefact's name is left out where it is the report itself. */
function describeInputs({ inputs }: Claim): string {
  return inputs
    .map(({ artefact, select }) => (artefact === "report.json" ? select : `${artefact}#${select}`))
    .join("\n");
}

/** Writes a claim's interval: its band if it has one. */
function describeInterval(view: ReportView, { id }: Claim): string {
  const found = [`${id}.band`, `${id}.interval`].find((name) => view.findClaim(name) !== undefined);
  return found === undefined ? "" : view.text(found);
}

// End tags that HTML lets one leave out are left out: there can be thousands of rows.
function renderRow(view: ReportView, claim: Claim): Html {
  const value = typeof claim.value === "string" ? claim.value : JSON.stringify(claim.value);
  return markup`<tr id="c.${claim.id}"><th scope="row">${claim.id}<td>${view.text(claim.id)}<td>${value}<td>${claim.expr}<td>${describeInputs(claim)}<td>${claim.n ?? ""}<td>${describeInterval(view, claim)}
`;
}

/** Every figure with its expression, source, n and interval: where the numbers of the page lead. */
export const evidenceSection: ReportSection = {
  id: "evidence",
  title: "Evidence",
  hasContent: ({ claims }) => claims.length > 0,
  renderHtml: (view) => {
    const heads = ["claim", "shown", "value", "expression", "where in report.json", "n", "interval"];
    return markup`<p>Every figure above is a claim: its value can be computed again from the pointers (RFC 6901) into <code>report.json</code>, which lies beside this page. With one input it is called <i>value</i>, with two <i>a</i> and <i>b</i>.</p>
<div class="scroll evidence" role="group" aria-label="Evidence of every figure" tabindex="0"><table>
<caption class="hidden">Evidence of every figure</caption>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}`)}</thead>
<tbody>
${view.report.claims.map((claim) => renderRow(view, claim))}</table></div>`;
  },
};
