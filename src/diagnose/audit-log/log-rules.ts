import type { MetricLog, Rule } from "../../core/index.js";
import { clippedResponsesRule } from "./clipped-responses.js";
import { entropyCollapseRule } from "./entropy-collapse.js";
import { flatGroupsRule } from "./flat-groups.js";
import { gradientSpikeRule } from "./gradient-spike.js";
import { groupSizeRule } from "./group-size.js";
import { identicalRolloutsRule } from "./identical-rollouts.js";
import { klBlowUpRule } from "./kl-blow-up.js";
import { learningRateEndRule } from "./learning-rate-end.js";
import { lengthDriftRule } from "./length-drift.js";
import { loopsRule } from "./loops.js";
import { noLearningSignalRule } from "./no-learning-signal.js";
import { nonFiniteValueRule } from "./non-finite-value.js";
import { repeatedUpdatesRule } from "./repeated-updates.js";
import { rewardCollapseRule } from "./reward-collapse.js";
import { rewardWithoutSuccessRule } from "./reward-without-success.js";

/** Every rule about training logs, in the order reports list them. A new one is one line here. */
export const logRules: readonly Rule<MetricLog>[] = [
  nonFiniteValueRule,
  repeatedUpdatesRule,
  noLearningSignalRule,
  flatGroupsRule,
  groupSizeRule,
  identicalRolloutsRule,
  klBlowUpRule,
  gradientSpikeRule,
  entropyCollapseRule,
  clippedResponsesRule,
  lengthDriftRule,
  loopsRule,
  rewardWithoutSuccessRule,
  rewardCollapseRule,
  learningRateEndRule,
];
