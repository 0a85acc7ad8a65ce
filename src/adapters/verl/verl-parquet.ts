import { ByteWriter, parquetWrite } from "hyparquet-writer";
import type { VerlRow } from "./verl-rows.js";

type SchemaElement = NonNullable<Parameters<typeof parquetWrite>[0]["schema"]>[number];

const text = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
});
const whole = (name: string): SchemaElement => ({ name, type: "INT64", repetition_type: "OPTIONAL" });
const truth = (name: string): SchemaElement => ({ name, type: "BOOLEAN", repetition_type: "OPTIONAL" });

/** A struct column. */
function struct(name: string, fields: readonly SchemaElement[], isRequired = false): SchemaElement[] {
  return [{ name, num_children: fields.length, repetition_type: isRequired ? "REQUIRED" : "OPTIONAL" }, ...fields];
}

/** A list column in the three-level form that Arrow reads as a list. */
function list(name: string, element: readonly SchemaElement[]): SchemaElement[] {
  return [
    { name, num_children: 1, converted_type: "LIST", repetition_type: "OPTIONAL" },
    { name: "list", num_children: 1, repetition_type: "REPEATED" },
    ...element,
  ];
}

const infoFields: readonly SchemaElement[] = [
  text("split"),
  whole("index"),
  truth("need_tools_kwargs"),
  whole("max_turns"),
  text("disclosure"),
  text("terminal_rule"),
  text("group_key"),
  whole("update"),
  text("task_id"),
  text("task_hash"),
  text("env_id"),
  text("env_version"),
  whole("env_seed"),
  text("plan_hash"),
];

/** Returns the values of `extra_info` with whole numbers as 64-bit ones. */
function toInfo(info: VerlRow["extra_info"]): Readonly<Record<string, string | boolean | bigint>> {
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => [name, typeof value === "number" ? BigInt(value) : value]),
  );
}

/**
 * Returns verl's training rows as a parquet file: lists and structs as verl's dataset class reads them. All rows carry
 * the same columns; `agent_name` is one where the first row has it.
 *
 * @throws {RangeError} (rejects) without rows.
 */
export async function encodeVerlParquet(rows: readonly VerlRow[]): Promise<Uint8Array> {
  if (rows.length === 0) throw new RangeError("Cannot write verl rows as parquet: there are none");
  const hasAgent = rows[0].agent_name !== undefined;
  const writer = new ByteWriter();
  await parquetWrite({
    writer,
    createdBy: "turnwise",
    schema: [
      { name: "root", num_children: hasAgent ? 6 : 5 },
      text("data_source"),
      ...list("prompt", struct("element", [text("role"), text("content")])),
      text("ability"),
      ...struct("reward_model", [text("style"), text("ground_truth")]),
      ...struct("extra_info", infoFields),
      ...(hasAgent ? [text("agent_name")] : []),
    ],
    columnData: [
      { name: "data_source", data: rows.map((row) => row.data_source) },
      { name: "prompt", data: rows.map((row) => row.prompt) },
      { name: "ability", data: rows.map((row) => row.ability) },
      { name: "reward_model", data: rows.map((row) => row.reward_model) },
      { name: "extra_info", data: rows.map((row) => toInfo(row.extra_info)) },
      ...(hasAgent ? [{ name: "agent_name", data: rows.map((row) => row.agent_name) }] : []),
    ],
  });
  return new Uint8Array(writer.getBuffer());
}
