// internal
import type { TokenSample } from "../../core/index.js";

/** Texts of tokens that end a message or a sequence in common chat templates. */
const endTexts = new Set(
  `<|im_end|> </s> <|endoftext|> <|eot_id|> <|eom_id|> <|end_of_text|> <|end|> <end_of_turn> <eos> <|return|> <|call|>
  <|end_of_turn|> <｜end▁of▁sentence｜> [EOS]`.split(/\s+/),
);
/** Texts of tokens that only a chat template writes. */
const templateTexts = new Set(
  `<|im_start|> <|start_header_id|> <|end_header_id|> <|begin_of_text|> <s> <bos> [INST] [/INST] <|user|> <|assistant|>
  <|system|> <|tool|> <|observation|> <start_of_turn> <|start|> <|message|> <|channel|> <|im_middle|> <｜User｜> <｜Assistant｜>`.split(
    /\s+/,
  ),
);
const roleWords = new Set("system user assistant tool model ipython developer".split(" "));

/** Says whether token `i` ends a message: by the sample's own list of ids, or by its text. */
export function isEndToken({ ids, texts, endIds }: TokenSample, i: number): boolean {
  return endIds?.includes(ids[i]) === true || endTexts.has(texts?.[i] ?? "");
}

function isMarker({ ids, texts, templateIds }: TokenSample, i: number): boolean {
  return templateIds?.includes(ids[i]) === true || templateTexts.has(texts?.[i] ?? "");
}

/**
 * Says whether token `i` was written by the chat template: by its role, as a role marker, as the role's name after a
 * marker, or as the line break after a role's name or an end token.
 */
export function isTemplateToken(sample: TokenSample, i: number): boolean {
  if (sample.roles?.[i] === "template" || isMarker(sample, i)) return true;
  const text = sample.texts?.[i];
  if (text === undefined || i === 0) return false;
  const before = sample.texts?.[i - 1]?.trim() ?? "";
  if (roleWords.has(text.trim())) return isMarker(sample, i - 1);
  const isRoleName = roleWords.has(before) && i > 1 && isMarker(sample, i - 2);
  return /^\n+$/.test(text) && (isRoleName || isMarker(sample, i - 1) || isEndToken(sample, i - 1));
}
