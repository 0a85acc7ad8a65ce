import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText } from "./clean-text.js";
import { escapeHtml, markup, trustHtml } from "./html.js";

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("<", ">", "&", '"', "'", "\u0000", "\ud800", "\udc00", "\r"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

test.each([
  { name: "a lone surrogate", text: "a\ud800b", clean: "a\ufffdb" },
  { name: "a whole pair, which stays", text: "a\u{1f600}b", clean: "a\u{1f600}b" },
  { name: "a terminal's escape", text: "\u001b[31m", clean: "␛[31m" },
  { name: "a zero", text: "\u0000", clean: "␀" },
  { name: "a direction override", text: "a\u202eb", clean: "a\ufffdb" },
  { name: "line feed and tab, which stay", text: "a\n\tb", clean: "a\n\tb" },
  { name: "a carriage return", text: "a\r\nb\rc", clean: "a\nb\nc" },
])("cleanText() handles $name", ({ text, clean }) => {
  expect(cleanText(text)).toBe(clean);
});

test("cleanText() changes nothing the second time", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(cleanText(cleanText(text))).toBe(cleanText(text));
    }),
  );
});

test("escapeHtml() leaves no character that could open markup or end an attribute", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
    }),
  );
});

test("html escapes text, keeps markup, joins lists and skips what is absent", () => {
  const part = markup`<b>${"</b>"}</b>`;
  expect(markup`<p title="${'"'}">${[part, " & ", 3]}${undefined}${false}${trustHtml("<i>")}</p>`.toString()).toBe(
    '<p title="&quot;"><b>&lt;/b&gt;</b> &amp; 3<i></p>',
  );
});
