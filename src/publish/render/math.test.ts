import { describe, expect, test } from "vitest";
import { findMathFonts, getMathStyles } from "./math-fonts.js";
import { renderMath, repairTex } from "./math.js";

describe("renderMath()", () => {
  test.each([
    String.raw`r_\min + R^\max`,
    String.raw`x_\operatorname{KL}`,
    String.raw`a_\sqrt{2}`,
    String.raw`\theta_\arg`,
    String.raw`\pi_\text{old}`,
    String.raw`x \label{eq:a}`,
    String.raw`\text{中文} < \mathbb{E}_{x \sim \mathcal{D}}[\|x\|_2]`,
  ])("sets %s and keeps its TeX as written", (tex) => {
    const { html, error } = renderMath(tex, true);
    expect(error).toBeUndefined();
    const annotation = /<annotation encoding="application\/x-tex">([^]*?)<\/annotation>/.exec(html)?.[1];
    expect(annotation?.replaceAll("&lt;", "<")).toBe(tex);
  });

  test.each([
    [String.raw`\frac{a}{`, /brace|end of input|EOF/i],
    [String.raw`\nonsense{x}`, /Undefined control sequence/],
    [String.raw`\left( a`, /left/],
  ])("shows %s with the reason, and never throws", (tex, reason) => {
    const { html, error } = renderMath(tex, false);
    expect(error).toMatch(reason);
    expect(html).toContain('class="formula-error"');
  });

  test("lets no formula load, link or run anything", () => {
    for (const tex of [String.raw`\href{javascript:alert(1)}{x}`, String.raw`\includegraphics{https://a.b/c.png}`]) {
      expect(renderMath(tex, false).html).not.toMatch(/<img|<a /);
    }
  });
});

test("repairTex() puts braces round bare operators alone", () => {
  expect(repairTex(String.raw`a_\min b^\max c_{\min} \min_x \minus_\minimal`)).toBe(
    String.raw`a_{\min} b^{\max} c_{\min} \min_x \minus_\minimal`,
  );
});

test.each([
  ["x", ["Main-Regular", "Math-Italic"]],
  [String.raw`\mathbb{E}`, ["AMS-Regular", "Main-Regular"]],
  [String.raw`\mathbf{1}`, ["Main-Bold", "Main-Regular"]],
  [String.raw`\mathcal{D}`, ["Caligraphic-Regular", "Main-Regular"]],
  [String.raw`\Bigl(1\Bigr)`, ["Main-Regular", "Size2-Regular"]],
  [String.raw`\textstyle\sum`, ["Main-Regular", "Size1-Regular"]],
])("findMathFonts() names the fonts of %s and no other", (tex, fonts) => {
  expect(findMathFonts(renderMath(tex, false).html)).toEqual(fonts);
});

test("getMathStyles() holds the named fonts as WOFF2 and asks for no file", () => {
  const styles = getMathStyles(["Main-Regular", "Size1-Regular"]);
  expect(styles.match(/@font-face/g)).toHaveLength(2);
  expect(styles.match(/url\((?!data:font\/woff2)/g)).toBeNull();
  expect(getMathStyles([])).toBe("");
});
