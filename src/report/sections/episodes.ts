// internal
import { untagNumber, type Budget, type RecordedNumber } from "../../core/index.js";
import { cutText, formatNumber, markup, renderFold, renderSwatch, type Html, type HtmlPart } from "../../page/index.js";
import type { BoundedText, ReportAnswer, ReportEpisode, ReportTurn } from "../report.js";
import { describeStop, findSurfaceIndex, renderNumber } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";

/** Texts longer than this, or with more lines, are folded. */
const foldedLength = 600;
const foldedLines = 16;

function describeSuccess(success: boolean | undefined): "solved" | "not solved" | "unknown" {
  if (success === undefined) return "unknown";
  return success ? "solved" : "not solved";
}

function describeNumber(number: RecordedNumber): string {
  return formatNumber(untagNumber(number) ?? NaN, { decimals: 3 }).replace(/\.?0+$/, "");
}

function describeBudget(budget: Budget): string {
  const limits = [
    [budget.maxTurns, "turns"],
    [budget.maxTokens, "tokens"],
    [budget.maxToolCalls, "tool calls"],
    [budget.maxSeconds, "seconds"],
    [budget.maxCost, "cost"],
  ] as const;
  const words = limits.flatMap(([limit, unit]) => (limit === undefined ? [] : [`${limit} ${unit}`]));
  return words.length === 0 ? "unlimited" : words.join(", ");
}

function renderText(bounded: BoundedText, className: string): Html | undefined {
  const { text, omittedCharacters } = bounded;
  if (text === "" && omittedCharacters === undefined) return undefined;
  const omitted =
    omittedCharacters !== undefined &&
    markup`<span class="omitted">… ${omittedCharacters} characters more in the record</span>`;
  const isLong = text.length > foldedLength || text.split("\n", foldedLines + 1).length > foldedLines;
  // Only what can scroll must be reachable by the keyboard.
  const body = markup`<pre class="${className}"${isLong && markup` tabindex="0"`}>${text}</pre>${omitted}`;
  if (!isLong) return body;
  return markup`<details class="long"><summary>${cutText(text, 160)}…</summary>${body}</details>`;
}

function renderAnswer({ text, toolResults }: ReportAnswer): Html {
  const results = toolResults.map(
    ({ name, text: result, isError }) =>
      markup`<div class="result${isError && " failed"}"><span class="tag">${isError ? "error" : "result"}${name !== undefined && markup` of ${name}`}</span>${renderText(result, "observation")}</div>`,
  );
  return markup`${renderText(text, "observation")}${results}`;
}

function listFacts({ reward, distanceBefore, distanceAfter, flags }: ReportTurn): HtmlPart[] {
  const before = distanceBefore === undefined ? "?" : describeNumber(distanceBefore);
  return [
    ...flags.map((flag) => markup`<span class="flag">${flag.replaceAll("_", " ")}</span>`),
    reward !== undefined && markup`<span class="fact">reward ${describeNumber(reward)}</span>`,
    distanceAfter !== undefined &&
      markup`<span class="fact" title="fewest turns still needed, before and after">needs ${before} → ${describeNumber(distanceAfter)}</span>`,
  ];
}

function renderTurn(turn: ReportTurn): Html {
  const calls = turn.toolCalls.map(
    ({ name, arguments: given }) =>
      markup`<div class="call"><code>${name}</code>${renderText(given, "arguments")}</div>`,
  );
  const left = turn.turnsLeft !== undefined && markup`<span class="left">${turn.turnsLeft} left</span>`;
  return markup`<li class="turn ${turn.state}"><div class="turnhead"><b>Turn ${turn.turn}</b>${left}<span class="state">${turn.state === "error" ? "mistake" : turn.state}</span>${listFacts(turn)}</div>
${turn.notice !== undefined && markup`<p class="notice">${turn.notice}</p>`}${turn.reasoning !== undefined && renderFold("Reasoning", renderText(turn.reasoning, "reasoning"))}${renderText(turn.text, "said")}${turn.invalidReason !== undefined && markup`<p class="notice">No action: ${turn.invalidReason}</p>`}${calls}${turn.answer !== undefined && markup`<div class="answered">${renderAnswer(turn.answer)}</div>`}</li>
`;
}

function renderTurns({ turns, omittedTurns }: ReportEpisode): Html[] {
  return turns.flatMap((turn, index) => {
    const gap = turn.turn - (turns[index - 1]?.turn ?? 0) - 1;
    const omitted = omittedTurns !== undefined && gap > 0 && markup`<li class="gap">${gap} turns left out here</li>`;
    return [markup`${omitted}${renderTurn(turn)}`];
  });
}

