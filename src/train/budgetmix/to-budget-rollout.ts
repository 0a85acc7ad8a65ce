import {
  canonicalJson,
  findBudgetNotices,
  isQuit,
  untagNumber,
  type Action,
  type BudgetRollout,
  type RolloutEnd,
  type StopReason,
  type ToldBudget,
  type Trajectory,
} from "../../core/index.js";

/** Returns an action as a text that equal actions share; ids and reasoning do not count. */
function nameAction(action: Action): string {
  if (isQuit(action)) return "quit";
  const { toolCalls = [], text } = action;
  if (toolCalls.length === 0) return text.trim();
  return toolCalls
    .map(({ name, arguments: values, rawArguments }) => `${name} ${canonicalJson(values ?? rawArguments ?? {})}`)
    .join("; ");
}

function toEnd({ type }: StopReason): RolloutEnd {
  switch (type) {
    case "env_end":
      return "ended";
    case "quit":
    case "max_turns":
    case "error":
      return type;
    default:
      return "other";
  }
}

/** Returns the tokens sampled in an episode; `undefined` when a turn does not know. */
function countTokens({ turns }: Trajectory): number | undefined {
  let total = 0;
  for (const { tokens, usage } of turns) {
    const own = tokens?.ids?.length ?? usage?.completionTokens;
    if (own === undefined) return undefined;
    total += own;
  }
  return total;
}

/**
 * Returns the total that the record states, else the sum of what the turns were given; `undefined` when neither is known,
 * and for an episode that ended in an error without a stated total, as it has no outcome. In a record of our own a turn
 * that gives up asked the env nothing, and so got nothing.
 */
function sumReward({ turns, episodeReturn, stopReason, provenance }: Trajectory): number | undefined {
  const stated = untagNumber(episodeReturn);
  if (stated !== undefined || turns.length === 0 || stopReason.type === "error") return stated;
  let total = 0;
  for (const { reward, action } of turns) {
    const isAsked = provenance !== undefined || !isQuit(action);
    const own = untagNumber(reward) ?? (isAsked ? undefined : 0);
    if (own === undefined) return undefined;
    total += own;
  }
  return total;
}

/** Returns an episode as an audit of budgets needs it. `file` is where it was read from. */
export function toBudgetRollout(trajectory: Trajectory, file?: string): BudgetRollout {
  const { episodeId, task, groupId, budget, turns, envSeed, samplingSeed, stopReason, success } = trajectory;
  const { env, terminalRule, provenance } = trajectory;
  const told = turns.flatMap(({ notice = "" }, turnIndex) =>
    findBudgetNotices(notice).map((each): ToldBudget => ({ ...each, turnIndex })),
  );
  const [tokens, reward] = [countTokens(trajectory), sumReward(trajectory)];
  return {
    place: { ...(file === undefined ? {} : { file }), detail: `episode ${episodeId}` },
    ...(groupId === undefined ? {} : { group: groupId }),
    // What an importer wrote is a translation: the other tool names envs in its own way.
    ...(provenance === undefined ? { env: { id: env.id, version: env.version }, terminalRule } : {}),
    taskId: task.id,
    taskHash: task.hash,
    ...(budget.maxTurns === undefined ? {} : { maxTurns: budget.maxTurns }),
    told,
    turns: turns.length,
    ...(tokens === undefined ? {} : { tokens }),
    ...(turns.length === 0 ? {} : { firstAction: nameAction(turns[0].action) }),
    ...(envSeed === undefined ? {} : { envSeed }),
    ...(samplingSeed === undefined ? {} : { samplingSeed }),
    end: toEnd(stopReason),
    ...(success === undefined ? {} : { success }),
    ...(reward === undefined ? {} : { reward }),
  };
}
