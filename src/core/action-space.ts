import { isQuit } from "./action.js";
import { usageError } from "./errors.js";
import { isFlaggedInvalid, type Trajectory } from "./trajectory.js";

/** What tools one policy called, as far as it tells whether the env knows them. */
export interface ActionTally {
  /** Turns with tool calls. */
  turns: number;
  /** Of these, turns whose calls could not be carried out; and those that called a tool that does not exist. */
  rejected: number;
  unknown: number;
  /** Names of the tools called, with the number of calls: all, and of turns that were not rejected. */
  readonly tools: Map<string, number>;
  readonly acceptedTools: Map<string, number>;
  /** Holds imported episodes, whose importer may not know which tools there were. */
  isImported: boolean;
}

/** Fewer turns than this say nothing about a policy's action space. */
const minTurns = 20;
/** A policy of which this share of calls is rejected acts in another action space, unless others use its tools. */
const maxRejected = 0.95;

/** Returns an empty tally. */
export function createActionTally(): ActionTally {
  return { turns: 0, rejected: 0, unknown: 0, tools: new Map(), acceptedTools: new Map(), isImported: false };
}

function count(tools: Map<string, number>, name: string): void {
  tools.set(name, (tools.get(name) ?? 0) + 1);
}

/** Adds an episode to a tally. */
export function tallyActions(
  tally: ActionTally,
  { turns, provenance }: Pick<Trajectory, "turns" | "provenance">,
): void {
  if (provenance !== undefined) tally.isImported = true;
  for (const { action, flags } of turns) {
    const { toolCalls = [] } = action;
    if (toolCalls.length === 0 || isQuit(action)) continue;
    const isRejected = isFlaggedInvalid(flags);
    tally.turns += 1;
    if (isRejected) tally.rejected += 1;
    if (flags?.unknownTool === true) tally.unknown += 1;
    for (const { name } of toolCalls) {
      count(tally.tools, name);
      if (!isRejected) count(tally.acceptedTools, name);
    }
  }
}

/** Returns the most frequent names, quoted, at most five. */
function listTools(tools: ReadonlyMap<string, number>): string {
  const names = [...tools].sort(([x, n], [y, m]) => m - n || (x < y ? -1 : 1)).map(([name]) => `"${name}"`);
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;
}

const remedy = "Compare policies that act with the same tools; otherwise what differs is the interface, not the policy";

interface ActingSide {
  readonly label: string;
  readonly actions: ActionTally;
}

/** Says whether a policy calls what the env does not have: tools that do not exist, or, rejected, none that others use. */
function isForeign({ label, actions }: ActingSide, sides: readonly ActingSide[]): boolean {
  const { turns, rejected, unknown, tools } = actions;
  if (turns < minTurns || rejected < maxRejected * turns) return false;
  if (unknown >= maxRejected * turns) return true;
  const accepted = sides
    .filter((side) => side.label !== label)
    .flatMap((side) => [...side.actions.acceptedTools.keys()]);
  return accepted.length > 0 && !accepted.some((name) => tools.has(name));
}

/**
 * Refuses policies that do not act in the same action space: 95 % of one's turns with calls (at least 20) were rejected by
 * the env, as the tools do not exist or are none that others use; or, where episodes are imported and nobody may have
 * checked the calls, both call tools and no tool is called by both. Wrong arguments of a known tool and unreadable text
 * are a policy's own failure. `task` says what cannot be done, after "Cannot".
 *
 * @throws {TurnwiseError} (usage) naming the policies and their tools.
 */
export function checkActionSpaces(task: string, sides: readonly ActingSide[]): void {
  for (const side of sides) {
    if (!isForeign(side, sides)) continue;
    const { label, actions } = side;
    const others = sides.filter((other) => other.label !== label && other.actions.tools.size > 0);
    const known = others.map((other) => `; "${other.label}" calls ${listTools(other.actions.tools)}`).join("");
    throw usageError(
      `Cannot ${task}: ${actions.rejected} of ${actions.turns} turns with calls of "${label}" could not be carried out, as it calls ${listTools(actions.tools)} in an env without such tools${known}`,
      remedy,
    );
  }
  for (const [index, left] of sides.entries()) {
    for (const right of sides.slice(index + 1)) {
      const [x, y] = [left.actions, right.actions];
      if ((!x.isImported && !y.isImported) || x.tools.size === 0 || y.tools.size === 0) continue;
      if ([...x.tools.keys()].some((name) => y.tools.has(name))) continue;
      throw usageError(
        `Cannot ${task}: their action spaces differ, "${left.label}" calls ${listTools(x.tools)} and "${right.label}" calls ${listTools(y.tools)}`,
        remedy,
      );
    }
  }
}
