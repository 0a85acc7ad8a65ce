import { inputError, tagNumber, type MetricLogProblem, type RecordedNumber } from "../../core/index.js";
import { buildLog, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";
import { readProtoFields, readProtoFloat } from "./protobuf.js";
import { readTfRecords } from "./tf-record.js";

const text = new TextDecoder();
/** Data types of a tensor that is one number: float, double. */
const floatType = 1;
const doubleType = 2;

/** Returns the scalar a tensor holds: one float or double, as content bytes or as a value list. */
function readTensor(bytes: Uint8Array): number | undefined {
  let type = 0;
  let content: Uint8Array | undefined;
  for (const { number, value } of readProtoFields(bytes)) {
    if (number === 1 && typeof value === "number") type = value;
    // 4: tensor_content, 5: float_val, 6: double_val (packed or not, one number looks the same).
    else if ((number === 4 || number === 5 || number === 6) && typeof value !== "number") content = value;
  }
  if (
    content === undefined ||
    (type === floatType && content.length !== 4) ||
    (type === doubleType && content.length !== 8)
  )
    return undefined;
  return type === floatType || type === doubleType ? readProtoFloat(content) : undefined;
}

/** Returns the tag and scalar of one summary value; histograms, images and texts have none. */
function readSummaryValue(bytes: Uint8Array): readonly [string, RecordedNumber] | undefined {
  let tag: string | undefined;
  let scalar: number | undefined;
  for (const { number, value } of readProtoFields(bytes)) {
    if (typeof value === "number") continue;
    if (number === 1) tag = text.decode(value);
    else if (number === 2) scalar = readProtoFloat(value);
    else if (number === 8) scalar = readTensor(value);
  }
  return tag === undefined || scalar === undefined ? undefined : [tag, tagNumber(scalar)];
}

function readEvent(bytes: Uint8Array, position: number): LogRecord {
  let timeSeconds: number | undefined;
  let updateIndex = 0; // the default of a field that is not written
  const values = new Map<string, RecordedNumber>();
  for (const { number, value } of readProtoFields(bytes)) {
    if (number === 1 && typeof value !== "number") timeSeconds = readProtoFloat(value);
    else if (number === 2 && typeof value === "number") updateIndex = value;
    else if (number === 5 && typeof value !== "number") {
      for (const field of readProtoFields(value)) {
        const entry = field.number === 1 && typeof field.value !== "number" ? readSummaryValue(field.value) : undefined;
        if (entry !== undefined) values.set(...entry);
      }
    }
  }
  return { updateIndex, record: position, values, ...(timeSeconds === undefined ? {} : { timeSeconds }) };
}

/** Reads TensorBoard event files: scalars of summaries, checked by their checksums. */
export const tensorboardReader: LogReader = {
  format: "tensorboard",
  description: "TensorBoard: events.out.tfevents.* files, scalars only",
  detect({ head, name }) {
    // A record's length, its checksum, and the event's first field: a double (wall time).
    const looksRight =
      head.length >= 13 && head[4] === 0 && head[5] === 0 && head[6] === 0 && head[7] === 0 && head[12] === 0x09;
    if (looksRight) return 0.95;
    return /tfevents/.test(name) ? 0.9 : 0;
  },
  async read(source) {
    if (source.head.length === 0) throw inputError(`Cannot audit "${source.path}": the file is empty`);
    const records: LogRecord[] = [];
    const problems: MetricLogProblem[] = [];
    for (const item of readTfRecords(await source.readAll())) {
      const { position } = item;
      if (item.type === "record") records.push(readEvent(item.data, position));
      else if (item.type === "damaged")
        problems.push({
          problemClass: "damaged_record",
          message: "the record's checksum is wrong; it was left out",
          line: position,
        });
      else if (item.type === "torn") {
        problems.push({
          problemClass: "torn_tail",
          message: `the file ends inside a record, ${item.byteCount} bytes were left out; it may still be written`,
          line: position,
        });
      } else {
        problems.push({
          problemClass: "lost_records",
          message: `the length of a record is damaged, so ${item.byteCount} bytes to the end could not be read`,
          line: position,
        });
      }
    }
    if (records.length === 0)
      throw inputError(`Cannot audit "${source.path}" as tensorboard: ${problems[0]?.message ?? "it holds no record"}`);
    return [buildLog({ file: source.path, format: "tensorboard" }, records, problems)];
  },
};
