import { usageError } from "../core/index.js";

/** A base URL taken apart for requests. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path without a trailing slash, e.g. `/v1`. */
  readonly path: string;
  /** Query with its question mark, or `""`; kept on every request (Azure's `api-version`). */
  readonly search: string;
  /** The whole, for messages and records; holds no credentials. */
  readonly text: string;
}

/**
 * Returns where the endpoint's requests go. A missing scheme becomes `http` for this machine and for plain IPv4
 * addresses and `https` elsewhere; a URL without a path gets `/v1`; a trailing slash and a pasted
 * `/chat/completions` are taken off.
 *
 * @throws a usage error when `text` is no URL, has another scheme than http or https, or holds credentials.
 * @example
 * parseBaseUrl("localhost:8000").text; // "http://localhost:8000/v1"
 */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  const isLocal = /^(localhost|\[|\d{1,3}(\.\d{1,3}){3})/.test(trimmed);
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `${isLocal ? "http" : "https"}://${trimmed}`;
  if (trimmed === "" || !URL.canParse(withScheme)) {
    throw usageError(
      `Cannot use "${trimmed}" as a base URL: it is not a URL`,
      'Give the address that ends in "/v1", e.g. "http://localhost:8000/v1"',
    );
  }
  const url = new URL(withScheme);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw usageError(
      `Cannot use "${trimmed}" as a base URL: its scheme is "${url.protocol}", allowed are http and https`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError(
      `Cannot use the base URL of host "${url.host}": it holds a user name or password`,
      "Put the key into an environment variable and name the variable",
    );
  }
  const path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/)?completions$/, "");
  const finalPath = path === "" ? "/v1" : path;
  return { origin: url.origin, path: finalPath, search: url.search, text: `${url.origin}${finalPath}${url.search}` };
}
