import { lintFinding, lintRule } from "../../lint-rule.js";

const email = /(?<![\w.+/:-])[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}(?![\w@])/gi;
const exampleHost =
  /@(?:[\w-]+\.)*(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?$|^git@|noreply|^\w@\w\.\w+$/i;
const phone =
  /(?<![\w.+/-])(?:\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,4}(?:[ -]?\d{2,4}){2,3}|1[3-9]\d{9}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\w-]|\.\d)/g;
const address = /(?<![\w.-])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\w-]|\.\d)/g;
const host =
  /(?<![\w./@-])(?:[a-z0-9][a-z0-9-]*\.)+(?:internal|local|lan|corp|intranet|cluster)(?![\w-])(?:\.[a-z]+)*(?!\()/gi;

/** Addresses of no machine in particular: loopback, any, broadcast and those reserved for documentation. */
const reserved =
  /^(?:127\.|0\.0\.0\.0|255\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|1\.1\.1\.1$|8\.8\.8\.8$|1\.2\.3\.4$)/;

function listContacts(line: string): string[] {
  const isVersion = /version|section|§|版本|phiên bản|\bv\d/i.test(line);
  const addresses = [...line.matchAll(address)].filter(([text, ...parts]) => {
    const isAddress = parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
    return isAddress && !reserved.test(text) && !isVersion;
  });
  return [
    ...[...line.matchAll(email)].filter(([text]) => !exampleHost.test(text)).map(() => "an e-mail address"),
    ...[...line.matchAll(phone)].map(() => "a telephone number"),
    ...addresses.map(() => "an IP address"),
    ...[...line.matchAll(host)].map(() => "the name of an internal host"),
  ];
}

/** Ways to reach a person or a machine. */
export const privacyContactRule = lintRule({
  id: "privacy.contact",
  severity: "error",
  description:
    "Finds e-mail addresses, telephone numbers, IP addresses and internal host names outside the byline, in text and code.",
  rationale:
    "They belong to somebody who has not been asked. Names and addresses reserved for documentation are left alone.",
  remedy: "Remove it, or use example.com and 192.0.2.1; contacts of authors go into the byline",
  examples: [
    {
      name: "a byline, reserved names, versions and decorators",
      markdown:
        "---\nbyline: A <a@uni.edu>\n---\n\nWrite to me@example.com or 127.0.0.1; git@github.com:a/b; version 10.2.3.4; 2310.12823.\n\n```py\n@torch.no_grad()\nx = [0.1.real]\n```",
      messages: [],
    },
    {
      name: "an address and a number",
      markdown: "Ask li.ming@uni.edu or +86 138-1234-5678.",
      messages: ["The line holds an e-mail address", "The line holds a telephone number"],
    },
    {
      name: "machines",
      markdown: "Run on `gpu-07.internal` (10.42.0.17).",
      messages: ["The line holds an IP address", "The line holds the name of an internal host"],
    },
  ],
  check({ document }) {
    return document.lines.flatMap((line, i) =>
      i + 1 < document.bodyLine && /^\s*byline:/.test(line)
        ? []
        : listContacts(line).map((what) => lintFinding(i + 1, `The line holds ${what}`)),
    );
  },
});
