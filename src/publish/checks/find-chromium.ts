import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge", "chrome"];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

function isExecutable(path: string): boolean {
  if (path === "") return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the path of a Chromium: what the variable CHROMIUM of the environment names, else one on its PATH or among
 * the usual places of applications; `undefined` if there is none.
 */
export function findChromium(environment: { readonly [name: string]: string | undefined }): string | undefined {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const suffixes = delimiter === ";" ? [".exe"] : [""];
  const candidates = names.flatMap((name) =>
    folders.flatMap((folder) => suffixes.map((end) => join(folder, name + end))),
  );
  return [environment["CHROMIUM"] ?? "", ...candidates, ...applications].find(isExecutable);
}
