/** Who does what in a review. `tool` stands for what a program decides alone. */
export type ReviewRole = "author" | "fixer" | "reviewer" | "arbiter" | "tool";

/** A person or a model that took part. */
export interface ReviewIdentity {
  /** Name by which two parts are told to be the same, e.g. a person's handle or the model's name. */
  readonly id: string;
  /** Model family such as `qwen`, or `human`. Unknown is absent, and then independence cannot be shown. */
  readonly family?: string;
  readonly model?: string;
  /** Reasoning setting, as the backend names it. */
  readonly reasoning?: string;
}

/** The parts of a project's review. */
export interface ReviewParties {
  readonly author?: ReviewIdentity;
  readonly fixer?: ReviewIdentity;
  readonly arbiter?: ReviewIdentity;
}

/** Someone acting on a finding. */
export interface ReviewActor {
  readonly id: string;
  readonly role: ReviewRole;
}

/** The family of people. Two people are told apart by id alone. */
export const humanFamily = "human";

/** Name parts of models by the family that made them; the first match counts. */
const familyPatterns: readonly (readonly [string, RegExp])[] = [
  ["gpt", /(^|[/:._-])(gpt|chatgpt|o[1-9](-|$)|codex|davinci)/],
  ["claude", /claude|opus-|sonnet-|haiku-/],
  ["gemini", /gemini|gemma|palm/],
  ["deepseek", /deepseek/],
  ["qwen", /qwen|qwq/],
  ["llama", /llama/],
  ["mistral", /mistral|mixtral|magistral|codestral|ministral|devstral/],
  ["glm", /glm-|chatglm/],
  ["kimi", /kimi|moonshot/],
  ["grok", /grok/],
  ["phi", /(^|[/:._-])phi-?\d/],
  ["command", /command-(r|a)/],
  ["olmo", /olmo/],
  ["nemotron", /nemotron/],
  ["minimax", /minimax/],
  ["hunyuan", /hunyuan/],
  ["yi", /(^|[/:._-])yi-/],
];

/**
 * Returns the family a model's name belongs to, or `undefined` where the name does not tell. A distilled model whose
 * name holds two families counts as the one that comes first in our list, so state the family where that is wrong.
 *
 * @example
 * findModelFamily("Qwen/Qwen3-32B"); // "qwen"
 */
export function findModelFamily(model: string): string | undefined {
  const name = model.toLowerCase();
  return familyPatterns.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Why a reviewer does not count. */
export interface EligibilityFault {
  readonly reason_code: "same-identity" | "same-family" | "family-unknown" | "author-unknown" | "replayed";
  readonly message: string;
}

/**
 * Returns why rounds of `reviewer` do not count as independent of the author and the fixer, or `undefined` when they
 * do. People are told apart by id; models also by family, since siblings share blind spots.
 */
export function findEligibilityFault(
  reviewer: ReviewIdentity,
  parties: Pick<ReviewParties, "author" | "fixer">,
): EligibilityFault | undefined {
  const { author, fixer } = parties;
  if (author === undefined)
    return { reason_code: "author-unknown", message: "The author is not declared, so nothing shows independence" };
  for (const [role, other] of [
    ["author", author],
    ["fixer", fixer],
  ] as const) {
    if (other === undefined) continue;
    if (other.id === reviewer.id)
      return { reason_code: "same-identity", message: `The reviewer "${reviewer.id}" is also the ${role}` };
    const fault = findFamilyFault(reviewer, other, role);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFamilyFault(reviewer: ReviewIdentity, other: ReviewIdentity, role: string): EligibilityFault | undefined {
  if (reviewer.family === humanFamily || other.family === humanFamily) return undefined;
  if (reviewer.family === undefined || other.family === undefined) {
    const [who, id] = reviewer.family === undefined ? ["reviewer", reviewer.id] : [role, other.id];
    return { reason_code: "family-unknown", message: `The model family of the ${who} "${id}" is not recorded` };
  }
  if (reviewer.family !== other.family) return undefined;
  return {
    reason_code: "same-family",
    message: `The reviewer "${reviewer.id}" is of family "${reviewer.family}", as is the ${role} "${other.id}"`,
  };
}
