import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { checkTrainingRuntime, type TrainingRuntimeCheck } from "./check-training-runtime.js";

test("checkTrainingRuntime() tells the version of a build that is there", async () => {
  expect(await checkTrainingRuntime()).toMatchObject({
    backend: "node",
    isUsable: true,
    found: expect.stringMatching(/^\d/) as string,
  });
});

test("a build that is missing is told with the command that installs it", () => {
  // Hides the packages from the process, as if they had never been installed.
  const hook = `export async function resolve(name, context, next) {
    if (name.startsWith("onnxruntime-")) throw new Error("Cannot find package '" + name + "'");
    return next(name, context);
  }`;
  const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = asModule(`import { register } from "node:module"; register(${JSON.stringify(asModule(hook))});`);
  const module = JSON.stringify(new URL("check-training-runtime.ts", import.meta.url).href);
  const script = `const { checkTrainingRuntime } = await import(${module});
    console.log(JSON.stringify([await checkTrainingRuntime("node"), await checkTrainingRuntime("web")]));`;
  const args = ["--import", "tsx", "--import", register, "--input-type=module", "--eval", script];
  const checks = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as TrainingRuntimeCheck[];
  for (const { backend, isUsable, found, remedy } of checks) {
    expect(isUsable).toBe(false);
    expect(found).toContain(`Cannot train: the package "onnxruntime-${backend}" cannot be loaded: Cannot find package`);
    expect(remedy).toContain(`npm install onnxruntime-${backend}@1.30.0`);
  }
});
