import { lintFinding, lintRule } from "../../lint-rule.js";
import { matchProse } from "../../text/prose.js";

/** Words that claim, in the company in which they claim; the same words elsewhere are ordinary. */
const claims = [
  /\bcomprehensive(?:ly)? (?:evaluation|experiments?|study|analysis|comparison|benchmark|results?|understanding|coverage|evaluated?)\b/gi,
  /\brobust(?:ly)? (?:gains?|improvements?|performance|results?|outperform\w*|better|generali[sz]\w*)\b/gi,
  /\bconsistently (?:outperform\w*|better|worse|higher|lower|beats?|improv\w*|wins?|superior|exceeds?|surpass\w*)\b/gi,
  /\b(?:is|are|was|were) (?:the )?first (?:work|method|system|model|framework|paper|to (?:show|prove|demonstrate|propose|train|achieve|solve))\b|\bfirst-ever\b|\bfor the first time\b/gi,
  /\b(?:optimal|unmatched|unparalleled|unprecedented) (?:performance|results?|accuracy|quality)\b|\bbest in (?:its )?class\b|\bstate[- ]of[- ]the[- ]art\b/gi,
  /\b(?:experiments?|results?|data|evaluation|this|which) (?:clearly |conclusively )?proves?\b/gi,
  /\b(?:it|they|this|model|method|agent|policy|training) (?:always|never) (?:wins?|outperform\w*|fails?|improv\w*|converges?|works?|succeeds?|beats?)\b/gi,
  /(?:全面|大幅|显著|稳定|一致|始终)(?:地)?(?:优于|超越|领先|碾压|击败)|首次(?:提出|实现|证明|将)|首个(?:提出|实现|能够|开源)|(?:实验|结果)(?:充分)?证明(?:了)?|业界(?:最佳|领先|最强)|史上最|(?:总是|永远|从不)(?:优于|有效|收敛|成功)/g,
  /(?:luôn|luôn luôn) (?:tốt hơn|vượt trội|hiệu quả)|toàn diện nhất|lần đầu tiên (?:chứng minh|đề xuất)|tối ưu nhất|(?:kết quả|thí nghiệm) chứng minh|vượt trội hoàn toàn/gi,
];

/** Big words without evidence. */
export const styleOverclaimRule = lintRule({
  id: "style.overclaim",
  severity: "warning",
  description:
    "Finds claims of the kind “consistently outperforms”, “the first to show”, “results prove”, in English, Chinese and Vietnamese, without a claim id or a citation in the sentence.",
  rationale:
    "Such words are wrong more often than right, and readers stop believing the others. The words are looked for in phrases that claim; “always use”, “optimal policy” and “first, compute” are none.",
  remedy: "Bind the sentence to a claim, cite its source, or say what was measured",
  examples: [
    {
      name: "ordinary uses, and a bound claim",
      markdown:
        "First, always use the optimal policy. It consistently outperforms by [0.12]{#c:gain}. It was the first work to show this [@li2023].",
      messages: [],
    },
    {
      name: "claims without evidence",
      markdown:
        "Our method consistently outperforms all others.\n\n该方法显著优于 PPO。\n\nPhương pháp này luôn tốt hơn.",
      messages: [
        '"consistently outperforms" claims more than the sentence shows',
        '"显著优于" claims more than the sentence shows',
        '"luôn tốt hơn" claims more than the sentence shows',
      ],
    },
  ],
  check({ document }) {
    const evidence =
      /\{#c:|\[\[c:|\[[^\]]*@[\w:-]+|\]\(https?:|arxiv|et al\.|\bdoi\b|\(\d{4}\)|,\s*(?:19|20)\d{2}\)|\d{4}\.\d{4,5}/i;
    return claims
      .flatMap((form) => matchProse(document, form))
      .filter(({ source }) => !evidence.test(source))
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, text }) => lintFinding(line, `"${text}" claims more than the sentence shows`));
  },
});
