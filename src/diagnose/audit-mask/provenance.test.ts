import { expect, test } from "vitest";
import { createTokenSample } from "../../core/index.js";
import { classifyTrained, findPresumedSampled } from "./provenance.js";

test("findPresumedSampled() takes padding alone for no provenance, so a healthy padded sample raises no alarm", () => {
  const roles = ["padding", "padding", undefined, undefined, undefined, "padding"] as const;
  const sample = createTokenSample(["pad", "pad", "ask", "go", "end", "pad2"], {
    lossMask: [false, false, false, true, true, false],
    roles,
  });
  expect(findPresumedSampled(sample)).toBeUndefined();
  expect(classifyTrained(sample)).not.toContain("prompt");
});
