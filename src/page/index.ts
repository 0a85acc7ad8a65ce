export type { FormatClaimOptions } from "./claim-text.js";
export { formatClaim, formatNumber, missingText } from "./claim-text.js";
export { cleanText, cutText } from "./clean-text.js";
export type { ContourCell, ContourChartSpec, ContourLine } from "./contour-chart.js";
export { renderContourChart } from "./contour-chart.js";
export type { HeatCell, HeatTableSpec } from "./heat-table.js";
export { renderHeatTable } from "./heat-table.js";
export type { HtmlPart } from "./html.js";
export { Html, escapeHtml, markup, trustHtml } from "./html.js";
export type { LineChartSpec, LineMark, LinePoint, LineSeries } from "./line-chart.js";
export { renderLineChart } from "./line-chart.js";
export type { PageLink, PageSpec } from "./page.js";
export { renderPage } from "./page.js";
export type { Choice, FigureSpec, LegendEntry } from "./parts.js";
export {
  getDash,
  getTone,
  maxChoices,
  renderChoices,
  renderFigure,
  renderFold,
  renderLegend,
  renderSwatch,
  toneCount,
} from "./parts.js";
export type { ProfileChartSpec } from "./profile-chart.js";
export { renderProfileChart } from "./profile-chart.js";
export { pageScript } from "./script.js";
export type { SharePart } from "./share-bar.js";
export { renderDumbbell, renderShareBar } from "./share-bar.js";
export type { ShellSpec } from "./shell.js";
export { renderShell } from "./shell.js";
export type { Stack, StackChartSpec, StackPart } from "./stack-chart.js";
export { renderStackChart } from "./stack-chart.js";
export { themeStyles } from "./styles/theme.js";
export type { TableColumn, TableRow, TableSpec } from "./table.js";
export { renderTable } from "./table.js";
