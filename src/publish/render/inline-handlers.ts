// internal
import type { Image, Link } from "mdast";
import { isRemoteUrl, isSafeUrl } from "../parse/addresses.js";
import type { InlineElementNode, MathNode, SpanNode } from "../parse/nodes.js";
import { resolveAlt } from "./alt-text.js";
import {
  element,
  generated,
  raw,
  setMath,
  text,
  type Handler,
  type Handlers,
  type MakeLink,
  type PageContext,
} from "./elements.js";
import { createReferenceHandlers } from "./reference-handlers.js";

/** Returns the handlers of what stands in a line. */
export function createInlineHandlers(context: PageContext): Handlers {
  const { words, options, report } = context;
  let linkDepth = 0;
  const makeLink: MakeLink = (href, children, properties = {}) => {
    // There are no links within links.
    if (href === undefined || linkDepth > 0) return element("span", properties, children);
    const rel = /^https?:/i.test(href) ? { rel: ["noopener", "noreferrer"] } : {};
    return element("a", { href, ...rel, ...properties }, children);
  };
  const link: Handler = (state, node: Link) => {
    linkDepth += 1;
    const children = state.all(node);
    linkDepth -= 1;
    if (!isSafeUrl(node.url)) {
      const url = JSON.stringify(node.url.slice(0, 80));
      report("link.unsafe", `The link to ${url} is not allowed: its text is shown alone`, node);
      return element("span", { className: ["unresolved"] }, children);
    }
    const href = node.url.startsWith("#") ? node.url : (options.resolveLink?.(node.url) ?? node.url);
    return makeLink(href, children, { title: node.title ?? undefined });
  };
  const span: Handler = (state, node: SpanNode) => {
    if (node.status === undefined) return element("span", { id: node.label }, state.all(node));
    const note = Object.values(node.values).join("; ");
    return element(
      "span",
      {
        className: ["status", node.status],
        id: node.label,
        dataStatus: node.status,
        title: note === "" ? undefined : note,
      },
      [...state.all(node), generated("span", "status-mark", words[node.status])],
    );
  };
  return {
    link,
    span,
    image: createImageHandler(context, makeLink),
    inlineMath: (_state, node: MathNode) => raw(setMath(context, node.value, false, node)),
    inlineElement: (state, node: InlineElementNode) => element(node.name, {}, state.all(node)),
    ...createReferenceHandlers(context, makeLink),
  };
}

/** Images are put into the page; one on another site, or that is not there, is a box with its text and the reason. */
function createImageHandler({ words, options, report }: PageContext, makeLink: MakeLink): Handler {
  return (_state, node: Image) => {
    const written = node.alt ?? "";
    const alt = resolveAlt(written, options.resolveClaim);
    const origin = alt === written ? {} : { dataSource: written };
    const isRemote = isRemoteUrl(node.url);
    const loaded = isRemote ? undefined : options.loadImage?.(node.url);
    if (loaded !== undefined) {
      const src = `data:${loaded.mediaType};base64,${Buffer.from(loaded.bytes).toString("base64")}`;
      return element("img", { src, alt, ...origin, title: node.title ?? undefined }, []);
    }
    const [rule, reason] = !isSafeUrl(node.url)
      ? ["link.unsafe", "The address of an image is not allowed"]
      : isRemote
        ? ["image.remote", "The image is on another site and is not loaded"]
        : ["image.missing", "The image is not there"];
    report(rule, `${reason}: ${JSON.stringify(node.url.slice(0, 200))}`, node);
    const href = /^https?:/i.test(node.url) ? node.url : undefined;
    const shown = element("span", { className: ["alt"], ...origin }, alt === "" ? [] : [text(alt)]);
    const why = generated("span", "mark-error", isRemote ? words.remoteImage : words.missingImage);
    return makeLink(href, [shown, why], { className: ["no-image"] });
  };
}
