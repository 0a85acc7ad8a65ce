// internal
import type { PlotOptions } from "@observablehq/plot";
import { plot } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { cleanText } from "./clean-text.js";
import { trustHtml, type Html } from "./html.js";

const geometry = ["d", "transform", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height"];

/** Writes coordinates with one decimal: a tenth of a pixel is as much as can be seen. */
function roundGeometry(value: string): string {
  return value.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10));
}

/** What a chart says to those who do not see it. */
export interface ChartText {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The finding in words; the data stand in a table beside the chart. */
  readonly description: string;
}

/**
 * Returns a plot as SVG text for a page: named and described, coordinates rounded, Plot's own style element taken out
 * (the page's style sheet has its rules). `variant` tells sizes of the same chart apart.
 */
export function renderSvg(options: PlotOptions, { id, title, description }: ChartText, variant: string): Html {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const drawing = plot({ ...options, document, className: "plot", style: { fontSize: "12px" } });
  for (const style of drawing.querySelectorAll("style")) style.remove();
  for (const element of drawing.querySelectorAll("*")) {
    element.removeAttribute("aria-label");
    element.removeAttribute("aria-description");
    for (const name of geometry) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, roundGeometry(value));
    }
  }
  const names = [
    ["title", `${id}-${variant}-title`, title],
    ["desc", `${id}-${variant}-desc`, description],
  ] as const;
  for (const [tag, nameId, text] of names.toReversed()) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    element.setAttribute("id", nameId);
    element.textContent = cleanText(text);
    drawing.prepend(element);
  }
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-labelledby", `${id}-${variant}-title`);
  drawing.setAttribute("aria-describedby", `${id}-${variant}-desc`);
  drawing.setAttribute("class", `plot ${variant}`);
  return trustHtml(`${drawing.outerHTML}\n`);
}
