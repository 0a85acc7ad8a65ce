export type { PlanEpisodeRow, PlanPrompt } from "./plan/plan-prompts.js";
export { renderPlanPrompts, toEpisodeRows } from "./plan/plan-prompts.js";
export type { TrlRow } from "./trl/trl-rows.js";
export { toTrlRow } from "./trl/trl-rows.js";
export { encodeVerlParquet } from "./verl/verl-parquet.js";
export type { VerlRow } from "./verl/verl-rows.js";
export { toVerlRow } from "./verl/verl-rows.js";
