import type { CommonMetric } from "../../core/index.js";

/** What the tools call the common metrics, lower-case: exact names first, the more telling one before the others. */
const exactNames: { readonly [metric in CommonMetric]: readonly string[] } = {
  // verl: the score is the task's reward, "rewards" has the KL penalty taken off.
  reward: `reward train/reward critic/score/mean critic/rewards/mean episode/reward/mean eprewmean rollout/ep_rew_mean
    env/reward_mean objective/scores objective/rlhf_reward reward/mean train/reward/mean reward/all/mean
    env/all/reward/total ppo/mean_scores rewards/mean reward_mean charts/episodic_return`.split(/\s+/),
  // TRL takes the mean over groups or the batch's, as its configuration says; nothing in the log tells which.
  reward_std: "reward_std train/reward_std rollout/reward_std critic/score/std reward/std".split(" "),
  group_reward_std: `rollout/in_group_std rollout/in_group_std_mean rollout/in_group_reward_std train/in_group_std
    train/in_group_reward_std in_group_reward_std group/reward_std`.split(/\s+/),
  flat_group_share: `frac_reward_zero_std train/frac_reward_zero_std group/flat_share
    zero_advantage_ratio rollout/zero_std_ratio`.split(/\s+/),
  failed_group_share: "env/all/by_group/frac_all_bad by_group/frac_all_bad batch/solve_none solve_none/all/mean".split(
    " ",
  ),
  solved_group_share: "env/all/by_group/frac_all_good by_group/frac_all_good batch/solve_all solve_all/all/mean".split(
    " ",
  ),
  smallest_group: ["group/smallest"],
  largest_group: ["group/largest"],
  success: `episode/success_rate success_rate train/success_rate success/mean rollout/success_rate
    env/all/correct env/all/success`.split(/\s+/),
  eval_success: `val/success_rate eval/success_rate eval_success_rate test/success_rate test/env/all/correct`.split(
    /\s+/,
  ),
  loss: `actor/pg_loss loss/policy_loss loss/policy_avg train/policy_gradient_loss ppo/loss/policy losses/policy_loss
    policy_loss loss train/loss loss/mean`.split(/\s+/),
  grad_norm: "grad_norm train/grad_norm actor/grad_norm optim/grad_norm gradient_norm train/gradient_norm".split(" "),
  learning_rate: `learning_rate train/learning_rate actor/lr optim/lr optim/learning_rate lr charts/learning_rate
    train/lr`.split(/\s+/),
  kl: `kl train/kl objective/kl actor/kl_loss actor/reward_kl_penalty actor/kl critic/kl kl_policy_base kl/mean
    kl_div`.split(/\s+/),
  update_kl:
    `actor/ppo_kl loss/approxkl policy/approxkl_avg train/approx_kl losses/approx_kl ppo/policy/approxkl approxkl
    optim/kl_sample_train_v1 approx_kl`.split(/\s+/),
  entropy: `entropy train/entropy actor/entropy actor/entropy_loss loss/policy_entropy objective/entropy
    policy/entropy_avg ppo/policy/entropy optim/entropy losses/entropy policy_entropy entropy/mean`.split(/\s+/),
  response_length: `completions/mean_length train/completions/mean_length response_length/mean completion_length
    train/completion_length response/mean_length completion_len/all/mean response_length`.split(/\s+/),
  clipped_share: `completions/clipped_ratio train/completions/clipped_ratio response_length/clip_ratio
    is_truncated/all/mean completions/truncated_ratio`.split(/\s+/),
  episode_turns: `num_turns/mean training/num_turns/mean num_turns/all/mean episode/length/mean eplenmean
    rollout/ep_len_mean env/all/turns_per_episode`.split(/\s+/),
  loop_share: "output/loop_share repetition_ratio response/repetition_ratio".split(" "),
  duplicate_share: ["group/duplicate_share"],
};

/** Names that hold an env's or a data source's own name. */
const patterns: readonly (readonly [RegExp, CommonMetric])[] = [
  [
    /^(?:val|eval|test)(?:-core|-aux|-env)?[/_].*(?:success(?:_rate)?|pass@1|acc(?:uracy)?)(?:\/mean(?:@\d+)?)?$/,
    "eval_success",
  ],
  [/^(?:train|rollout|episode)\/.*success(?:_rate)?(?:\/mean)?$/, "success"],
  [/^is_truncated\/.+\/mean$/, "clipped_share"],
  [/^num_turns\/.+\/mean$/, "episode_turns"],
];

const byName = new Map<string, { readonly metric: CommonMetric; readonly rank: number }>();
for (const [metric, names] of Object.entries(exactNames)) {
  names.forEach((name, rank) => byName.set(name, { metric: metric as CommonMetric, rank })); // the keys of the table
}

/** Returns the common metric that a tool's column states, or `undefined`. Letter case does not matter. */
export function findCommonMetric(name: string): CommonMetric | undefined {
  const lower = name.toLowerCase();
  return byName.get(lower)?.metric ?? patterns.find(([pattern]) => pattern.test(lower))?.[1];
}

/** Returns where a name stands among those of its metric: the least is the most telling. Unlisted names come last. */
export function getNameRank(name: string): number {
  return byName.get(name.toLowerCase())?.rank ?? Number.MAX_SAFE_INTEGER;
}
