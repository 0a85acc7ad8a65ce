// internal
import { createHash, hash } from "node:crypto";

/** Returns the SHA-256 of a text as 64 hex digits: the same as core's `sha256`, by the platform's faster code. */
export const hashText: (text: string) => string =
  typeof hash === "function"
    ? (text) => hash("sha256", text)
    : (text) => createHash("sha256").update(text).digest("hex");
