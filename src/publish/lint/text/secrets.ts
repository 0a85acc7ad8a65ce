// internal

/** A secret in a line; only its kind and its first characters may be told. */
export interface Secret {
  readonly kind: string;
  readonly shown: string;
}

const shapes: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/g, "private key"],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, "AWS key id"],
  [/\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_[A-Za-z0-9_]{30,}\b/g, "GitHub token"],
  [/\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}/g, "API key"],
  [/\bhf_[A-Za-z0-9]{30,}\b/g, "Hugging Face token"],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,}/g, "Slack token"],
  [/\bAIza[0-9A-Za-z_-]{35}/g, "Google API key"],
  [/\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, "JSON web token"],
  [/\bglpat-[A-Za-z0-9_-]{20,}/g, "GitLab token"],
  [/\bnpm_[A-Za-z0-9]{36}\b/g, "npm token"],
  [/\b[rs]k_live_[A-Za-z0-9]{16,}/g, "payment key"],
  [/\b(?:wandb|tvly|pplx|gsk|r8)[-_][A-Za-z0-9]{24,}\b/g, "API key"],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{6,}@/gi, "password in an address"],
];

const assigned =
  /\b(?:api[_-]?key|secret|token|passw(?:or)?d|access[_-]?key|auth)["']?\s*[:=]\s*["']([A-Za-z0-9+/=_.-]{12,})["']/gi;
const placeholder =
  /x{4,}|\*{3,}|\.{3}|…|<|>|your|example|placeholder|changeme|dummy|test|fake|redacted|0{6,}|1234567|abcdef|\$\{?[A-Z]/i;

/** Shannon entropy in bits per character. */
function getEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** Changes between small letters, capitals and digits, as a share: names in camel case have few, random text many. */
function getMixture(text: string): number {
  const kinds = text
    .split("")
    .map((character) => (/[a-z]/.test(character) ? "a" : /[A-Z]/.test(character) ? "A" : "0"));
  return kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length / (text.length - 1);
}

const digest =
  /\b(?:sha\d*|md5|hash|commit|digest|checksum|integrity|revision|etag|blake\d?|prefix)\b|sha\d{3}-|data:[a-z]+\/|base64|arxiv|doi\.org/i;

function looksRandom(text: string): boolean {
  const hasAll = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  return hasAll && getEntropy(text) >= 4 && getMixture(text) >= 0.4;
}

/** Returns the secrets in a line: known shapes, values assigned to a name for one, and long random strings. */
export function findSecrets(line: string): readonly Secret[] {
  const show = (text: string): string => `${text.slice(0, 4)}… (${text.length} characters)`;
  const known = shapes.flatMap(([form, kind]) =>
    [...line.matchAll(form)]
      .filter(([text]) => kind === "private key" || !placeholder.test(text))
      .map(([text]) => ({ kind, shown: show(text) })),
  );
  if (known.length > 0) return known;
  const values = [...line.matchAll(assigned)]
    .filter(
      ([, value]) => !placeholder.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && getEntropy(value) >= 3,
    )
    .map(([, value]) => ({ kind: "value assigned to a secret's name", shown: show(value) }));
  if (values.length > 0) return values;
  if (digest.test(line)) return [];
  return [...line.matchAll(/(?<![\w/.#%=-])[A-Za-z0-9+_-]{24,}={0,2}(?![\w/.(])/g)]
    .filter(([text]) => looksRandom(text) && !placeholder.test(text))
    .map(([text]) => ({ kind: "random string", shown: show(text) }));
}
