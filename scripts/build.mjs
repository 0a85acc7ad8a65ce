// Compiles src/ to dist/ with plain tsc, removes what sources no longer there had left, and makes the command executable.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { listFiles } from "./lib/sources.mjs";

if (!existsSync("dist")) rmSync("node_modules/.cache/turnwise.tsbuildinfo", { force: true });
try {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
} catch {
  process.exit(1); // The compiler has said why.
}
for (const file of listFiles(".", "dist")) {
  const stem = file.replace(/^dist\//, "src/").replace(/(\.d\.ts|\.js|\.js\.map)$/, "");
  const isCompiled = /(\.d\.ts|\.js|\.js\.map)$/.test(file);
  if (isCompiled && !existsSync(`${stem}.ts`) && !existsSync(`${stem}.tsx`)) rmSync(file);
}
if (existsSync("dist/cli/main.js")) chmodSync("dist/cli/main.js", 0o755);
