import { createHash } from "node:crypto";
import type { Assurance } from "../document.js";
import type { StageArtefact } from "../verdict.js";
import type { MissingBrowser, RenderBrowser } from "./open-browser.js";
import { renderViewports, type PageScreenshot } from "./page-evidence.js";
import { probePage } from "./probe/probe-page.js";
import type { CheckOutcome, CheckStatus, RenderSubject } from "./render-check.js";
import { renderChecks } from "./render-checks.js";

/** What one check found, as it is stored. */
export interface RenderCheckDetails extends Omit<CheckOutcome, "status"> {
  readonly name: string;
  /** Path of the picture that shows it, beside the artefact. */
  readonly screenshot?: string;
}

/** A picture that was kept. */
export interface StoredScreenshot {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The body of the artefact of the render stage. */
export interface RenderDetails {
  readonly mode: "browser";
  readonly output_sha256: string;
  readonly output_bytes: number;
  readonly viewport: readonly string[];
  readonly browser?: { readonly name: string; readonly version: string };
  readonly checks: { readonly [id: string]: CheckStatus };
  readonly check_details: { readonly [id: string]: RenderCheckDetails };
  readonly screenshots: readonly StoredScreenshot[];
  /** Why nothing could be judged, and what to do. */
  readonly missing?: Pick<MissingBrowser, "message" | "remedy">;
}

/** What a page is checked against and with. */
export interface CheckPageOptions extends Omit<RenderSubject, "evidence" | "html"> {
  readonly level: Assurance;
  /** UTC, ISO 8601. */
  readonly generatedAt: string;
  /** Files that the page and its comparison came from: path relative to the document, `sha256:…`. */
  readonly inputHashes: { readonly [path: string]: string };
  /** Text of axe-core; without it the check of accessibility is undecided. */
  readonly axe?: string;
  /** The page in another language. */
  readonly pairHtml?: string;
}

/** A checked page. */
export interface CheckedPage {
  readonly artefact: StageArtefact<RenderDetails>;
  /** Bytes of the pictures by the path that the artefact gives them. */
  readonly pictures: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

const viewports = [...renderViewports.map(({ width, height }) => `${width}x${height}`), "print", "no-script"];

function hash(bytes: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** A failure of quality is a warning at draft; a hint is one at every level. */
function weigh(status: CheckStatus, weight: "fidelity" | "quality" | "hint", level: Assurance): CheckStatus {
  if (status !== "fail" || weight === "fidelity") return status;
  return weight === "quality" && level === "release" ? "fail" : "warn";
}

function judge(
  checks: RenderDetails["checks"],
  level: Assurance,
): Pick<StageArtefact, "verdict" | "reason_code" | "summary"> {
  const count = (status: CheckStatus): number => Object.values(checks).filter((each) => each === status).length;
  const names = (status: CheckStatus): string =>
    Object.keys(checks)
      .filter((id) => checks[id] === status)
      .join(", ");
  const list = (["fail", "warn", "unknown"] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${status}: ${names(status)}`);
  const summary = [`${count("pass")} of 32 checks pass, ${count("not_applicable")} do not apply`, ...list].join("; ");
  if (count("fail") > 0) return { verdict: "FAIL", reason_code: "checks-failed", summary };
  // A release may not rest on what nobody looked at.
  if (count("unknown") > 0)
    return { verdict: level === "release" ? "BLOCKED" : "WARN", reason_code: "checks-undecided", summary };
  if (count("warn") > 0) return { verdict: "WARN", reason_code: "checks-warn", summary };
  return { verdict: "PASS", reason_code: "checks-pass", summary };
}

function describe(html: string): Pick<RenderDetails, "mode" | "output_sha256" | "output_bytes" | "viewport"> {
  return { mode: "browser", output_sha256: hash(html), output_bytes: Buffer.byteLength(html), viewport: viewports };
}

/** Returns the artefact of a page that no browser could look at: BLOCKED, every check unknown. */
export function blockPageCheck(
  html: string,
  missing: MissingBrowser,
  options: CheckPageOptions,
): StageArtefact<RenderDetails> {
  const { level, generatedAt, inputHashes } = options;
  return {
    stage: "render",
    verdict: "BLOCKED",
    reason_code: missing.reason,
    summary: `No check ran: ${missing.message}`,
    audited_input_hashes: inputHashes,
    generated_at: generatedAt,
    mode: "deterministic",
    level,
    details: {
      ...describe(html),
      checks: Object.fromEntries(renderChecks.map(({ id }) => [id, "unknown"])),
      check_details: {},
      screenshots: [],
      missing: { message: missing.message, remedy: missing.remedy },
    },
  };
}

const pictureOf: { readonly [id: string]: PageScreenshot["name"] } = {
  R03: "longest-equation",
  R21: "first-narrow",
  R32: "first-wide",
};

/** Judges a page by all checks from what the browser told. */
export function judgePage(subject: RenderSubject, options: CheckPageOptions): CheckedPage {
  const { level, generatedAt, inputHashes } = options;
  const pictures = subject.evidence.screenshots.map(({ name, bytes }) => ({ path: `screens/${name}.png`, bytes }));
  const checks: { [id: string]: CheckStatus } = {};
  const details: { [id: string]: RenderCheckDetails } = {};
  for (const { id, name, weight, judge: run } of renderChecks) {
    const { status, ...outcome } = run(subject);
    checks[id] = weigh(status, weight, level);
    const picture = pictures.find(({ path }) => path === `screens/${pictureOf[id]}.png`);
    details[id] = { name, ...outcome, ...(picture === undefined ? {} : { screenshot: picture.path }) };
  }
  const artefact: StageArtefact<RenderDetails> = {
    stage: "render",
    ...judge(checks, level),
    audited_input_hashes: inputHashes,
    generated_at: generatedAt,
    mode: "deterministic",
    level,
    details: {
      ...describe(subject.html),
      browser: subject.evidence.browser,
      checks,
      check_details: details,
      screenshots: pictures.map(({ path, bytes }) => ({ path, sha256: hash(bytes), bytes: bytes.length })),
    },
  };
  return { artefact, pictures };
}

/**
 * Looks at a page in a browser with the network cut and judges it by all 32 checks. FAIL with a failed check of R01
 * to R20, and at release of R21 to R31; WARN with other failures; undecided checks are WARN at draft and BLOCKED at
 * release.
 */
export async function checkPage(browser: RenderBrowser, html: string, options: CheckPageOptions): Promise<CheckedPage> {
  const { level: _level, generatedAt: _at, inputHashes: _inputs, axe, pairHtml, ...subject } = options;
  const evidence = await probePage(browser, html, {
    ...(axe === undefined ? {} : { axe }),
    ...(pairHtml === undefined ? {} : { pairHtml }),
  });
  return judgePage({ ...subject, evidence, html }, options);
}
