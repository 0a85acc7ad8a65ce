import type { ClaimStatus } from "../claim-status.js";
import type { ComputedClaim } from "../evidence.js";
import type { ClaimEntry } from "../ledger.js";

const improves =
  /\b(?:improv\w+|better|outperform\w*|beats?|surpass\w*|exceed\w*|gains?|raises?|boosts?|increas\w+|wins?|superior|tốt hơn|vượt|cải thiện|tăng)\b|提升|提高|优于|超过|超越|领先|改进|改善|增加/i;
const worsens =
  /\b(?:worse\w*|degrad\w+|hurts?|harms?|declin\w+|decreas\w+|drops?|falls?|loses?|reduc\w+|giảm|kém hơn)\b|下降|降低|减少|劣于|变差/i;
const hedged =
  /\b(?:may|might|could|not (?:significant\w*|distinguishable|certain|clear|settled|decided)|n[o']t? (?:clear|evidence|significant)|undecided|inconclusive|unclear|within (?:the )?(?:noise|error)|includes? (?:zero|0)|contains? (?:zero|0)|no (?:clear|significant|reliable)|insignificant\w*|equivalent|tie[ds]?|if any|có thể|chưa rõ|không đáng kể)\b|可能|不显著|无显著|尚不|不确定|没有定论|未见/i;
const scopeWords =
  /\b(?:general(?:ly|ises?|izes?)|in general|across the board|universal(?:ly)?|broadly|robust(?:ly)?|across (?:all |many |various |different )?(?:tasks|domains|models|environments|settings|benchmarks|seeds)|in all (?:cases|settings)|everywhere|nói chung|trên mọi)\b|普遍|广泛|在各种|所有场景|泛化到|一般而言/i;
const countedScope =
  /\b[nN]\s*=\s*\d|\b\d[\d,]*\s+(?:\w+ )?(?:tasks|domains|models|environments|settings|benchmarks|seeds|runs|cases|questions|episodes|nhiệm vụ)\b|\d+\s*(?:个|种|次|项)/;
const superlatives =
  /\b(?:best|worst|highest|lowest|fastest|slowest|strongest|weakest|consistently|outperforms?|beats?|surpass(?:es)?|(?:in|on|across|for) (?:all|every)(?: of)?(?: the)?(?: [a-z]+)? (?:tasks?|domains?|settings?|cases?|budgets?|env(?:ironment)?s?|runs?|seeds?|models?|benchmarks?|levels?)|always|never|the only|tốt nhất|luôn|mọi (?:nhiệm vụ|mô hình))\b|最好|最佳|最高|最低|始终|总是|在所有|唯一|优于|超过|一致地/i;

const proxyWords = /\bprox(?:y|ies)\b|代理指标|代理|chỉ số thay thế/i;
const simulationWords = /\bsimulat\w+|\bin silico\b|模拟|仿真|mô phỏng/i;
const agreementWords =
  /\b(?:agreement|kappa|alpha|ICC|inter-?(?:rater|annotator)|đồng thuận)\b|[κα]\s*=|一致性|一致率/i;

type Ceiling = NonNullable<ClaimEntry["wording_ceiling"]>;

const ceilingOf: Readonly<Record<NonNullable<ClaimEntry["eval_type"]>, Ceiling>> = {
  real_gt: "full",
  synthetic_proxy: "proxy",
  self_supervised_proxy: "relative_only",
  simulation_only: "in_simulation",
  human_eval: "with_agreement",
};

/** What a wording fault is. */
export interface WordingFault {
  readonly status: ClaimStatus;
  readonly message: string;
}

const overclaim = (message: string): WordingFault => ({ status: "scope_overclaim", message });

/** The value that means no effect: 1 for ratios, 0 else. */
function getNeutral({ kind }: ClaimEntry): number {
  return kind === "ratio" ? 1 : 0;
}

const effects: ReadonlySet<ClaimEntry["kind"]> = new Set(["delta", "relative_delta", "ratio", "comparison"]);

/** Returns what the evaluation type of a claim forbids in a sentence that shows it. */
export function checkCeiling(claim: ClaimEntry, sentence: string): WordingFault[] {
  const own = claim.eval_type === undefined ? undefined : ceilingOf[claim.eval_type];
  const ceiling = claim.wording_ceiling ?? own ?? "full";
  const faults: WordingFault[] = [];
  if (own !== undefined && own !== "full" && ceiling === "full")
    faults.push(overclaim(`The ledger allows full wording, the evaluation type ${claim.eval_type} allows ${own}`));
  const effective = ceiling === "full" ? (own ?? "full") : ceiling;
  switch (effective) {
    case "full":
      break;
    case "proxy":
      if (!proxyWords.test(sentence))
        faults.push(overclaim("The number comes from a proxy, and the sentence does not say so"));
      break;
    case "relative_only":
      if (!["delta", "relative_delta", "ratio", "comparison", "rank"].includes(claim.kind))
        faults.push(overclaim("A self-supervised proxy says how two systems differ, not how good one is"));
      break;
    case "in_simulation":
      if (!simulationWords.test(sentence))
        faults.push(overclaim("The number was measured in simulation, and the sentence does not say so"));
      break;
    case "with_agreement":
      if (!agreementWords.test(`${sentence} ${claim.note ?? ""}`))
        faults.push(overclaim("People judged, and neither the sentence nor the note says how far they agreed"));
      break;
    default:
      effective satisfies never;
  }
  return faults;
}

/**
 * Returns what a sentence says beyond the interval of an effect it shows: an interval that contains no effect forbids
 * an unhedged "improves". `interval` may also come from another claim of the sentence.
 */
export function checkEffectWording(
  claim: ClaimEntry,
  computed: ComputedClaim,
  sentence: string,
  otherInterval?: readonly [number, number],
): WordingFault[] {
  const interval = computed.interval ?? otherInterval;
  if (!effects.has(claim.kind)) return [];
  const saysMore = improves.test(sentence);
  const saysLess = worsens.test(sentence);
  if ((!saysMore && !saysLess) || hedged.test(sentence)) return [];
  const neutral = getNeutral(claim);
  if (interval !== undefined && interval[0] <= neutral && neutral <= interval[1])
    return [
      overclaim(`The interval [${interval[0]}, ${interval[1]}] contains ${neutral}, and the sentence does not hedge`),
    ];
  return [];
}

const predicates: ReadonlySet<ClaimEntry["kind"]> = new Set(["comparison", "rank", "quantifier", "scope"]);

/** What of a sentence the ledger backs. */
export interface SentenceClaims {
  readonly kinds: readonly ClaimEntry["kind"][];
  readonly isCited: boolean;
  /** Methods that already say best or worst. */
  readonly methods: readonly string[];
}

/** Returns what a sentence with numbers claims about order or scope that no claim of it backs. */
export function checkSentence(sentence: string, { kinds, isCited, methods }: SentenceClaims): WordingFault[] {
  if (isCited) return [];
  const faults: WordingFault[] = [];
  const scope = scopeWords.exec(sentence)?.[0];
  if (scope !== undefined && !countedScope.test(sentence) && !kinds.includes("scope") && !hedged.test(sentence))
    faults.push(overclaim(`"${scope}" needs the number it was seen in, or a claim of kind scope`));
  const word = superlatives.exec(sentence)?.[0];
  const isBacked =
    kinds.some((kind) => predicates.has(kind)) || methods.some((method) => method === "best" || method === "worst");
  const isEffect = kinds.some((kind) => effects.has(kind)) && improves.test(word ?? "");
  if (word !== undefined && kinds.length > 0 && !isBacked && !isEffect)
    faults.push({
      status: "unsupported_claim",
      message: `"${word}" is a comparison that no claim of the sentence checks: bind it to one of kind comparison, rank or quantifier`,
    });
  return faults;
}
