import { Option, type Command, type OptionValues } from "@commander-js/extra-typings";
import type { AnalysisOptions, ChatSettings, FileSourceOptions } from "../../commands/index.js";
import type { Budget, JsonObject } from "../../core/index.js";
import { parseCount, parseCounts, parseJsonObject, parsePositive, parseWithin, parseWords } from "../option-parsers.js";

const differences = ["env_version", "disclosure", "terminal_rule", "mark", "grader", "limits"] as const;
const intervalMethods = ["percentile", "bca", "multiplier"] as const;

// The return types are written out: inferred ones, one level per option, take the compiler minutes to print.

/** The same fields as a plain object type, which commander's constraint asks for. */
type Plain<Flags> = { [Key in keyof Flags]: Flags[Key] };

/** Adds the options that say how figures are estimated. */
export function addAnalysisOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & Plain<AnalysisFlags>> {
  command
    .option(
      "-k, --widths <list>",
      "sampling widths K, e.g. 1,2,4 (default: doubling up to the samples)",
      parseCounts(1),
    )
    .option("--level <share>", "coverage of intervals and bands", parseWithin(0.5, 0.9999), 0.95)
    .option("--replicates <n>", "bootstrap resamples of tasks", parseCount(100), 2000)
    .addOption(
      new Option("--intervals <how>", "task bootstrap (percentile, bca) or the faster Gaussian multiplier bootstrap")
        .choices(intervalMethods)
        .default("percentile" as const),
    )
    .option("--bootstrap-seed <n>", "seed of the resampling", parseCount(0), 1)
    .option("--margin <share>", "differences inside this margin count as equivalent", parseWithin(0.0001, 0.5), 0.03)
    .option(
      "--allow <list>",
      `compare although these differ, labelled: ${differences.join(", ")}`,
      parseWords(differences),
    );
  return command as unknown as Command<Arguments, Options & Plain<AnalysisFlags>>; // the same object, with the options just added
}

/** The parsed options of {@linkcode addAnalysisOptions}. */
export type AnalysisFlags = {
  readonly widths?: number[];
  readonly level: number;
  readonly replicates: number;
  readonly bootstrapSeed: number;
  readonly intervals: (typeof intervalMethods)[number];
  readonly margin: number;
  readonly allow?: (typeof differences)[number][];
};

/** Returns the analysis options that the flags stand for. */
export function readAnalysisFlags(flags: AnalysisFlags): AnalysisOptions {
  const { widths, allow, level, replicates, bootstrapSeed, intervals, margin } = flags;
  return {
    level,
    replicates,
    bootstrapSeed,
    intervals,
    margin,
    ...(widths === undefined ? {} : { sampleCounts: widths }),
    ...(allow === undefined ? {} : { allow }),
  };
}

/** Adds the options that all `chat:MODEL` policies of a call share. */
export function addChatOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & Plain<ChatFlags>> {
  command
    .optionsGroup("Chat policies (chat:MODEL):")
    .option("--base-url <url>", "OpenAI-compatible server (default: OPENAI_BASE_URL)")
    .option("--api-key-variable <name>", "environment variable with the key (default: OPENAI_API_KEY)")
    .addOption(
      new Option("--surface <kind>", "how the model acts (default: tools)").choices(["tools", "text"] as const),
    )
    .option("--grammar <json>", 'how text actions are written, e.g. {"type":"tag","tag":"action"}', parseJsonObject)
    .option("--temperature <t>", "sampling temperature", parseWithin(0, 10))
    .option("--top-p <p>", "nucleus sampling", parseWithin(0.0001, 1))
    .option("--max-tokens <n>", "most tokens of one turn", parseCount(1))
    .option("--system-prompt <text>", "system prompt; {instructions} and {surface} are filled in")
    .addOption(
      new Option("--without-tool-call <what>", "a reply without a tool call (default: quit)").choices([
        "quit",
        "invalid",
      ] as const),
    )
    .option("--send-reasoning", "show the model its own earlier reasoning")
    .option("--stream", "stream answers")
    .option("--log-probs", "ask for log-probabilities")
    .option("--token-ids", "ask for token ids (vLLM)")
    .option("--extra-body <json>", "fields for every request body", parseJsonObject)
    .option("--requests-per-minute <n>", "limit of each endpoint", parsePositive)
    .option("--tokens-per-minute <n>", "limit of each endpoint", parsePositive)
    .option("--timeout <seconds>", "longest silence of the server", parsePositive)
    .option("--max-attempts <n>", "attempts of one request, retries included", parseCount(1))
    .option("--patience <seconds>", "outage after which episodes get an error instead of waiting", parsePositive)
    .option("--prices <file>", "JSON with prices per million tokens by model");
  return command; // the same object, with the options just added
}

