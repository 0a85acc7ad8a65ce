import { expect, test } from "vitest";
import { classifyNetworkError } from "./network-failure.js";

function withCode(code: string, message = "failed"): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  { code: "UND_ERR_HEADERS_TIMEOUT", errorClass: "timeout", isRetryable: true },
  { code: "UND_ERR_BODY_TIMEOUT", errorClass: "timeout", isRetryable: true },
  { code: "UND_ERR_CONNECT_TIMEOUT", errorClass: "timeout", isRetryable: true },
  { code: "ETIMEDOUT", errorClass: "timeout", isRetryable: true },
  { code: "ECONNRESET", errorClass: "connection", isRetryable: true },
  { code: "UND_ERR_SOCKET", errorClass: "connection", isRetryable: true },
  { code: "EAI_AGAIN", errorClass: "connection", isRetryable: true },
  { code: "ECONNREFUSED", errorClass: "connection", isRetryable: true },
  { code: "CERT_HAS_EXPIRED", errorClass: "connection", isRetryable: false },
  { code: "DEPTH_ZERO_SELF_SIGNED_CERT", errorClass: "connection", isRetryable: false },
  { code: "ERR_SSL_WRONG_VERSION_NUMBER", errorClass: "connection", isRetryable: false },
])("classifyNetworkError() calls $code $errorClass", ({ code, errorClass, isRetryable }) => {
  expect(classifyNetworkError(withCode(code), "http://h/v1", false)).toMatchObject({
    errorClass,
    isRetryable,
    isOutage: true,
  });
});

test("classifyNetworkError() takes an unknown host for a typing error until the endpoint has worked", () => {
  const first = classifyNetworkError(withCode("ENOTFOUND"), "http://h/v1", false);
  expect(first.isRetryable).toBe(false);
  expect(first.message).toBe(
    'Cannot reach "http://h/v1": its host name is not known (ENOTFOUND): correct the base URL or check the network',
  );
  expect(classifyNetworkError(withCode("ENOTFOUND"), "http://h/v1", true).isRetryable).toBe(true);
});

test("classifyNetworkError() looks through causes, and through errors without a message", () => {
  const wrapped = new Error("fetch failed", { cause: withCode("ECONNREFUSED", "") });
  expect(classifyNetworkError(wrapped, "http://h/v1", false).message).toContain("nothing listens there");
  expect(classifyNetworkError(withCode("EPIPE", ""), "h", false).message).toBe(
    'Connection to "h" failed: no connection (EPIPE)',
  );
});
