// Writes data/outcomes/*.json from the public raw data: facts only (task, sample, turns, success, stop).
// Usage: npx tsx scripts/make-outcomes.ts FOLDER_OF_RAW_DATA
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Trajectory } from "../src/core/index.js";
import type { Importer, OutcomeSource, OutcomeTable } from "../src/records/index.js";
import {
  createOutcomeTable,
  intercodeImporter,
  openImportSource,
  tau2Importer,
  tauBenchImporter,
  verifiersImporter,
} from "../src/records/index.js";

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error("Name the folder of the raw data");
const output = "data/outcomes";

async function readAll(importer: Importer, paths: readonly string[]): Promise<Trajectory[]> {
  const trajectories: Trajectory[] = [];
  for (const path of paths) {
    for await (const item of importer.read(await openImportSource(join(root, path)), {})) {
      if (item.type === "problem") throw new Error(`${path}: ${item.message}`);
      trajectories.push(item.trajectory);
    }
  }
  return trajectories;
}

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.includes(".json"))
    .sort()
    .map((name) => join(folder, name));
}

/** Writes a table with a line for each policy and a few for the rest, so that differences can be read. */
function writeTable(name: string, table: OutcomeTable): void {
  const { policies, tasks, ...head } = table;
  const lines = policies.map((policy) => `    ${JSON.stringify(policy)}`).join(",\n");
  const start = JSON.stringify(head, null, 2).slice(0, -2);
  writeFileSync(
    join(output, `${name}.json`),
    `${start},\n  "policies": [\n${lines}\n  ],\n  "tasks": ${JSON.stringify(tasks)}\n}\n`,
  );
}

mkdirSync(output, { recursive: true });

const verifiers: OutcomeSource = {
  repository: "https://github.com/PrimeIntellect-ai/verifiers",
  commit: "4bb1d372869765add62b539d7038224babc6bfde and ee30ea11ee5b6d77f3eabf940afaf71025299008",
  licence: "MIT",
  turn: "one assistant message",
  notes: ["Tasks are the first 16 digits of a hash of question and answer"],
};
const wiki = "verifiers-evals/wiki_search";
writeTable(
  "verifiers-wiki-search",
  createOutcomeTable(
    {
      title: "wiki-search: a base model and its RL-trained checkpoint",
      source: verifiers,
      envId: "wiki-search",
      terminalRule: "hard",
      maxTurns: 10,
    },
    [
      {
        id: "qwen3-4b-instruct-2507",
        label: "base",
        trajectories: await readAll(verifiersImporter, [
          `${wiki}/wiki-search--qwen--qwen3-4b-instruct-2507/e762fd98/results.jsonl.gz`,
        ]),
      },
      {
        id: "qwen3-4b-wiki-search",
        label: "RL",
        trajectories: await readAll(verifiersImporter, [
          `${wiki}/wiki-search--willcb--qwen3-4b-wiki-search/094df25d/results.jsonl.gz`,
        ]),
      },
    ],
  ),
);

const tauBench: OutcomeSource = {
  repository: "https://github.com/sierra-research/tau-bench",
  commit: "59a200c6d575d595120f1cb70fea53cef0632f6b",
  licence: "MIT",
  turn: "one assistant message: an answer to the simulated user or one tool call",
};
writeTable(
  "tau-bench-airline",
  createOutcomeTable(
    {
      title: "tau-bench airline: gpt-4o, four trials",
      source: tauBench,
      envId: "tau-bench/airline",
      terminalRule: "hard",
      maxTurns: 30,
    },
    [
      {
        id: "gpt-4o",
        label: "gpt-4o",
        trajectories: await readAll(tauBenchImporter, ["tau-bench-airline-gpt4o/gpt-4o-airline.json.gz"]),
      },
    ],
  ),
);

const tau2: OutcomeSource = {
  repository: "https://github.com/sierra-research/tau2-bench",
  commit: "59d0fb96f4292815e1f6463fb2f139ffef47dc7f",
  licence: "MIT",
  turn: "one message of the agent's model; the simulated user's messages and calls are no turns",
};
for (const domain of ["airline", "telecom"]) {
  const files = listFiles("tau2-base-vs-sft").filter((name) => name.includes(`_${domain}_`));
  writeTable(
    `tau2-${domain}`,
    createOutcomeTable(
      {
        title: `tau2 ${domain}: gpt-4.1 before and after supervised fine-tuning`,
        source: tau2,
        envId: `tau2/${domain}`,
        terminalRule: "hard",
      },
      [
        {
          id: "gpt-4.1",
          label: "before",
          trajectories: await readAll(
            tau2Importer,
            files.filter((name) => !name.includes("ft_")),
          ),
        },
        {
          id: "gpt-4.1-tau2-sft",
          label: "after",
          trajectories: await readAll(
            tau2Importer,
            files.filter((name) => name.includes("ft_")),
          ),
        },
      ],
    ),
  );
}

const intercode: OutcomeSource = {
  repository: "https://github.com/princeton-nlp/intercode",
  commit: "c3e46d827cfc9d4c704ec078f7abf9f41e3191d8",
  licence: "MIT",
  turn: "one command and its answer; an episode ends with the first reward of exactly 1",
};
writeTable(
  "intercode-bash",
  createOutcomeTable(
    {
      title: "InterCode Bash: gpt-4 and vicuna, ten turns",
      source: intercode,
      envId: "ic_bash",
      terminalRule: "hard",
      maxTurns: 10,
    },
    [
      {
        id: "gpt-4",
        label: "gpt-4",
        trajectories: await readAll(intercodeImporter, listFiles("intercode/bash/gpt-4")),
      },
      {
        id: "vicuna",
        label: "vicuna",
        trajectories: await readAll(intercodeImporter, listFiles("intercode/bash/vicuna")),
      },
    ],
  ),
);
const sql = "intercode/sql";
writeTable(
  "intercode-sql",
  createOutcomeTable(
    {
      title: "InterCode SQL: gpt-4 with ten turns and with one, vicuna with ten",
      source: intercode,
      envId: "ic_sql",
      terminalRule: "hard",
      maxTurns: 10,
    },
    [
      {
        id: "gpt-4",
        label: "gpt-4, ten turns",
        trajectories: await readAll(intercodeImporter, [`${sql}/gpt-4/ic_sql_multiturn_gpt-4_10_turns.json.gz`]),
      },
      {
        id: "gpt-4",
        label: "gpt-4, one turn",
        maxTurns: 1,
        trajectories: await readAll(intercodeImporter, [`${sql}/gpt-4/ic_sql_multiturn_gpt-4_1_turns.json.gz`]),
      },
      {
        id: "vicuna",
        label: "vicuna, ten turns",
        trajectories: await readAll(intercodeImporter, [`${sql}/vicuna/ic_sql_multiturn_vicuna_10_turns.json.gz`]),
      },
    ],
  ),
);
