import { readFileSync } from "node:fs";

/** Returns the version of this package, as its package.json states it. */
export function getPackageVersion(): string {
  // Two folders up from dist/commands and from src/commands alike.
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version; // our own package.json
}
