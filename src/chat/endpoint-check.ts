/** One thing found out about an endpoint. */
export interface EndpointCheck {
  /** `reachable`, `models`, `chat`, `usage`, `tools`, `log-probs`, `token ids`, `seed` or `streaming`. */
  readonly name: string;
  /** `missing`: it cannot be used like this. `note`: it works without this. */
  readonly status: "ok" | "missing" | "note";
  readonly found: string;
  readonly remedy?: string;
}
