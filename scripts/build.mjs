// Compiles src/ to dist/ with plain tsc, then makes the command executable.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";

if (!existsSync("dist")) rmSync("node_modules/.cache/turnwise.tsbuildinfo", { force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (existsSync("dist/cli/main.js")) chmodSync("dist/cli/main.js", 0o755);
