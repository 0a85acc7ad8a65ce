import { expect, test } from "vitest";
import type { ToolSpec } from "./action.js";
import { parseTextAction } from "./text-action.js";

const tool: ToolSpec = { name: "send", description: "", parameters: { properties: { data: {} } } };

test("parseTextAction() refuses arguments that are nested too deep to be walked through", () => {
  const send = (depth: number): string => `<action>send {"data": ${"[".repeat(depth)}${"]".repeat(depth)}}</action>`;
  expect(parseTextAction(send(499), [tool])).toMatchObject({ type: "calls" });
  expect(parseTextAction(send(500), [tool])).toEqual({
    type: "invalid",
    reason: 'arguments of "send" are nested more than 500 levels deep',
  });
});
