// A tutorial of 1,500 lines as they are written: prose in two scripts, 120 formulas, tables, code, folded answers.

const prose = [
  "A policy that is told its budget plans for it; one that is not must guess, and **pays for the guess** with turns it",
  "would have needed later. The estimate $\\hat{p}_k = 1 - \\binom{n-c}{k} / \\binom{n}{k}$ is unbiased for $k \\le n$, and",
  "nothing is known beyond. 预算是任务的一部分：同一个策略在不同的预算下是**不同的智能体**。See [the text](#section-1).",
];

const answer = [
  "Because the baseline is the mean of the group: half of its members lie below, *whatever they did*. 组内均值之下的样本",
  "优势为负，哪怕它们都答对了一部分。What matters is `reward - mean`, and how many tokens share it.",
];

const parts: ((index: number) => string[])[] = [
  (index) => [`### ${index}.1 What $T_{${index}}$ means`, "", ...prose],
  () => [
    "$$",
    "L(\\theta) = \\mathbb{E}_{\\tau \\sim \\pi_\\theta}\\Big[\\sum_{t=1}^{T} m_t \\min\\big(r_t A_t, \\operatorname{clip}(r_t, 1-\\epsilon, 1+\\epsilon) A_t\\big)\\Big]",
    "$$",
  ],
  () => [
    "| budget | success | turns |",
    "|---|--:|--:|",
    ...Array.from({ length: 8 }, (_unused, row) => `| ${2 ** row} | 0.${row}5 | \`${row}|${row + 1}\` |`),
  ],
  () => [
    "```python",
    "def advantage(rewards, mask):",
    "    mean = sum(rewards) / len(rewards)  # of the group",
    "    return [(reward - mean) * kept for reward, kept in zip(rewards, mask)]",
    "```",
  ],
  (index) => [
    "<details>",
    `<summary>Q${index}. Why is $A_t < 0$ here?</summary>`,
    ...answer,
    "",
    "1. first",
    "",
    "$$x_{<t} = 1$$",
    "",
    "2. second",
    "</details>",
  ],
  () => [
    "> 💡 **Mind the mask** — tokens of the environment are not the policy's.",
    "> - they are read",
    "> - they are never *trained on*",
  ],
  () => [
    "- one way, with `code` and $a_b$",
    "- another",
    "  - and a third, ~~not~~ shown",
    "",
    "1. count",
    "2. compare",
  ],
];

/** Returns the document; the same every time. */
export function makeTutorial(): string {
  const lines = ["# Budgets and agents", ""];
  for (let index = 1; lines.length < 1500; index += 1) {
    lines.push(`## Section ${index}`, "");
    for (const part of parts) lines.push(...part(index), "");
  }
  return `${lines.slice(0, 1500).join("\n")}\n`;
}
