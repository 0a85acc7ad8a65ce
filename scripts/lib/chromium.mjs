// Finds the browser that the browser tests drive.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns the path of a Chromium: what the variable CHROMIUM names, else one on the PATH or among the applications of
 * a Mac; `undefined` if there is none.
 */
export function findChromium() {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...applications];
  return [process.env["CHROMIUM"] ?? "", ...candidates].find(isExecutable);
}

/**
 * Makes sure that there is a browser: on a CI machine (CI is set) where we are root and apt-get exists it is installed
 * from the system's packages, elsewhere a line says what is missing and that the browser tests will be skipped.
 */
export function ensureChromium() {
  if (findChromium() !== undefined) return;
  const isOurs = process.env["CI"] !== undefined && process.getuid?.() === 0;
  if (isOurs && apt("update") && apt("install", "-y", "--no-install-recommends", "chromium")) return;
  process.stdout.write(
    'No Chromium found: browser tests are skipped. Install one ("apt-get install chromium", or any Chrome) or set CHROMIUM to its path\n',
  );
}

/** @param {string[]} args */
function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-q", ...args], { stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}

/** @param {string} path */
function isExecutable(path) {
  if (path === "") return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
