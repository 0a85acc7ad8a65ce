import type { Reporter, TestModule, TestRunEndReason, TestSuite } from "vitest/node";

/**
 * Prints the plain closing line `N passed, N failed, N skipped` that CI readers look for. What fails without being a
 * test counts as a failure too: a file that cannot be collected, a hook, an unhandled error, a run without tests.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: TestRunEndReason): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += countOwnFailures(module);
      for (const suite of module.children.allSuites()) failed += countOwnFailures(suite);
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    if (reason !== "passed" && failed === 0) failed = 1;
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}

/** Counts the errors of a file or a suite itself: collection and hooks. */
function countOwnFailures(owner: TestModule | TestSuite): number {
  return owner.errors().length;
}
