// internal
import type { Action, ToolSpec } from "../core/index.js";
import { applyCommands, readCommand, type AppliedAction, type Command, type CommandAnswer } from "./commands.js";

/**
 * Returns the first command of an action that an env with one call a turn carries out, or `undefined` when it holds
 * none.
 */
export function findCommand(action: Action, tools: readonly ToolSpec[]): Command | undefined {
  if (action.invalid !== undefined || action.quit === true) return undefined;
  for (const call of action.toolCalls ?? []) {
    const read = readCommand(call, tools);
    if (!("flags" in read)) return read;
  }
  return undefined;
}

/**
 * Carries out the first command of an action; further ones are answered as invalid. Envs whose turns are meant to be
 * one call use it, so that a turn is the same with tool calls and with text actions.
 */
export function applyOneCommand<State>(
  action: Action,
  tools: readonly ToolSpec[],
  first: State,
  apply: (state: State, command: Command) => CommandAnswer<State>,
): AppliedAction<State> {
  let commandCount = 0;
  return applyCommands(action, tools, first, (state: State, command): CommandAnswer<State> => {
    commandCount += 1;
    if (commandCount === 1) return apply(state, command);
    return { state, text: "Not carried out: make exactly one call in each turn", flags: { invalid: true } };
  });
}
