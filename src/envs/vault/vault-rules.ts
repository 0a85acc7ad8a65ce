// internal
import type { Action, ToolSpec } from "../../core/index.js";
import { createCallAction, readCommand, type Command, type CommandAnswer } from "../commands.js";
import type { VaultMove } from "./belief.js";
import { getPlateValue, maxJam, plateNames, type VaultData, type VaultState } from "./vault-data.js";

function createTool(name: string, description: string, properties: ToolSpec["parameters"] = {}): ToolSpec {
  const parameters = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description, parameters };
}
/** The moves as tools. */
export const vaultTools = [
  createTool("read", "Uncover and read one plate.", {
    plate: { type: "string", enum: plateNames, description: "The property the plate tells" },
  }),
  createTool("ask", "Ask the guard which key is the right one."),
  createTool("reset", "Reset the reader when it is jammed."),
  createTool("force", "Try to force the door. It opens, or it is sealed for good."),
  createTool("commit", "Put a key in the lock and turn it. This ends everything, one way or the other.", {
    key: { type: "string", description: "The key's full name, e.g. red-round-iron-new" },
  }),
];

/** Returns the move a command stands for; `undefined` for a key that is not on the ring. */
export function toMove({ keys }: VaultData, { name, values }: Command): VaultMove | undefined {
  switch (name) {
    case "read":
      return { type: "read", plate: plateNames.findIndex((plate) => plate === values["plate"]) };
    case "commit": {
      const keyName = values["key"] as string; // the schema allows nothing else
      const key = keys.indexOf(keyName.trim().toLowerCase());
      return key < 0 ? undefined : { type: "commit", key };
    }
    case "ask":
    case "reset":
    case "force":
      return { type: name };
    default:
      throw new RangeError(`Cannot carry out "${name}": it is not a tool of the vault`);
  }
}

/** Returns the action that makes a move, as oracles list it. */
export function toAction({ keys }: VaultData, move: VaultMove): Action {
  if (move.type === "read") return createCallAction("read", { plate: plateNames[move.plate] });
  return createCallAction(move.type, move.type === "commit" ? { key: keys[move.key] } : {});
}

function applyRead(data: VaultData, state: VaultState, plate: number): CommandAnswer<VaultState> {
  const name = plateNames[plate];
  if (state.jam > 0) {
    const jam = Math.min(maxJam, state.jam + 1);
    return {
      state: { ...state, jam },
      text: "The reader is jammed, and pulling at it makes it worse.",
      flags: { toolError: true },
    };
  }
  const told = `The plate says: the right key's ${name} is ${getPlateValue(data.keys[data.opening], plate)}.`;
  if (state.plates[plate] === "read") return { state, text: `You have read this plate before. ${told}` };
  const mark = (to: "loose" | "read") => state.plates.map((current, index) => (index === plate ? to : current));
  if (state.plates[plate] === "hidden" && data.isSticky[plate]) {
    return {
      state: { ...state, plates: mark("loose"), jam: 1 },
      text: `The ${name} plate stuck and jammed the reader.`,
      flags: { toolError: true },
    };
  }
  return { state: { ...state, plates: mark("read") }, text: told };
}

/** Carries out one move. */
export function applyMove(data: VaultData, state: VaultState, move: VaultMove): CommandAnswer<VaultState> {
  const solve = (text: string): CommandAnswer<VaultState> => ({
    state: { ...state, isOpen: true },
    text,
    reward: 1,
    ended: "solved",
  });
  switch (move.type) {
    case "read":
      return applyRead(data, state, move.plate);
    case "ask": {
      const named = `The guard names ${data.keys[data.hint]}.`;
      return {
        state: { ...state, hasAsked: true },
        text: state.hasAsked ? `The guard has nothing new to say. ${named}` : named,
      };
    }
    case "reset": {
      if (state.jam === 0) return { state, text: "The reader is not jammed; resetting it changes nothing." };
      const text =
        state.jam === 1 ? "The reader is free again." : "The reader is less jammed, but needs another reset.";
      return { state: { ...state, jam: state.jam - 1 }, text };
    }
    case "force":
      return data.isWeak
        ? solve("The door gives way.")
        : { state, text: "The door holds and is sealed for good.", ended: "env_fail" };
    case "commit":
      if (move.key === data.opening) return solve("The key turns and the vault opens.");
      return { state, text: "The key breaks off in the lock.", ended: "wrong_final" };
    default:
      return move satisfies never;
  }
}

/** Returns the moves an action makes; calls that cannot be carried out are left out, as in a step. */
export function readMoves(data: VaultData, action: Action): VaultMove[] {
  if (action.invalid !== undefined || action.quit === true) return [];
  return (action.toolCalls ?? []).flatMap((call) => {
    const read = readCommand(call, vaultTools);
    const move = "flags" in read ? undefined : toMove(data, read);
    return move === undefined ? [] : [move];
  });
}
