import type { DocumentKind, PublishDocument } from "../document.js";

/** A section that a profile asks for. */
export interface RequiredSection {
  /** What it is, for messages and skeletons. */
  readonly name: string;
  /** Titles that count as it, in English, Chinese or Vietnamese. */
  readonly titles: RegExp;
}

/** What a kind of document must hold. */
export interface PublishProfile {
  readonly name: string;
  readonly sections: readonly RequiredSection[];
  /** Lines of the body, fixed before drafting; absent: any length. */
  readonly lengthBand?: { readonly unit: "lines"; readonly min: number; readonly max: number };
}

const summary: RequiredSection = {
  name: "Summary",
  titles: /\b(?:tl;?\s*dr|summary|abstract|in short|key points|cheat ?sheet)\b|摘要|要点|概要|总结|tóm tắt/iu,
};
const questions: RequiredSection = {
  name: "Questions",
  titles: /\b(?:questions?|q ?& ?a|quiz|exercises|self-test|interview)\b|面试题|问题|习题|自测|câu hỏi|bài tập/iu,
};
const results: RequiredSection = {
  name: "Results",
  titles: /\b(?:results?|findings|evaluation)\b|结果|评估|kết quả/iu,
};
const method: RequiredSection = {
  name: "Method",
  titles:
    /\b(?:methods?|setup|set-up|how (?:it|this) was measured|design|experiments?)\b|方法|设置|实验|phương pháp|thiết lập/iu,
};
const limits: RequiredSection = {
  name: "Limits",
  titles: /\b(?:limits?|limitations|what this does not show|threats|caveats)\b|局限|限制|hạn chế/iu,
};
const references: RequiredSection = {
  name: "References",
  titles: /\b(?:references|bibliography|sources|further reading)\b|参考文献|参考资料|tài liệu tham khảo/iu,
};

/** The profiles by name; a document's kind names its usual one. */
export const publishProfiles: { readonly [kind in DocumentKind]: PublishProfile } = {
  tutorial: { name: "tutorial", sections: [summary, questions], lengthBand: { unit: "lines", min: 800, max: 1200 } },
  report: { name: "report", sections: [summary, method, results, limits] },
  paper: { name: "paper", sections: [summary, method, results, limits, references] },
  page: { name: "page", sections: [] },
};

/** Returns the profile that a document names or its kind has; `undefined` without either, or for an unknown name. */
export function findProfile({ frontMatter: { profile, kind } }: PublishDocument): PublishProfile | undefined {
  const name = profile ?? kind;
  return Object.values(publishProfiles).find((known) => known.name === name);
}
