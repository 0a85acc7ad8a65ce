import type { Random } from "../core/index.js";

/** How often and how patiently one call is tried. */
export interface RetryConfig {
  /** Attempts in all, the first included. Default 8. */
  readonly maxAttempts?: number;
  /** Longest wait before the second attempt; doubles each time. Default 1. */
  readonly baseSeconds?: number;
  /** Longest wait between two attempts. A `Retry-After` of the server may be longer. Default 60. */
  readonly maxSeconds?: number;
}

/**
 * Returns how long to wait after failed attempt number `attemptCount` (from 1): a uniform draw from 0 to
 * `min(maxSeconds, baseSeconds * 2^(attemptCount - 1))` ("full jitter"), so that calls that failed together do not
 * come back together.
 */
export function drawBackoffSeconds(
  attemptCount: number,
  random: Random,
  { baseSeconds = 1, maxSeconds = 60 }: RetryConfig = {},
): number {
  return random.next() * Math.min(maxSeconds, baseSeconds * 2 ** (attemptCount - 1));
}

/**
 * Returns the seconds that a `Retry-After` header asks for: a number of seconds or an HTTP date, seen from `now`
 * (seconds since 1970). A date that is past is 0; what cannot be read is `undefined`.
 *
 * @example
 * parseRetryAfter("Thu, 01 Jan 1970 00:01:00 GMT", 20); // 40
 */
export function parseRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date / 1000 - now);
}
