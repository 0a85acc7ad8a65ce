// internal
import type { Random } from "../../core/index.js";
import { isDrawn } from "../grid.js";

/** What a plate says about the key that opens: one property each, with its possible values. */
export const plates = {
  colour: ["red", "blue", "green"],
  shape: ["round", "square", "oval"],
  metal: ["iron", "brass", "silver"],
  age: ["new", "worn", "ancient"],
} as const;
/** The plates in the order of the words of a key's name. */
export const plateNames = ["colour", "shape", "metal", "age"] as const;

/** One vault, its secrets included. */
export type VaultData = {
  /** Names such as `red-round-iron-new`, all different. */
  readonly keys: readonly string[];
  /** Index of the key that opens. */
  readonly opening: number;
  /** A plate sticks at its first reading in one of this many cases; 0 is never. */
  readonly stickOdds: number;
  /** Which plates stick. */
  readonly isSticky: readonly boolean[];
  /** Index of the key the guard names: the right one in half of the cases, otherwise any other. */
  readonly hint: number;
  /** Force opens the door in one of this many cases. */
  readonly forceOdds: number;
  /** Whether force opens this door. */
  readonly isWeak: boolean;
};

/** What has happened in one episode. */
export type VaultState = {
  /** Of each plate: not tried, loosened by a first try that stuck, or read. */
  readonly plates: readonly PlateState[];
  /** Resets the reader needs before it reads again. */
  readonly jam: number;
  readonly hasAsked: boolean;
  /** Whether the door is open. */
  readonly isOpen: boolean;
};
/** What has happened to one plate. */
export type PlateState = "hidden" | "loose" | "read";

/** The reader jams no worse than this. */
export const maxJam = 2;

/** The state in which every episode begins. */
export const closedVault: VaultState = {
  plates: plateNames.map(() => "hidden"),
  jam: 0,
  hasAsked: false,
  isOpen: false,
};

/** Returns what plate `plate` says about a key: one word of its name. */
export function getPlateValue(key: string, plate: number): string {
  return key.split("-")[plate] ?? "";
}

const levels = [
  { keyCount: 4, stickOdds: 0, forceOdds: 6 },
  { keyCount: 6, stickOdds: 4, forceOdds: 5 },
  { keyCount: 12, stickOdds: 3, forceOdds: 5 },
] as const;

/** Number of difficulty levels: more keys, and plates that stick. */
export const vaultLevelCount = levels.length;

/** Returns a random vault of this level. */
export function generateVault(level: number, random: Random): VaultData {
  const { keyCount, stickOdds, forceOdds } = levels[level - 1];
  const keys = new Set<string>();
  while (keys.size < keyCount) keys.add(plateNames.map((name) => random.pick(plates[name])).join("-"));
  const opening = random.nextInt(keyCount);
  const other = (opening + 1 + random.nextInt(keyCount - 1)) % keyCount;
  return {
    keys: [...keys],
    opening,
    stickOdds,
    isSticky: plateNames.map(() => stickOdds > 0 && isDrawn(random, 1, stickOdds)),
    hint: isDrawn(random, 1, 2) ? opening : other,
    forceOdds,
    isWeak: isDrawn(random, 1, forceOdds),
  };
}
