// Makes sure that there is a browser for the browser tests: on a CI machine (CI is set) where we are root and apt-get
// exists it is installed from the system's packages, elsewhere a line says what is missing and that tests are skipped.
import { spawnSync } from "node:child_process";
import { findChromium } from "../src/publish/checks/find-chromium.js";

function apt(...parameters: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-q", ...parameters], { stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}

if (findChromium(process.env) === undefined) {
  const isOurs = process.env["CI"] !== undefined && process.getuid?.() === 0;
  if (!(isOurs && apt("update") && apt("install", "-y", "--no-install-recommends", "chromium")))
    process.stdout.write(
      'No Chromium found: browser tests are skipped. Install one ("apt-get install chromium", or any Chrome) or set CHROMIUM to its path\n',
    );
}
