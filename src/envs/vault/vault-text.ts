// internal
import { getBelief, listKeys } from "./belief.js";
import { plateNames, type VaultData, type VaultState } from "./vault-data.js";

/** What the agent is told about its job. */
export const vaultInstructions = [
  "You stand before a vault with a ring of keys. Exactly one key opens it, and you may try only one: a wrong key breaks off in the lock.",
  "A key's name says its colour, shape, metal and age, in this order. Beside the door are four covered plates; each says one of these properties of the right key. Reading a plate takes a turn. A plate may stick at its first reading: then nothing is read, the plate is loose from then on, and the reader is jammed until you reset it; pulling at a jammed reader jams it further.",
  "You may ask the guard once: half of the time the key he names is the right one, otherwise it is any other key. You may also use force, which opens some doors and seals the rest for good.",
  "Commit to the right key before your turns run out. How likely force works and how often plates stick is said at the beginning.",
].join("\n");

/** Returns what is public about a vault: keys, plates and odds. */
export function describeVault(data: VaultData): string {
  const sticking =
    data.stickOdds === 0 ? "Plates never stick here." : `One plate in ${data.stickOdds} sticks at its first reading.`;
  const keys = data.keys.map((key) => `- ${key}`).join("\n");
  return `There are ${data.keys.length} keys:\n${keys}\nThe plates tell ${plateNames.join(", ")}. ${sticking} Force opens one door in ${data.forceOdds}.`;
}

/** Returns what the agent can see of the state. */
export function describeState({ plates, jam }: VaultState): string {
  const read = plateNames.filter((_, index) => plates[index] === "read");
  return `Plates read: ${read.length === 0 ? "none" : read.join(", ")}. The reader ${jam > 0 ? "is jammed" : "works"}.`;
}

/** Returns the vault with its secrets, for people. */
export function renderVault(data: VaultData, state: VaultState): string {
  const possible = new Set(listKeys(getBelief(data, state).keys));
  const keys = data.keys.map((key, index) => {
    const marks = [
      index === data.opening ? "opens" : "",
      state.hasAsked && index === data.hint ? "named by the guard" : "",
    ];
    const notes = marks.filter((mark) => mark !== "").join(", ");
    return `${possible.has(index) ? "  " : "x "}${key}${notes === "" ? "" : `  (${notes})`}`;
  });
  const rows = plateNames.map(
    (name, index) => `${name}: ${state.plates[index]}${data.isSticky[index] ? ", sticky" : ""}`,
  );
  const door = `door: ${state.isOpen ? "open" : "closed"}${data.isWeak ? ", weak" : ""}   jam: ${state.jam}`;
  return [...keys, ...rows, door].join("\n");
}