function renderEpisode(view: ReportView, episode: ReportEpisode, index: number): Html {
  const tone = Math.max(0, findSurfaceIndex(view, episode.label));
  const { closing, opening, stopDetail } = episode;
  return markup`<article class="episode" id="e${index + 1}" tabindex="-1" aria-label="${`Episode ${index + 1}: ${episode.label}, task ${episode.taskId}`}">
<header><h3>${renderSwatch(tone)} ${episode.label} <span class="minus">on</span> ${episode.taskId}</h3>
<p><span class="outcome ${describeSuccess(episode.success).replace(" ", "-")}">${describeSuccess(episode.success)}</span> · end: ${describeStop(episode.stop)} after ${episode.turnCount} ${episode.turnCount === 1 ? "turn" : "turns"} · sample ${episode.sampleIndex} · budget ${describeBudget(episode.budget)} · ${episode.disclosure} · ${episode.terminalRule}</p>
${stopDetail !== undefined && markup`<p class="notice">${stopDetail}</p>`}</header>
${
  opening !== undefined &&
  markup`<div class="opening"><span class="tag">shown first</span>${renderAnswer(opening)}</div>
`
}<ol class="turns">
${renderTurns(episode)}</ol>
${closing !== undefined && markup`<div class="opening"><span class="tag">closing answer</span>${renderText(closing.prompt, "observation")}${renderText(closing.text, "said")}</div>`}<p class="id">episode ${episode.episodeId} · <a href="#episodes">back to the list</a></p>
</article>
`;
}

function renderEntry(view: ReportView, episode: ReportEpisode, index: number): Html {
  const tone = Math.max(0, findSurfaceIndex(view, episode.label));
  const outcome = describeSuccess(episode.success);
  const dots = episode.turns.map(({ state }) => markup`<i class="${state}"></i>`);
  return markup`<li data-label="${episode.label}" data-success="${outcome}" data-stop="${episode.stop}"><a href="#e${index + 1}">${renderSwatch(tone)} <span class="task">${episode.taskId}</span> <span class="meta">${episode.label} · ${episode.stop === "solved" && episode.success === true ? "solved" : `${outcome} · ${describeStop(episode.stop)}`}</span>${episode.reason === "discordant_task" && markup`<span class="differ">policies differ</span>`}<span class="dots" aria-hidden="true">${dots}</span></a></li>
`;
}

function renderSelect(name: string, label: string, values: readonly string[]): Html {
  const options = [...new Set(values)].map(
    (value) => markup`<option value="${value}">${describeValue(value)}</option>`,
  );
  return markup`<label>${label} <select data-filter="${name}"><option value="">all</option>${options}</select></label>`;
}

function describeValue(value: string): string {
  return value.replaceAll("_", " ");
}

function renderBrowser(view: ReportView): Html {
  const { episodes, rule } = view.report.episodes;
  if (episodes.length === 0) return markup`<p class="none">${rule}</p>`;
  const filters = markup`<div class="filters" id="filters" hidden><label>Search <input type="search" id="find" placeholder="task or text"></label>${renderSelect(
    "label",
    "Policy",
    episodes.map(({ label }) => label),
  )}${renderSelect(
    "success",
    "Outcome",
    episodes.map(({ success }) => describeSuccess(success)),
  )}${renderSelect(
    "stop",
    "Ended by",
    episodes.map(({ stop }) => stop),
  )}<span id="found" role="status"></span></div>`;
  return markup`<p>${renderNumber(view, "episodes.shown")} of ${renderNumber(view, "episodes.available")} episodes are in this page, chosen by rule. ${rule}</p>
<ul class="legend"><li><span class="chip turn-clean"></span> clean turn</li><li><span class="chip turn-error"></span> mistake: invalid, a failed call, or a step that brings the goal no closer</li><li><span class="chip turn-solved"></span> solved after it</li></ul>
${filters}
<div class="browser"><ul class="entries" id="entries" aria-label="Episodes">
${episodes.map((episode, index) => renderEntry(view, episode, index))}</ul>
<div class="reader" id="reader">
${episodes.map((episode, index) => renderEpisode(view, episode, index))}</div></div>
`;
}

/** The transcripts, one a click away. */
export const episodesSection: ReportSection = {
  id: "episodes",
  title: "Episodes",
  hasContent: ({ episodes }) => episodes.episodes.length > 0,
  renderHtml: renderBrowser,
};
