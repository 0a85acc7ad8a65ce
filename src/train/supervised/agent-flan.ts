/** One step of an agent's demonstration, its parts told apart. */
export interface AgentStep {
  readonly thought?: string;
  readonly call?: { readonly name: string; readonly argumentsText: string };
  readonly observation?: string;
  /** What the user is told at the end. */
  readonly answer?: string;
}

/** One message of a plain dialogue. */
export interface DialogueMessage {
  readonly role: "assistant" | "user";
  readonly text: string;
}

const labels = /^\s*(thought|action input|action|observation|final answer)\s*:\s*/i;

/**
 * Returns the steps of a ReAct-style text: lines that begin with Thought, Action, Action Input, Observation or Final
 * Answer, each with what follows until the next. Text before the first label is a thought. An action without a name is
 * left out.
 */
export function parseReact(text: string): AgentStep[] {
  const parts: { label: string; text: string }[] = [];
  for (const line of text.split("\n")) {
    const label = labels.exec(line);
    if (label !== null) parts.push({ label: label[1].toLowerCase(), text: line.slice(label[0].length) });
    else if (parts.length === 0) parts.push({ label: "thought", text: line });
    else parts[parts.length - 1].text += `\n${line}`;
  }
  const steps: { thought?: string; call?: AgentStep["call"]; observation?: string; answer?: string }[] = [];
  const last = (): (typeof steps)[number] => {
    const step = steps.at(-1);
    if (step !== undefined) return step;
    steps.push({});
    return steps[0];
  };
  for (const { label, text: raw } of parts) {
    const content = raw.trim();
    if (label === "thought" && content !== "") steps.push({ thought: content });
    else if (label === "action" && content !== "") {
      if (last().call !== undefined || last().observation !== undefined) steps.push({});
      last().call = { name: content, argumentsText: "" };
    } else if (label === "action input") {
      const { call } = last();
      if (call !== undefined) last().call = { ...call, argumentsText: content };
    } else if (label === "observation") last().observation = content;
    else if (label === "final answer") last().answer = content;
  }
  return steps;
}

/**
 * Returns the same content as a plain dialogue, without the scaffold (Agent-FLAN, arXiv 2403.12881): thoughts and calls
 * become separate turns, since learning to reason and learning a format go at different speeds. Every thought, tool
 * name, argument, observation and answer stays, word for word.
 */
export function toDialogue(steps: readonly AgentStep[]): DialogueMessage[] {
  return steps.flatMap(({ thought, call, observation, answer }): DialogueMessage[] => [
    ...(thought === undefined ? [] : [{ role: "assistant" as const, text: thought }]),
    ...(call === undefined
      ? []
      : [
          { role: "user" as const, text: "Which tool do you use, and with what?" },
          { role: "assistant" as const, text: `${call.name} ${call.argumentsText}`.trim() },
        ]),
    ...(observation === undefined ? [] : [{ role: "user" as const, text: observation }]),
    ...(answer === undefined ? [] : [{ role: "assistant" as const, text: answer }]),
  ]);
}

/** How a capability was learnt so far. */
export interface CapabilityProgress {
  readonly capability: string;
  readonly lossBefore: number;
  readonly lossNow: number;
}

/**
 * Returns the share of the next mixture for each capability: in inverse proportion to how much of its loss has gone, so
 * that what is learnt slowly is seen more. `floor` bounds the relative decrease from below; a capability that got worse
 * counts as one that did not move. Shares sum to 1.
 *
 * @throws {RangeError} for losses that are not above 0 or a floor out of (0, 1].
 */
export function balanceByCapability(progress: readonly CapabilityProgress[], floor = 0.05): Map<string, number> {
  if (!(floor > 0 && floor <= 1))
    throw new RangeError(`Cannot balance with a floor outside (0, 1]: current floor is ${floor}`);
  const inverse = progress.map(({ capability, lossBefore, lossNow }) => {
    if (!(lossBefore > 0) || !(lossNow >= 0)) {
      throw new RangeError(`Cannot balance "${capability}" by losses of ${lossBefore} and ${lossNow}`);
    }
    return 1 / Math.max(1 - lossNow / lossBefore, floor);
  });
  const total = inverse.reduce((sum, each) => sum + each, 0);
  return new Map(progress.map(({ capability }, i) => [capability, inverse[i] / total]));
}

/** A prompt for which a tool call would be an invention. */
export interface NegativeExample {
  readonly question: string;
  /** Empty where the question asks for a tool that is not offered. */
  readonly tools: readonly string[];
  readonly kind: "tool_not_offered" | "no_tool_needed";
}

/**
 * Returns negatives in an exact ratio to `positives`, half of each kind, the odd one of the first: a task that needs a
 * tool, without any tool; and an ordinary question with tools on offer. Questions are taken in order, again from the
 * start when they run out.
 *
 * @throws {RangeError} when there is no question of a kind that is needed.
 */
export function makeNegatives(
  positives: number,
  ratio: number,
  sources: {
    readonly toolQuestions: readonly string[];
    readonly chatQuestions: readonly string[];
    readonly tools: readonly string[];
  },
): NegativeExample[] {
  const { toolQuestions, chatQuestions, tools } = sources;
  const count = Math.round(positives * ratio);
  return Array.from({ length: count }, (_, i): NegativeExample => {
    const isFirst = i % 2 === 0;
    const questions = isFirst ? toolQuestions : chatQuestions;
    if (questions.length === 0) throw new RangeError(`Cannot make ${count} negatives as a kind has no question`);
    const question = questions[Math.floor(i / 2) % questions.length];
    return isFirst ? { question, tools: [], kind: "tool_not_offered" } : { question, tools, kind: "no_tool_needed" };
  });
}

/**
 * Returns how often a policy calls a tool where it must not, by kind of prompt; `undefined` for a kind without a prompt.
 */
export function hallucinationRate(
  answers: readonly { readonly kind: NegativeExample["kind"]; readonly hasCall: boolean }[],
): Record<NegativeExample["kind"], number | undefined> {
  const rate = (kind: NegativeExample["kind"]): number | undefined => {
    const own = answers.filter((answer) => answer.kind === kind);
    return own.length === 0 ? undefined : own.filter(({ hasCall }) => hasCall).length / own.length;
  };
  return { tool_not_offered: rate("tool_not_offered"), no_tool_needed: rate("no_tool_needed") };
}
