import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.js";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./test/closing-line-reporter.ts"],
  },
});
