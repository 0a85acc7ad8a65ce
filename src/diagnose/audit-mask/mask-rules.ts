import type { Rule, TokenSample } from "../../core/index.js";
import { addedEndTrainedRule } from "./added-end-trained.js";
import { endTokenMaskedRule } from "./end-token-masked.js";
import { foreignTurnTrainedRule } from "./foreign-turn-trained.js";
import { impossibleLogProbRule } from "./impossible-log-prob.js";
import { lossDenominatorRule } from "./loss-denominator.js";
import { maskShiftRule } from "./mask-shift.js";
import { observationTrainedRule } from "./observation-trained.js";
import { paddingTrainedRule } from "./padding-trained.js";
import { prefixBrokenRule } from "./prefix-broken.js";
import { promptTrainedRule } from "./prompt-trained.js";
import { retokenisedRule } from "./retokenised.js";
import { spansLeftOutRule } from "./spans-left-out.js";
import { targetShiftRule } from "./target-shift.js";
import { templateTrainedRule } from "./template-trained.js";
import { nothingTrainedRule } from "./nothing-trained.js";
import { unequalLengthsRule } from "./unequal-lengths.js";
import { unusableFieldRule } from "./unusable-field.js";

/** The rules about a record's form. They say nothing of its mask: a sample that only they could judge was not judged. */
export const formRules: readonly Rule<TokenSample>[] = [unequalLengthsRule, unusableFieldRule, nothingTrainedRule];

/** Every rule about training samples, in the order reports list them. A new one is one line here. */
export const maskRules: readonly Rule<TokenSample>[] = [
  ...formRules,
  maskShiftRule,
  targetShiftRule,
  promptTrainedRule,
  observationTrainedRule,
  templateTrainedRule,
  foreignTurnTrainedRule,
  paddingTrainedRule,
  spansLeftOutRule,
  endTokenMaskedRule,
  addedEndTrainedRule,
  lossDenominatorRule,
  prefixBrokenRule,
  retokenisedRule,
  impossibleLogProbRule,
];
