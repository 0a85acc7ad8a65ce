import type { Command } from "@commander-js/extra-typings";
import { collect } from "../option-parsers.js";
import type { CliSession } from "../session.js";

const marks = { ok: "ok     ", missing: "MISSING", note: "note   " } as const;

/** Adds `turnwise doctor`. */
export function addDoctor(program: Command, session: CliSession): void {
  program
    .command("doctor")
    .description("check this machine, an endpoint, an env or an agent, with a remedy for what is missing")
    .option("--base-url <url>", "OpenAI-compatible server to try (default: OPENAI_BASE_URL, if set)")
    .option("--model <name>", "model to ask on that server (default: the first it lists)")
    .option("--api-key-variable <name>", "environment variable with the key (default: OPENAI_API_KEY)")
    .option("--env <env>", "env name or module to check against its contract; repeatable", collect)
    .option("--policy <policy>", "policy module to check against its contract; repeatable", collect)
    .option("--output <folder>", "folder that must be writable", ".")
    .option("--json", "print one JSON document")
    .action(async (flags) => {
      const { runDoctor } = await import("../../commands/index.js");
      const { baseUrl, model, apiKeyVariable, env: envs = [], policy: policies = [], output } = flags;
      const report = await runDoctor({
        envs,
        policies,
        folder: output,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(model === undefined ? {} : { model }),
        ...(apiKeyVariable === undefined ? {} : { apiKeyVariable }),
      });
      if (flags.json === true) {
        session.printJson(report);
      } else {
        for (const { status, subject, found, remedy } of report.checks) {
          session.print(`${marks[status]}  ${subject}: ${found}`);
          if (remedy !== undefined && status !== "ok") session.print(`         ${remedy}`);
        }
      }
      if (!report.isHealthy) session.exitCode = 1;
    });
}
