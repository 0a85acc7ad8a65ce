// internal
import type { Sandbox, SandboxResult } from "../../sandbox/index.js";

/** Limits of one test run: far beyond what a right program needs, and the same on every machine. */
const limits = { maxSteps: 2_000_000, maxMemoryBytes: 16 * 1024 * 1024, maxOutputLength: 16_384 };

/** A script with the name errors call it by. */
interface Program {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns code that makes each call and gives what it returned or threw as text. What a call should give is not in
 * the realm, so no program can find it out.
 */
function writeCalls(calls: readonly string[]): string {
  const makers = calls.map((call) => `() => (${call})`).join(", ");
  return `((stringify, String) => [${makers}].map((call) => {
    try {
      const value = call();
      const text = typeof value === "number" && !(value - value === 0) ? String(value) : stringify(value);
      return text === undefined ? String(value) : text;
    } catch (error) {
      // Which allocation fails is chance, and with no room left for an error the engine throws null: one text for all.
      if (error === null || (error instanceof Error && error.message === "out of memory")) return "runs out of memory";
      return "throws " + (error instanceof Error ? error.name + ": " + error.message : String(error));
    }
  }))(JSON.stringify, String)`;
}

function describeFailure({ outcome, error }: SandboxResult): string {
  if (outcome === "timeout") return "does not end";
  if (outcome === "out_of_memory") return "runs out of memory";
  const place = error?.place === undefined ? "" : ` (line ${error.place.line})`;
  return `throws ${error?.name ?? "Error"}: ${error?.message ?? "unknown"}${place}`;
}

async function runAtOnce(
  sandbox: Sandbox,
  { name, text }: Program,
  calls: readonly string[],
): Promise<string[] | string> {
  const result = await sandbox.run(writeCalls(calls), { ...limits, scripts: [{ name, code: text }], name: "tests.js" });
  const values = result.value;
  const isComplete =
    Array.isArray(values) && values.length === calls.length && values.every((value) => typeof value === "string");
  // Anything else than a list of texts comes from a program that tampered with the realm's built-ins.
  return result.outcome === "ok" && isComplete ? [...values] : describeFailure(result);
}

/**
 * Returns what each call of a program gives, as text: JSON, `throws ...`, `does not end` or `runs out of memory`. A
 * call that breaks a limit spoils only itself.
 */
export async function runCalls(sandbox: Sandbox, program: Program, calls: readonly string[]): Promise<string[]> {
  const together = await runAtOnce(sandbox, program, calls);
  if (typeof together !== "string") return together;
  const apart = await Promise.all(calls.map((call) => runAtOnce(sandbox, program, [call])));
  return apart.map((values) => (typeof values === "string" ? values : (values[0] ?? together)));
}

/** Says whether a program gives what is expected for every call. */
export async function passesAll(
  sandbox: Sandbox,
  program: Program,
  calls: readonly string[],
  expected: readonly string[],
): Promise<boolean> {
  const found = await runAtOnce(sandbox, program, calls);
  return typeof found !== "string" && found.every((value, i) => value === expected[i]);
}
