import type { TurnUsage } from "../core/index.js";

/** Price of one model per million tokens, in the user's unit of money (normally US dollars). */
export interface TokenPrice {
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
  /** Price of prompt tokens read from the server's cache; the full price when absent. */
  readonly cachedPerMillion?: number;
}

/** Prices by model name, as in the request. */
export interface PriceTable {
  readonly [model: string]: TokenPrice;
}

/**
 * Returns the cost of `usage`, or `undefined` when the token counts are not known. Cached tokens are part of
 * `promptTokens`, reasoning tokens part of `completionTokens`.
 *
 * @example
 * computeCost({ promptTokens: 1000, completionTokens: 500 }, { promptPerMillion: 1, completionPerMillion: 4 }); // 0.003
 */
export function computeCost(usage: TurnUsage, price: TokenPrice): number | undefined {
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  const { promptPerMillion, completionPerMillion, cachedPerMillion = promptPerMillion } = price;
  const cached = Math.min(cachedTokens, promptTokens);
  const total =
    (promptTokens - cached) * promptPerMillion + cached * cachedPerMillion + completionTokens * completionPerMillion;
  return total / 1_000_000;
}