/** The parsed options of {@linkcode addChatOptions}. */
export type ChatFlags = {
  readonly baseUrl?: string;
  readonly apiKeyVariable?: string;
  readonly surface?: "tools" | "text";
  readonly grammar?: Readonly<Record<string, unknown>>;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly systemPrompt?: string;
  readonly withoutToolCall?: "quit" | "invalid";
  readonly sendReasoning?: true;
  readonly stream?: true;
  readonly logProbs?: true;
  readonly tokenIds?: true;
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly timeout?: number;
  readonly maxAttempts?: number;
  readonly patience?: number;
  readonly prices?: string;
};

/** Returns the chat settings that the flags stand for, checked. */
export async function readChatFlags(flags: ChatFlags): Promise<ChatSettings> {
  const { readChatSettings } = await import("../../commands/index.js");
  const { surface, grammar, temperature, topP, maxTokens, systemPrompt, logProbs, tokenIds, extraBody } = flags;
  const { baseUrl, apiKeyVariable, requestsPerMinute, tokensPerMinute, maxAttempts } = flags;
  const policy = { surface, grammar, temperature, topP, maxTokens, systemPrompt, logProbs, tokenIds, extraBody };
  const client = { baseUrl, apiKeyVariable, requestsPerMinute, tokensPerMinute, maxAttempts };
  return readChatSettings(
    {
      ...policy,
      ...client,
      sendReasoningBack: flags.sendReasoning,
      streaming: flags.stream,
      timeoutSeconds: flags.timeout,
      patienceSeconds: flags.patience,
      noToolCall: flags.withoutToolCall,
    },
    flags.prices,
  );
}

/** Adds the options that say how other tools' files are read. */
export function addImportOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & Plain<ImportFlags>> {
  command
    .optionsGroup("Reading other tools' files:")
    .option("--format <name>", "importer; auto recognises the file (turnwise import --list shows all)", "auto")
    .option("--policy-id <name>", "names the policy where the file does not")
    .option("--reward-field <path>", "field of the reward in a record, for message formats")
    .option("--success-field <path>", "field of the success flag")
    .option("--task-field <path>", "field of the task id")
    .option("--sample-field <path>", "field of the attempt's number at its task, from 0")
    .option("--success-threshold <reward>", "reward from which an episode counts as solved", parseWithin(-1e9, 1e9))
    .option(
      "--map <json>",
      "generic mapping of record fields for any JSONL (see docs/guides/import.md)",
      parseJsonObject,
    );
  return command as unknown as Command<Arguments, Options & Plain<ImportFlags>>; // the same object, with the options just added
}

/** The parsed options of {@linkcode addImportOptions}. */
export type ImportFlags = {
  readonly format: string;
  readonly policyId?: string;
  readonly rewardField?: string;
  readonly successField?: string;
  readonly taskField?: string;
  readonly sampleField?: string;
  readonly successThreshold?: number;
  readonly map?: Readonly<Record<string, unknown>>;
};

/** Returns the reading options that the flags stand for. */
export function readImportFlags(flags: ImportFlags): Pick<FileSourceOptions, "format" | "importOptions"> {
  const { format, policyId, rewardField, successField, taskField, sampleField, successThreshold, map } = flags;
  return {
    format: map === undefined || format !== "auto" ? format : "map",
    importOptions: {
      ...(policyId === undefined ? {} : { policyId }),
      ...(rewardField === undefined ? {} : { rewardField }),
      ...(successField === undefined ? {} : { successField }),
      ...(taskField === undefined ? {} : { taskField }),
      ...(sampleField === undefined ? {} : { sampleField }),
      ...(successThreshold === undefined ? {} : { successThreshold }),
      ...(map === undefined ? {} : { map: map as JsonObject }), // parsed from JSON text
    },
  };
}

/** Adds the limits of an episode beside its turns. */
export function addLimitOptions<Arguments extends unknown[], Options extends OptionValues>(
  command: Command<Arguments, Options>,
): Command<Arguments, Options & Plain<LimitFlags>> {
  command
    .option("--token-limit <n>", "most tokens of an episode", parseCount(1))
    .option("--tool-call-limit <n>", "most tool calls of an episode", parseCount(1))
    .option("--second-limit <n>", "most seconds of an episode", parsePositive)
    .option("--cost-limit <n>", "most cost of an episode", parsePositive);
  return command;
}

/** The parsed options of {@linkcode addLimitOptions}. */
export type LimitFlags = {
  readonly tokenLimit?: number;
  readonly toolCallLimit?: number;
  readonly secondLimit?: number;
  readonly costLimit?: number;
};

/** Returns the limits that the flags stand for. */
export function readLimitFlags(flags: LimitFlags): Omit<Budget, "maxTurns"> {
  const { tokenLimit, toolCallLimit, secondLimit, costLimit } = flags;
  return { maxTokens: tokenLimit, maxToolCalls: toolCallLimit, maxSeconds: secondLimit, maxCost: costLimit };
}
