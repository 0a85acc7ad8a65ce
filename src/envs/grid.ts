// internal
import type { Random, ToolSpec } from "../core/index.js";

/** A step on a grid. */
export type Direction = "up" | "down" | "left" | "right";
/** Every direction, in the order oracles list them. */
export const directions: readonly Direction[] = ["up", "down", "left", "right"];

/** The direction opposite to each. */
export const opposite: Readonly<Record<Direction, Direction>> = {
  up: "down",
  down: "up",
  left: "right",
  right: "left",
};

/** The two directions at right angles to each. */
export const sideways: Readonly<Record<Direction, readonly [Direction, Direction]>> = {
  up: ["left", "right"],
  down: ["left", "right"],
  left: ["up", "down"],
  right: ["up", "down"],
};

/** Returns the cell one step from `cell` (row-major index), or `cell` itself at the border. */
export function moveCell(cell: number, direction: Direction, width: number, height: number): number {
  const [row, column] = [Math.floor(cell / width), cell % width];
  switch (direction) {
    case "up":
      return row === 0 ? cell : cell - width;
    case "down":
      return row === height - 1 ? cell : cell + width;
    case "left":
      return column === 0 ? cell : cell - 1;
    case "right":
      return column === width - 1 ? cell : cell + 1;
    default:
      return direction satisfies never;
  }
}

/** Returns the tool that steps on a grid. */
export function createMoveTool(description: string): ToolSpec {
  return {
    name: "move",
    description,
    parameters: {
      type: "object",
      properties: { direction: { type: "string", enum: directions, description: "Where to go" } },
      required: ["direction"],
      additionalProperties: false,
    },
  };
}

/** Returns true with probability `numerator / denominator`, in a way that outcomes can be enumerated. */
export function isDrawn(random: Random, numerator: number, denominator: number): boolean {
  return random.nextInt(denominator) < numerator;
}
