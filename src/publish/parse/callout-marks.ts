import type { CalloutKind } from "../document.js";

/** Emoji that make a quote a callout: four of the core, then those of the extended set. */
const marks: { readonly [kind in CalloutKind]: string } = {
  info: "💡 ℹ️ 📌 📝 📖 📘 📚 🔍 🔎 🧠 🎯 🔑 🗝️ 🧭 💬 📎 🧩 🔬 📐 🧮 💭 🗒️ 👉 🔗 ❓ 🤔 📊",
  warn: "⚠️ 🚧 ⚡ 🔔 ❗ ‼️ ☢️ ☣️ 🟡 🟠 🧨 🔥 🪤 🐛 👀",
  good: "✅ ✔️ ☑️ 🟢 👍 🎉 🏆 🏅 ⭐ 🌟 🚀 💪 👌",
  bad: "❌ ✖️ ⛔ 🚫 🛑 🔴 ❎ 👎 💥 ☠️ 💀",
};

const selector = /[\uFE0E\uFE0F]/g;

const kindByMark = new Map<string, CalloutKind>(
  (Object.keys(marks) as CalloutKind[]) // the keys of a record over all kinds
    .flatMap((kind) => marks[kind].split(" ").map((mark) => [mark.replace(selector, ""), kind] as const)),
);

/** Words of GitHub's alerts and of containers, by the kind they stand for. */
const kindByWord: { readonly [word: string]: CalloutKind } = {
  info: "info",
  note: "info",
  important: "info",
  abstract: "info",
  question: "info",
  example: "info",
  warn: "warn",
  warning: "warn",
  attention: "warn",
  good: "good",
  tip: "good",
  hint: "good",
  success: "good",
  bad: "bad",
  caution: "bad",
  danger: "bad",
  error: "bad",
  failure: "bad",
};

/** Names of `:::` containers. */
export const containerNames: ReadonlySet<string> = new Set([...Object.keys(kindByWord), "details", "figure"]);

const pictograph =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2})(?:\p{Emoji_Modifier}|[\uFE0E\uFE0F]|\u20E3|\u200D\p{Extended_Pictographic})*/u;

/** Returns the kind of callout that a word of an alert or container stands for. */
export function findWordKind(word: string): CalloutKind | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(kindByWord, key) ? kindByWord[key] : undefined;
}

/** A pictograph at the start of a text; without `kind` when no callout begins with it. */
export interface LeadingMark {
  readonly mark: string;
  readonly kind?: CalloutKind;
}

/**
 * Returns the pictograph that a text begins with. Variation selectors do not count, digits and letters are none.
 *
 * @example
 * findLeadingMark("⚠️ Careful"); // { mark: "⚠️", kind: "warn" }
 */
export function findLeadingMark(text: string): LeadingMark | undefined {
  const mark = pictograph.exec(text)?.[0];
  if (mark === undefined || /^[©®™]/.test(mark)) return undefined;
  const kind = kindByMark.get(mark.replace(selector, ""));
  return kind === undefined ? { mark } : { mark, kind };
}
