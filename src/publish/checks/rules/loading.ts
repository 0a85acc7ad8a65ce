// internal
import { decide, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

/** Elements that load what their address names. */
const loading: ReadonlySet<string> = new Set(
  "img script link iframe source video audio track object embed input image use".split(" "),
);

const defaultMaxBytes = 5 * 1024 * 1024;

export const selfContainedCheck: RenderCheck = {
  id: "R19",
  name: "self_contained",
  weight: "fidelity",
  description: "The page asks nothing of the network and is not larger than allowed",
  judge({ html, evidence: { blocked, parts }, maxBytes = defaultMaxBytes }) {
    const bytes = Buffer.byteLength(html);
    const outside = parts.addresses.filter(
      ({ tag, address }) => loading.has(tag) && !/^(?:data:|#)/i.test(address.trim()),
    );
    // What the policy refuses inside the page is no load; handlers and scripts have a check of their own.
    const asked = [
      ...new Set(
        blocked.filter(({ directive }) => !directive?.startsWith("script-src-attr")).map(({ address }) => address),
      ),
    ]
      .filter((address) => address !== "inline" && address !== "eval")
      .map((address) => ({ message: `The page asked for ${address.slice(0, 120)}` }));
    const problems: CheckLocation[] = [
      ...asked,
      ...outside.map(({ address, ...place }) => problemAt(place, `The element loads ${address.slice(0, 120)}`)),
    ];
    if (bytes > maxBytes) problems.push({ message: `The page has ${bytes} bytes, allowed are ${maxBytes}` });
    return decide({
      expected: `no request, at most ${maxBytes} bytes`,
      actual: `no request, ${bytes} bytes`,
      problems,
    });
  },
};

export const consoleCleanCheck: RenderCheck = {
  id: "R20",
  name: "console_clean",
  weight: "fidelity",
  description: "The page reports no error",
  judge({ evidence: { errors } }) {
    const problems = errors.map((text) => ({ message: text.slice(0, 300) }));
    return decide({ expected: "no error", actual: "none, with and without scripts", problems });
  },
};
