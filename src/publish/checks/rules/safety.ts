// internal
import { createHash } from "node:crypto";
import { documentScript } from "../../render/page-script.js";
import type { ElementUse } from "../probe/collect-parts.js";
import { decide, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck, RenderSubject } from "../render-check.js";

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const htmlNames = list(
  "html head meta title link style script body a article aside b blockquote br button caption code dd details div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label li main mark nav ol p pre s section small span strong del sub summary sup table tbody td tfoot th thead time tr u ul",
);
const graphicNames = list(
  "svg g path line rect circle ellipse polyline polygon text tspan title desc defs clipPath linearGradient stop marker symbol",
);
const formulaNames = list(
  "math semantics annotation mrow mi mo mn ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup msubsup munder mover munderover mmultiscripts mtable mtr mtd mlabeledtr maction mprescripts none mglyph span svg path line g img",
);
const attributeNames = list(
  "id class lang dir title role hidden tabindex href hreflang rel src alt start value type checked disabled open align name content charset http-equiv datetime colspan rowspan scope for width height reversed media",
);

/** Attributes that run scripts or load something. */
const activeAttribute = /^on|^(?:srcdoc|srcset|action|formaction|ping|xlink:href|background|manifest|autofocus)$/i;

function judgeElement({ name, isHtml, attributes, place, isOfFormulas }: ElementUse): CheckLocation[] {
  const isKnown = isOfFormulas ? formulaNames.has(name) : (isHtml ? htmlNames : graphicNames).has(name);
  const problems = isKnown ? [] : [problemAt(place, `The element <${name}> is not allowed`)];
  for (const [attribute, at] of Object.entries(attributes)) {
    const isFree = /^(?:data|aria)-[a-z-]+$/.test(attribute) || !isHtml || (isOfFormulas && attribute === "style");
    const isAllowed = !activeAttribute.test(attribute) && (isFree || attributeNames.has(attribute));
    if (!isAllowed) problems.push(problemAt(at, `The attribute "${attribute}" of <${name}> is not allowed`));
  }
  return problems;
}

const schemes = list("http https mailto doi arxiv");

function judgeAddresses({ evidence: { parts } }: RenderSubject): CheckLocation[] {
  return parts.addresses.flatMap(({ address, attribute, tag, ...place }) => {
    // Browsers leave blanks and control signs out before they look at the scheme.
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(/[\u0000-\u0020]/g, ""))?.[1].toLowerCase();
    if (scheme === undefined || schemes.has(scheme)) return [];
    const isImage =
      scheme === "data" && /^data:image\//i.test(address) && ((tag === "img" && attribute === "src") || tag === "link");
    return isImage ? [] : [problemAt(place, `The scheme "${scheme}:" of ${attribute} in <${tag}> is not safe`)];
  });
}

/** What each directive of the policy may name. */
function isTight(directive: string, source: string): boolean {
  if (source === "'none'") return true;
  if (directive === "style-src") return source === "'unsafe-inline'";
  if (directive === "script-src") return /^'sha256-[\w+/=]+'$/.test(source);
  return (directive === "img-src" || directive === "font-src") && source === "data:";
}

function judgePolicy({ evidence: { parts }, scripts = [documentScript] }: RenderSubject): CheckLocation[] {
  const [policy] = parts.policies;
  if (policy === undefined) return [{ message: "The page has no content security policy" }];
  const directives = policy.text.split(";").map((part) => part.trim().split(/\s+/));
  const loose = directives.flatMap(([name, ...sources]) =>
    name === ""
      ? []
      : sources
          .filter((source) => !isTight(name, source))
          .map((source) => ({ message: `The policy allows ${source} for ${name}` })),
  );
  const names = new Set(directives.map(([name]) => name));
  const absent = ["default-src", "base-uri", "form-action"].filter((name) => !names.has(name));
  const hashes = new Set(directives.find(([name]) => name === "script-src")?.slice(1));
  const wild = parts.scripts.flatMap(({ text, src, ...place }) => {
    if (src !== undefined) return [problemAt(place, "A script is loaded from elsewhere")];
    const hash = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    if (!hashes.has(hash)) return [problemAt(place, "A script is not named by the policy")];
    return scripts.includes(text) ? [] : [problemAt(place, "A script is not one that the renderer puts in")];
  });
  return [
    ...loose,
    ...absent.map((name) => ({ message: `The policy does not set ${name}` })),
    ...(policy.isFirst ? [] : [{ message: "The policy stands after styles or scripts" }]),
    ...wild,
  ];
}

export const safetyCheck: RenderCheck = {
  id: "R06",
  name: "safety_escaping",
  weight: "fidelity",
  description:
    "Only known elements, attributes and schemes; no handlers; only hashed scripts; a policy that forbids the rest",
  judge(subject) {
    const { elements, scripts } = subject.evidence.parts;
    const problems = [...elements.flatMap(judgeElement), ...judgeAddresses(subject), ...judgePolicy(subject)];
    return decide({
      expected: "known elements and attributes, safe addresses, a tight policy",
      actual: `${new Set(elements.map(({ name }) => name)).size} kinds of elements, ${scripts.length} script named by the policy`,
      problems,
    });
  },
};
