// internal
import {
  createRandom,
  isQuit,
  type Policy,
  type PolicyRequest,
  type PolicyResult,
  type TurnUsage,
} from "../../core/index.js";

/** Why nothing was done in a turn in which a policy answered with nothing but quitting. Part of the record's action. */
export const forcedTurnReason = "no action but quitting was offered";

/** Answers that were asked for and not used. */
export interface DiscardTally {
  calls: number;
  tokens: number;
  cost: number;
  knowsCost: boolean;
}

/** Returns an empty tally. */
export function createDiscardTally(): DiscardTally {
  return { calls: 0, tokens: 0, cost: 0, knowsCost: true };
}

/** Counts one unused answer. */
export function discardAnswer(tally: DiscardTally, { usage }: PolicyResult): void {
  tally.calls += 1;
  tally.tokens += (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
  tally.cost += usage?.cost ?? 0;
  if (usage?.cost === undefined) tally.knowsCost = false;
}

/** Returns the answer with the unused ones noted beside its own usage. */
export function noteDiscards(result: PolicyResult, { calls, tokens, cost, knowsCost }: DiscardTally): PolicyResult {
  if (calls === 0) return result;
  const discarded: NonNullable<TurnUsage["discarded"]> = {
    calls,
    ...(tokens > 0 ? { tokens } : {}),
    ...(knowsCost ? { cost } : {}),
  };
  return { ...result, usage: { ...result.usage, discarded } };
}

/** Returns the request with a random stream of its own, so that another try or another policy is an independent sample. */
function reseed(request: PolicyRequest, ...purpose: readonly (string | number)[]): PolicyRequest {
  const samplingSeed = createRandom(request.samplingSeed, ...purpose).nextUint32() >>> 1;
  return { ...request, samplingSeed, random: createRandom(samplingSeed, "turn", request.turnIndex) };
}

/**
 * Asks a policy until it answers with something else than quitting, at most `maxTries` times; each try is an
 * independent sample. `first` is an answer it has already given. After that nothing is done, which costs a turn.
 */
export async function askNotToQuit(
  policy: Policy,
  request: PolicyRequest,
  maxTries: number,
  tally: DiscardTally,
  first?: PolicyResult,
): Promise<PolicyResult> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const result =
      attempt === 0 && first !== undefined
        ? first
        : await policy.act(reseed(request, "not quitting", policy.id, attempt));
    if (!isQuit(result.action)) return result;
    discardAnswer(tally, result);
  }
  return { action: { text: "", invalid: forcedTurnReason } };
}
