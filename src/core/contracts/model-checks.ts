// internal
import { expectThat, nameTask, play, stepOnce, toText, type CheckContext } from "./contract-kit.js";
import type { ContractCheck } from "./contract.js";

/** Returns the check of `outcomes`; none for an env that cannot list them. */
export function outcomeChecks(context: CheckContext): ContractCheck[] {
  const { env } = context;
  const { outcomes } = env;
  if (outcomes === undefined) return [];
  return [
    {
      name: "the outcomes of a step have probabilities that sum to 1, and what happens is one of them",
      async run() {
        for (const task of context.tasks) {
          const steps = await play(context, task);
          for (const [i, { before, action, result }] of steps.entries()) {
            if (before === undefined) continue;
            const place = `${nameTask(task)}, step ${i}`;
            const possible = outcomes.call(env, task, before, action);
            const sum = possible.reduce((total, { probability }) => total + probability, 0);
            expectThat(Math.abs(sum - 1) < 1e-9, `${place}: the probabilities sum to ${sum}`);
            const after = steps[i + 1]?.before;
            const isListed = possible.some(({ probability, value }) => {
              if (probability <= 0 || toText(value.result) !== toText(result)) return false;
              return after === undefined || toText(value.snapshot) === toText(after);
            });
            expectThat(isListed, `${place}: what happened is not among the outcomes: ${toText(result)}`);
          }
        }
      },
    },
  ];
}

/** What a policy might say on the closing call. */
const closingTexts = ["", "I do not know", "yes", "42", "The answer is red.\nSo: red"];

/** Returns the check of the closing rule; none for an env that takes no closing answer. */
export function closingChecks({ env, tasks, seed }: CheckContext): ContractCheck[] {
  const { closing } = env;
  if (closing === undefined) return [];
  return [
    {
      name: "any closing answer can be handed in",
      async run() {
        expectThat(closing.prompt.trim() !== "", "The closing prompt is empty");
        for (const text of closingTexts) {
          const action = closing.submit({ text });
          expectThat(action.quit === undefined, `The closing answer ${toText(text)} became a quit`);
          const result = await stepOnce(await env.start(tasks[0], seed), action);
          expectThat(typeof result.observation.text === "string", `The closing answer ${toText(text)} got no answer`);
        }
      },
    },
  ];
}
