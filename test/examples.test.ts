import { expect, test } from "vitest";
import { policy } from "../examples/own-agent.js";
import { env } from "../examples/own-env.js";
import { envContractChecks, policyContractChecks } from "../src/core/index.js";
import { runEpisode } from "../src/rollout/index.js";

for (const check of envContractChecks(env, { isSeedIndependent: () => true })) {
  test(`examples/own-env.js: ${check.name}`, async () => {
    await expect(check.run()).resolves.toBeUndefined();
  });
}
for (const check of policyContractChecks(policy, env)) {
  test(`examples/own-agent.js: ${check.name}`, async () => {
    await expect(check.run()).resolves.toBeUndefined();
  });
}
test("examples/own-agent.js finds every number of own-env.js within the turns that halving needs", async () => {
  for (const level of [1, 2, 3]) {
    for (const task of env.makeTasks?.({ split: "eval", level, taskCount: 10, seed: 4 }) ?? []) {
      const { success } = await runEpisode(env, policy, task, { budget: { maxTurns: 2 * (level + 1) } });
      expect(success).toBe(true);
    }
  }
});
