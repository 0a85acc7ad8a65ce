import { lintFinding, lintRule } from "../../lint-rule.js";
import { findSecrets } from "../../text/secrets.js";

/** Keys and passwords. */
export const privacySecretRule = lintRule({
  id: "privacy.secret",
  severity: "error",
  description:
    "Finds private keys, tokens of known shape, passwords in addresses and long random strings, in text and code.",
  rationale:
    "What was once published is known for good. Placeholders, hashes that are called so, and names in code are left alone; findings show four characters at most.",
  remedy: "Remove it, and revoke it where it was real",
  examples: [
    {
      name: "placeholders, hashes and long names",
      markdown:
        'Set `api_key="your-key-here"`, `sk-xxxxxxxxxxxxxxxxxxxxxxxx`.\n\nThe sha256 is `9F86d081884C7d659a2fEAA0c55ad015a3bf4F1b2b0b822cd15d6c15b0f00a08`.\n\n`computeTrajectoryLevelAdvantageWithBaseline2` and https://arxiv.org/abs/2402.03300v3.',
      messages: [],
    },
    {
      name: "a token of known shape",
      markdown: `\`\`\`sh\nexport KEY=${"ghp_"}R7q2Lk9Zt4Vb8Nc3Xw6Jd5Hf1Gs0PmQyAeKu\n\`\`\``,
      messages: ["The line holds a GitHub token: ghp_… (40 characters)"],
    },
    {
      name: "a password in an address",
      markdown: `Use \`https://bot:${"hunter2horse"}@git.host/x\`.`,
      messages: ["The line holds a password in an address: http… (25 characters)"],
    },
    {
      name: "a random string",
      markdown: "Log in with `aB3xK9zQ7mP2wL5vR8tY1nC4`.",
      messages: ["The line holds a random string: aB3x… (24 characters)"],
    },
  ],
  check({ document }) {
    return document.lines.flatMap((line, i) =>
      findSecrets(line).map(({ kind, shown }) => lintFinding(i + 1, `The line holds a ${kind}: ${shown}`)),
    );
  },
});
