// internal
import { errorMessage } from "../core/index.js";
import type { Failure } from "./failure.js";

/** Returns the error code of what a socket or undici threw, looking through its causes. */
function findCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const { code } = current as { readonly code?: unknown }; // Node's and undici's errors carry a code
    if (typeof code === "string") return code;
  }
  return undefined;
}

/** Returns the failure that a thrown network error means. */
export function classifyNetworkError(error: unknown, from: string, hasAnswered: boolean): Failure {
  const code = findCode(error);
  const what = code === undefined ? errorMessage(error) : `${errorMessage(error) || "no connection"} (${code})`;
  const base = { isRetryable: true, isOutage: true, cause: error };
  switch (code) {
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return { ...base, errorClass: "timeout", message: `"${from}" did not answer in time: ${what}` };
    case "ECONNREFUSED":
      return {
        ...base,
        errorClass: "connection",
        message: `Cannot reach "${from}": nothing listens there (ECONNREFUSED): start the server or correct the base URL`,
      };
    case "ENOTFOUND":
      return {
        ...base,
        isRetryable: hasAnswered,
        errorClass: "connection",
        message: `Cannot reach "${from}": its host name is not known (ENOTFOUND): correct the base URL or check the network`,
      };
    default: {
      // A certificate does not mend itself.
      const isCertificate = code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME|^ERR_(SSL|TLS)/.test(code);
      return {
        ...base,
        isRetryable: !isCertificate,
        errorClass: "connection",
        message: `Connection to "${from}" failed: ${what}`,
      };
    }
  }
}
