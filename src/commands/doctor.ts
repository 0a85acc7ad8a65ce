import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  envContractChecks,
  errorMessage,
  policyContractChecks,
  TurnwiseError,
  type ContractCheck,
  type Env,
} from "../core/index.js";
import { getPackageVersion } from "./package-version.js";
import { resolveEnv } from "./resolve-env.js";
import { resolvePolicy } from "./resolve-policy.js";

/** One thing that was looked at. */
export interface DoctorCheck {
  /** `note`: nothing is wrong, but a feature is not there. */
  readonly status: "ok" | "missing" | "note";
  readonly subject: string;
  /** What was found. */
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** What the doctor found. */
export interface DoctorReport {
  /** Whether nothing that is needed is missing. */
  readonly isHealthy: boolean;
  readonly checks: readonly DoctorCheck[];
}

/** What the doctor looks at beside the machine. */
export interface DoctorOptions {
  /** Server to try; default: the variable `OPENAI_BASE_URL`, if set. */
  readonly baseUrl?: string;
  /** Default: the first model the server lists. */
  readonly model?: string;
  /** Default `OPENAI_API_KEY` where it is set. */
  readonly apiKeyVariable?: string;
  /** Envs to check against their contract. */
  readonly envs?: readonly string[];
  /** Policies to check against their contract. */
  readonly policies?: readonly string[];
  /** Folder that must be writable; default the current one. */
  readonly folder?: string;
  readonly environment?: { readonly [name: string]: string | undefined };
}

/** The oldest Node.js that turnwise runs on. */
const leastNode = [20, 19] as const;

function checkNode(version: string): DoctorCheck {
  const [major, minor] = version.split(".").map(Number);
  const isEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  return isEnough
    ? { status: "ok", subject: "Node.js", found: version }
    : {
        status: "missing",
        subject: "Node.js",
        found: version,
        remedy: `Install Node.js ${leastNode.join(".")} or newer`,
      };
}

async function checkFolder(folder: string): Promise<DoctorCheck> {
  const subject = `Write access to "${folder}"`;
  try {
    const trial = await mkdtemp(join(folder, ".turnwise-doctor-"));
    await writeFile(join(trial, "trial"), "trial");
    await rm(trial, { recursive: true });
    return { status: "ok", subject, found: "files can be written" };
  } catch (error) {
    return {
      status: "missing",
      subject,
      found: errorMessage(error),
      remedy: "Make the folder writable, or work in another one",
    };
  }
}

/** Returns the levels to check: the first one, and those of 2 and 3 that the env does not refuse to make tasks of. */
function listLevels(env: Env): number[] {
  const isRefused = (level: number): boolean => {
    try {
      env.makeTasks?.({ split: "train", level, taskCount: 1, seed: 1 });
      return false;
    } catch (error) {
      return error instanceof TurnwiseError && error.kind === "usage"; // any other failure is found by the checks
    }
  };
  return [1, ...[2, 3].filter((level) => !isRefused(level))];
}

/** Runs contract checks; the first ones that fail are named. */
async function checkContract(
  subject: string,
  createChecks: () => Promise<readonly ContractCheck[]>,
): Promise<DoctorCheck> {
  let checks: readonly ContractCheck[];
  try {
    checks = await createChecks();
  } catch (error) {
    const remedy = error instanceof TurnwiseError ? error.remedy : undefined;
    return { status: "missing", subject, found: errorMessage(error), ...(remedy === undefined ? {} : { remedy }) };
  }
  const failures: string[] = [];
  for (const check of checks) {
    try {
      await check.run();
    } catch (error) {
      failures.push(`${check.name}: ${errorMessage(error)}`);
    }
  }
  if (failures.length === 0)
    return { status: "ok", subject, found: `keeps all ${checks.length} promises of its contract` };
  return {
    status: "missing",
    subject,
    found: `breaks ${failures.length} of ${checks.length} promises of its contract\n${failures.map((failure) => `         - ${failure}`).join("\n")}`,
    remedy: "See docs/guides/own-env-and-agent.md for what each promise means",
  };
}

async function checkEndpoint(baseUrl: string, options: DoctorOptions): Promise<DoctorCheck[]> {
  const { environment = process.env, model } = options;
  const apiKeyVariable = options.apiKeyVariable ?? (environment["OPENAI_API_KEY"] ? "OPENAI_API_KEY" : undefined);
  const { probeEndpoint } = await import("../chat/index.js");
  const probe = await probeEndpoint({
    baseUrl,
    environment,
    ...(model === undefined ? {} : { model }),
    ...(apiKeyVariable === undefined ? {} : { apiKeyVariable }),
  });
  return probe.checks.map(({ name, status, found, remedy }) => ({
    status,
    subject: `Endpoint ${baseUrl}, ${name}`,
    found,
    ...(remedy === undefined ? {} : { remedy }),
  }));
}

/** Training is optional, so that a runtime that is missing is noted and not held against the machine. */
async function checkTraining(): Promise<DoctorCheck> {
  const subject = "Training";
  const { checkTrainingRuntime } = await import("../trainers/index.js");
  const own = await checkTrainingRuntime("node");
  if (own.isUsable) return { status: "ok", subject, found: `onnxruntime-node ${own.found}` };
  const web = await checkTrainingRuntime("web");
  const found = web.isUsable ? `onnxruntime-web ${web.found} only: slower; ${own.found}` : own.found;
  return { status: "note", subject, found, ...(own.remedy === undefined ? {} : { remedy: own.remedy }) };
}

/** Looks at the machine and at everything named in `options`, and returns what was found. Changes nothing. */
export async function runDoctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  const { envs = [], policies = [], folder = ".", environment = process.env } = options;
  const checks: DoctorCheck[] = [
    checkNode(process.versions.node),
    { status: "ok", subject: "turnwise", found: getPackageVersion() },
    await checkFolder(folder),
    await checkTraining(),
  ];
  const baseUrl = options.baseUrl ?? environment["OPENAI_BASE_URL"];
  if (baseUrl !== undefined && baseUrl !== "") checks.push(...(await checkEndpoint(baseUrl, options)));
  else
    checks.push({
      status: "note",
      subject: "Endpoint",
      found: "none named",
      remedy: "To try one: turnwise doctor --base-url http://localhost:8000/v1",
    });
  for (const env of envs) {
    checks.push(
      await checkContract(`Env "${env}"`, async () => {
        const resolved = await resolveEnv(env);
        return envContractChecks(resolved, { levels: listLevels(resolved) });
      }),
    );
  }
  for (const policy of policies) {
    checks.push(
      await checkContract(`Policy "${policy}"`, async () => {
        const resolved = await resolvePolicy(policy, { environment });
        return policyContractChecks(resolved, await resolveEnv(envs[0] ?? "vault"), {
          isRepeatable: !policy.includes("chat:"),
        });
      }),
    );
  }
  return { isHealthy: checks.every((check) => check.status !== "missing"), checks };
}
