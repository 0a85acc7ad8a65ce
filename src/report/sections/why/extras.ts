// internal
import type { AttributionResult } from "../../../core/index.js";
import { markup, renderFold, renderTable, type Html } from "../../../page/index.js";
import { renderBare, renderFirst, renderNumber, renderVerdict } from "../../section-html.js";
import type { ReportView } from "../../section.js";

/** Checks of what the shares rest on: history, copies, cost of playing. */
export function renderChecks(
  view: ReportView,
  { a, b, markov = [], selfChecks = [], hybridCosts = [], estimatorDifference, estimator }: AttributionResult,
): Html {
  const label = (policy: "a" | "b"): string => (policy === "a" ? a : b);
  const history = markov.map(
    ({ policy, heldOut }) =>
      markup`<li>${label(policy)}: if nothing mattered but turn, mode and kind of task, the past of an episode would seem to matter this much with p = ${renderNumber(view, `why.markov.${policy}.p`)}${heldOut !== undefined && markup`; after a second error, on tasks held out, ${renderNumber(view, `why.markov.${policy}.observed`)} succeed and the chain predicts ${renderNumber(view, `why.markov.${policy}.predicted`)}`}.</li>`,
  );
  const copies = selfChecks.map(
    ({ policy, passes }) =>
      markup`<li>The played copy of ${label(policy)} ${passes ? "behaves like it" : "does not behave like it"}: difference ${renderNumber(view, `why.copy.${policy}`)} ${renderFirst(view, [`why.copy.${policy}.interval`])}, first actions p = ${renderNumber(view, `why.copy.${policy}.p`)}.</li>`,
  );
  const apart =
    estimator === "interventional" &&
    estimatorDifference !== undefined &&
    markup`<li>The estimate from the logs of both policies alone differs by ${renderNumber(view, "why.logs.decision")} (decisions), ${renderNumber(view, "why.logs.recovery")} (recovery) and ${renderNumber(view, "why.logs.persistence")} (persistence) at T = ${renderNumber(view, "why.logs.turns")}, the largest at which it is identified.</li>`;
  const costs =
    hybridCosts.length > 0 &&
    renderFold(
      "What playing the hybrids took",
      renderTable({
        caption: "Turns of the hybrids and answers asked for beside them",
        columns: [
          { head: "cell", kind: "row_head" },
          { head: "turns" },
          { head: "answers not used" },
          { head: "their tokens" },
          { head: "turns without an action" },
        ],
        rows: hybridCosts.map(({ cell }) => ({
          cells: [
            cell,
            ...["turns", "extraCalls", "extraTokens", "forcedTurns"].map((name) =>
              renderBare(view, `why.cost.${cell}.${name}`),
            ),
          ],
        })),
      }),
    );
  if (history.length + copies.length === 0 && apart === false) return markup``;
  return markup`<h3>Checks</h3>
<ul>${history}${copies}${apart}</ul>
${costs}`;
}

/** Success with quits disabled and forced. */
export function renderArms(view: ReportView, { a, b, forcedArms = [] }: AttributionResult): Html {
  if (forcedArms.length === 0) return markup``;
  const table = renderTable({
    caption: "Success as it is, with quits disabled, and with quits at random, %",
    columns: [
      { head: "policy", kind: "row_head" },
      { head: "T" },
      { head: "as it is" },
      { head: "never quits" },
      { head: "gain" },
      { head: "band" },
      { head: "verdict", kind: "text" },
      { head: "predicted from logs" },
      { head: "quits at random" },
    ],
    rows: forcedArms.map(({ policy, maxTurns, persistenceLimited }) => {
      const id = `why.arms.${policy}.t${maxTurns}`;
      return {
        cells: [
          policy === "a" ? a : b,
          String(maxTurns),
          renderBare(view, `${id}.native`),
          renderBare(view, `${id}.forcedContinue`),
          renderBare(view, `${id}.limited`),
          renderFirst(view, [`${id}.limited.band`, `${id}.limited.interval`]),
          renderVerdict(persistenceLimited.verdict),
          renderBare(view, `${id}.km`),
          renderBare(view, `${id}.forcedStop`),
        ],
      };
    }),
  });
  return markup`<h3>If it never gave up</h3>
<p>Both were played again with quitting disabled. The gain is what giving up costs; the prediction from logs is one minus Kaplan-Meier with quits censored, and is off where those who quit were worse off than those who went on.</p>
${table}`;
}

/** Turns per success by restart depth. */
export function renderRestart(view: ReportView, { a, b, restart }: AttributionResult): Html {
  const solved = restart.filter(({ bestTurns }) => bestTurns !== undefined);
  if (solved.length === 0) return markup``;
  return markup`<h3>Restart or go on?</h3>
<ul>${solved.map(
    ({ policy }) =>
      markup`<li>${policy === "a" ? a : b}: fewest turns per success when an attempt is begun anew after ${renderNumber(view, `why.restart.${policy}.best`)} turns (${renderNumber(view, `why.restart.${policy}.from`)} to ${renderNumber(view, `why.restart.${policy}.to`)} in 95 % of resamples): ${renderNumber(view, `why.restart.${policy}.cost`)}, against ${renderNumber(view, `why.restart.${policy}.long`)} in one long attempt.</li>`,
  )}</ul>
`;
}

/** How behaviour follows the budget that is told. */
export function renderResponse(view: ReportView, { a, b, budgetResponse = [] }: AttributionResult): Html {
  if (budgetResponse.length === 0) return markup``;
  const rows = budgetResponse.flatMap(({ policy, rows: found }) =>
    found.map(({ maxTurns }) => ({
      cells: [
        policy === "a" ? a : b,
        String(maxTurns),
        ...["turns", "quit", "distance"].map((name) => renderBare(view, `why.response.${policy}.t${maxTurns}.${name}`)),
      ],
    })),
  );
  const table = renderTable({
    caption: "Behaviour by the budget that was told",
    columns: [
      { head: "policy", kind: "row_head" },
      { head: "T" },
      { head: "mean turns" },
      { head: "quits, %" },
      { head: "distance of first actions" },
    ],
    rows,
  });
  return markup`<h3>Does behaviour follow the budget it is told?</h3>
<ul>${budgetResponse.map(({ policy }) => markup`<li>${policy === "a" ? a : b}: ${renderNumber(view, `why.response.${policy}`)} turns for each doubling of the budget; first actions depend on it with p = ${renderNumber(view, `why.response.${policy}.p`)}.</li>`)}</ul>
${table}`;
}
