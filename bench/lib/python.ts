import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Returns the interpreter of a virtual environment under `.venv/` that holds exactly these packages, made on first
 * use and made anew when the list changes; `undefined`, with the reason printed, where Python or the packages cannot
 * be had.
 */
export function ensurePython(name: string, requirements: readonly string[]): string | undefined {
  const folder = fileURLToPath(new URL(`../../.venv/${name}`, import.meta.url));
  const stamp = `${folder}/requirements.txt`;
  const wanted = `${requirements.join("\n")}\n`;
  const python = `${folder}/bin/python`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return python;
  process.stderr.write(`installing ${requirements.join(" ")} into .venv/${name} (minutes)\n`);
  try {
    execFileSync("python3", ["-m", "venv", "--clear", folder], { stdio: ["ignore", "ignore", "inherit"] });
    execFileSync(python, ["-m", "pip", "install", "--quiet", ...requirements], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    process.stderr.write(`left out ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
  writeFileSync(stamp, wanted);
  return python;
}
