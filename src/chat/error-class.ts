/**
 * Why the client could not get an answer. It throws a `PolicyError` with one of these classes, or with
 * `context_overflow` when the server says that the prompt no longer fits.
 *
 * - `rate_limit`, `server_error`, `timeout`, `connection`, `bad_response`: still so after all attempts.
 * - `authentication`, `bad_request`, `not_found`: trying again cannot help.
 * - `outage`: no endpoint worked for longer than the patience limit.
 * - `aborted`: the caller's signal.
 */
export type ChatErrorClass =
  | "rate_limit"
  | "server_error"
  | "timeout"
  | "connection"
  | "bad_response"
  | "authentication"
  | "bad_request"
  | "not_found"
  | "outage"
  | "aborted";
