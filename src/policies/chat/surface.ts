// internal
import { defaultTextGrammar, type PolicyRequest, type TextGrammar } from "../../core/index.js";
import type { ChatPolicyOptions } from "./config.js";

/** Returns `action` as it is written under a grammar. */
export function renderTextAction(action: string, grammar: TextGrammar): string {
  switch (grammar.type) {
    case "tag":
      return `<${grammar.tag}>${action}</${grammar.tag}>`;
    case "line":
      return `${grammar.prefix} ${action}`;
    case "fence":
      return `\`\`\`${grammar.language}\n${action}\n\`\`\``;
    case "whole":
      return action;
    default:
      return grammar satisfies never;
  }
}

/** Returns what the grammar asks for, in words. */
function describeGrammar(grammar: TextGrammar): string {
  switch (grammar.type) {
    case "tag":
      return `Write one action per turn in the form <${grammar.tag}>...</${grammar.tag}>. The last one counts.`;
    case "line":
      return `Write one action per turn, on a line that begins with "${grammar.prefix}". The last one counts.`;
    case "fence":
      return `Write one action per turn, in a code block that begins with \`\`\`${grammar.language}. The last one counts.`;
    case "whole":
      return "Write one action per turn and nothing else.";
    default:
      return grammar satisfies never;
  }
}

/** Rewrites the actions in an env's instructions, which stand in the default grammar's tag, for another grammar. */
function rewriteActions(text: string, grammar: TextGrammar): string {
  if (grammar.type === "tag" && grammar.tag === "action") return text;
  return text.replace(/<action>([\s\S]*?)<\/action>/gi, (_whole, action: string) =>
    renderTextAction(action.trim(), grammar),
  );
}

function describeToolSurface(noToolCall: "quit" | "invalid"): string {
  return noToolCall === "quit"
    ? "Act by calling the tools. A message without a tool call ends the episode."
    : "Act by calling the tools. A message without a tool call is a wasted turn.";
}

/** Says whether this env is acted on by plain text: it offers no tools, so there is nothing to parse. */
export function isPlainText({ env }: PolicyRequest): boolean {
  return env.tools.length === 0;
}

/** Returns the system prompt: the env's instructions and how to act, put into the template. */
export function renderSystemPrompt(request: PolicyRequest, options: ChatPolicyOptions): string {
  const { surface = "tools", grammar = defaultTextGrammar, noToolCall = "quit" } = options;
  const { systemPrompt = "{instructions}\n\n{surface}" } = options;
  const { instructions, text } = request.env;
  const parts = { instructions, surface: "" };
  if (isPlainText(request)) parts.surface = text?.instructions ?? "";
  else if (surface === "tools") parts.surface = describeToolSurface(noToolCall);
  else parts.surface = `${rewriteActions(text?.instructions ?? "", grammar)}\n${describeGrammar(grammar)}`.trim();
  return systemPrompt.replace(/\{(instructions|surface)\}/g, (_whole, name: keyof typeof parts) => parts[name]).trim();
}
