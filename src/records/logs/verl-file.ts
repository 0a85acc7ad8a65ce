import { isJsonObject } from "../../core/index.js";
import { decodeHead, getCount } from "../importers/fields.js";
import { readMetrics, readLogRecords } from "./json-metrics.js";
import { buildLog } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

/** Reads the file logger of verl and its relatives: one `{"step": …, "data": {…}}` a line. */
export const verlFileReader: LogReader = {
  format: "verl-file",
  description: 'verl, RAGEN, verl-agent: the "file" logger, one {"step", "data"} a line',
  detect: ({ head }) => (/^\s*\{\s*"step"\s*:\s*-?\d+\s*,\s*"data"\s*:\s*\{/.test(decodeHead(head)) ? 0.95 : 0),
  async read(source) {
    const { records, problems } = await readLogRecords(source);
    const rows = records.map(({ record, place }) => {
      const step = getCount(record["step"]);
      const data = record["data"];
      return {
        ...place,
        ...readMetrics(isJsonObject(data) ? data : {}),
        ...(step === undefined ? {} : { updateIndex: step }),
      };
    });
    return [buildLog({ file: source.path, format: "verl-file" }, rows, problems)];
  },
};
