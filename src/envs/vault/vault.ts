import { pureEnv, readPureState, tagNumber, type Action, type Env, type Oracle, type Task } from "../../core/index.js";
import { applyCommands, createCallAction } from "../commands.js";
import { memoize } from "../memo.js";
import { makeTaskSuite } from "../task-suite.js";
import { getBelief, listMoves } from "./belief.js";
import { createVaultPlanner } from "./planner.js";
import { closedVault, generateVault, vaultLevelCount, type VaultData, type VaultState } from "./vault-data.js";
import { applyMove, readMoves, toAction, toMove, vaultTools } from "./vault-rules.js";
import { describeState, describeVault, renderVault, vaultInstructions } from "./vault-text.js";

/** What is computed once for each vault. */
function prepareVault(task: Task) {
  const data = task.data as VaultData; // made by generateVault
  return { data, planner: createVaultPlanner(data) };
}
type PreparedVault = ReturnType<typeof prepareVault>;

function createVaultOracle(prepare: (task: Task) => PreparedVault): Oracle {
  return {
    bestActions(task, snapshot, turnsLeft = Infinity) {
      const { data, planner } = prepare(task);
      const belief = getBelief(data, readPureState<VaultState>(snapshot));
      return planner.getBest(belief, turnsLeft).map((move) => toAction(data, move));
    },
    allowedActions(task, snapshot) {
      const { data } = prepare(task);
      return listMoves(getBelief(data, readPureState<VaultState>(snapshot))).map((move) => toAction(data, move));
    },
    getSuccessChance(task, snapshot, turnsLeft = Infinity, first) {
      const { data, planner } = prepare(task);
      const belief = getBelief(data, readPureState<VaultState>(snapshot));
      if (first === undefined) return planner.getChance(belief, turnsLeft);
      return turnsLeft < 1 ? 0 : planner.getMovesChance(belief, readMoves(data, first), turnsLeft - 1);
    },
  };
}

/** What the oracle says about one step. */
function describeChoice(
  { data, planner }: PreparedVault,
  before: VaultState,
  action: Action,
  after: VaultState,
  isOver: boolean,
) {
  const distanceAfter = after.isOpen ? 0 : isOver ? Infinity : planner.getSureTurns(getBelief(data, after));
  const belief = getBelief(data, before);
  return {
    distanceBefore: tagNumber(planner.getSureTurns(belief)),
    distanceAfter: tagNumber(distanceAfter),
    regret: Math.max(0, 1 - planner.getMovesChance(belief, readMoves(data, action), Infinity)),
  };
}

/**
 * Returns the vault env: find the one key that opens among 4, 6 or 12 (levels 1 to 3). Plates tell the right key's
 * properties for a turn each, from level 2 on they may stick and jam the reader (a recoverable error that costs
 * resets); a guard is right half of the time; force and a wrong key end the episode. With few turns the best play is
 * a gamble, with enough it is certain, so the best strategy depends on T. The reward is 1 for an open vault.
 *
 * The oracle knows what the agent has been shown and no more. The distance is the fewest turns (of one call each) in
 * which an agent with this information can be sure to open the vault whatever is still hidden, infinite after a
 * wrong end; regret is the chance given away without a turn limit; chances for a given number of turns are exact.
 */
export function createVaultEnv(): Env {
  const prepare = memoize((task: Task) => task.hash, prepareVault);
  return pureEnv<VaultState>({
    id: "vault",
    version: "1",
    instructions: vaultInstructions,
    tools: vaultTools,
    text: {
      instructions:
        "Write one action as <action>read PLATE</action>, <action>ask</action>, <action>reset</action>, <action>force</action> or <action>commit KEY</action>.",
      examples: [
        "<action>read colour</action>",
        "<action>ask</action>",
        "<action>reset</action>",
        "<action>force</action>",
        "<action>commit red-round-iron-new</action>",
      ],
    },
    isSuccessAbsorbing: true,
    isDeterministic: true,
    closing: {
      prompt: "Your turns are over. Name the one key you put in the lock, by its full name and nothing else.",
      submit: ({ text }) => createCallAction("commit", { key: /[a-z]+(-[a-z]+){3}/gi.exec(text)?.[0] ?? text }),
    },
    makeTasks: (request) => makeTaskSuite("vault", request, vaultLevelCount, generateVault),
    initial: () => closedVault,
    observe: (state, task) => ({ text: `${describeVault(prepare(task).data)}\n${describeState(state)}` }),
    step(state, action, task) {
      const prepared = prepare(task);
      const { data } = prepared;
      const applied = applyCommands<VaultState>(
        action,
        vaultTools,
        state,
        (current, command) => {
          const move = toMove(data, command);
          if (move !== undefined) return applyMove(data, current, move);
          return { state: current, text: "There is no such key on the ring.", flags: { toolError: true } };
        },
        { describe: describeState },
      );
      const choice = describeChoice(prepared, state, action, applied.state, applied.ended !== undefined);
      return { ...applied, solvedAfter: applied.state.isOpen, ...choice };
    },
    render: (state, task) => renderVault(prepare(task).data, state),
    oracle: createVaultOracle(prepare),
  });
}
