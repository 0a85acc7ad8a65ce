// internal
import { defaultHandlers } from "remark-rehype";
import { createBlockHandlers } from "./block-handlers.js";
import { stampResult, type Handlers, type PageContext } from "./elements.js";
import { createInlineHandlers } from "./inline-handlers.js";

/** Returns the handlers of all nodes, for one page. */
export function createHandlers(context: PageContext): Handlers {
  const standard = defaultHandlers as Handlers; // the same, typed for other nodes too
  const handlers: Handlers = {};
  for (const [type, handler] of Object.entries(standard)) {
    if (handler !== undefined) Object.assign(handlers, { [type]: stampResult(handler) });
  }
  return { ...handlers, ...createBlockHandlers(context), ...createInlineHandlers(context) };
}
