// internal

/**
 * Returns a formula with braces around operators that stand bare as an index, as in `_\min`, which the engine would
 * reject. Everything else is as written.
 */
export function repairTex(tex: string): string {
  return tex.replace(
    /([_^])\s*(\\(?:arg|argmax|argmin|cos|det|dim|exp|inf|ker|lim|ln|log|max|min|Pr|sin|sup|tan|tanh)(?![A-Za-z]))/g,
    "$1{$2}",
  );
}
