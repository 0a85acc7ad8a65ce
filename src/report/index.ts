export { buildReport } from "./build-report.js";
export type { EpisodePicker, EpisodePickerOptions } from "./episode-picker.js";
export { createEpisodePicker } from "./episode-picker.js";
export type { IndexEntry, RenderIndexPageOptions } from "./render-index-page.js";
export { renderIndexPage } from "./render-index-page.js";
export { renderReportPage } from "./render-report-page.js";
export type { RenderReportTextOptions } from "./render-report-text.js";
export { renderReportText } from "./render-report-text.js";
export { getReportHeadline, listReportCauses } from "./report-headline.js";
export { parseReport, renderReportJson } from "./report-json.js";
export type {
  BoundedText,
  EpisodeSelection,
  Report,
  ReportAnswer,
  ReportEpisode,
  ReportInput,
  ReportRun,
  ReportToolCall,
  ReportTurn,
  SelectionReason,
  Sentence,
  SentencePart,
  TaskListing,
  TurnState,
} from "./report.js";
export { reportSchema } from "./report.js";
