/** One moment of a web episode. */
export interface WebMoment {
  readonly screenshot: { readonly width: number; readonly height: number };
  readonly html: string;
  readonly action: WebAction;
}

/** What can be done on a page. */
export type WebAction =
  | { readonly kind: "click"; readonly ref: string }
  | { readonly kind: "type"; readonly ref: string; readonly text: string };

/** One supervised record: what the network reads, and the action it learns to write. */
export interface WebRecord {
  readonly instruction: string;
  readonly html: string;
  /** Actions before, oldest first. */
  readonly history: readonly string[];
  /** Moments whose screenshots are shown, oldest first. */
  readonly frames: readonly number[];
  /** Image tokens of all frames. */
  readonly imageTokens: number;
  readonly target: string;
}

/** Returns the number of square patches that cover an image; patches at the edges may stick out. */
export function countPatches(width: number, height: number, patch = 16): number {
  return Math.ceil(width / patch) * Math.ceil(height / patch);
}

/**
 * Returns an action as text that {@linkcode parseWebAction} reads.
 *
 * @example
 * renderWebAction({ kind: "type", ref: "5", text: "a b" }); // 'type "5" "a b"'
 */
export function renderWebAction(action: WebAction): string {
  switch (action.kind) {
    case "click":
      return `click ${JSON.stringify(action.ref)}`;
    case "type":
      return `type ${JSON.stringify(action.ref)} ${JSON.stringify(action.text)}`;
    default:
      return action satisfies never;
  }
}

/** Returns the action a text stands for, or `undefined` when it is none. */
export function parseWebAction(text: string): WebAction | undefined {
  const quoted = '"(?:[^"\\\\]|\\\\.)*"';
  const match = new RegExp(`^(?:(click) (${quoted})|(type) (${quoted}) (${quoted}))$`).exec(text);
  if (match === null) return undefined;
  const read = (part: string): string | undefined => {
    try {
      const value: unknown = JSON.parse(part);
      return typeof value === "string" ? value : undefined;
    } catch {
      return undefined;
    }
  };
  const ref = read(match[2] ?? match[4]);
  if (ref === undefined) return undefined;
  if (match[1] === "click") return { kind: "click", ref };
  const typed = read(match[5]);
  return typed === undefined ? undefined : { kind: "type", ref, text: typed };
}

/**
 * Returns a supervised record for each moment of an episode (WebGUM, arXiv 2305.11854): the instruction, the page, all
 * actions before, and the screenshots of the last `window` moments (2 in the paper) as patches of 16 x 16. Trained with
 * `sft` on the target's tokens only.
 */
export function buildWebRecords(instruction: string, moments: readonly WebMoment[], window = 2): WebRecord[] {
  return moments.map(({ html, action }, i) => {
    const frames = Array.from({ length: Math.min(window, i + 1) }, (_, back) => i - Math.min(window, i + 1) + 1 + back);
    return {
      instruction,
      html,
      history: moments.slice(0, i).map((before) => renderWebAction(before.action)),
      frames,
      imageTokens: frames.reduce((sum, frame) => {
        const { width, height } = moments[frame].screenshot;
        return sum + countPatches(width, height);
      }, 0),
      target: renderWebAction(action),
    };
  });
}
