import { expect, test } from "vitest";
import { layOutTable } from "./text-layout.js";

const columns = ["policy", "setting", "success"].map((head) => ({ head }));
const rows = [
  ["vault-base · hidden", "cut", "5.0%"],
  ["vault-base · static", "run", "7.0%"],
];

test("layOutTable() cuts names no further than they stay different, and breaks the table instead", () => {
  expect(layOutTable(columns, rows, { width: 40 })[1]).toBe("vault-base · hidden      cut     5.0%");
  expect(layOutTable(columns, rows, { width: 33 })[1]).toBe("vault-base · h…      cut     5.0%");
  const narrow = layOutTable(columns, rows, { width: 30 });
  expect(narrow).toHaveLength(7);
  expect(narrow[1]).toBe("vault-base · h…      cut");
  expect(narrow[6]).toBe("vault-base · s…     7.0%");
});

test("layOutTable() cuts a name down to twelve columns where it stands alone, and never writes past the width", () => {
  const [, line] = layOutTable(columns, rows.slice(0, 1), { width: 30 });
  expect(line).toBe("vault-base …      cut     5.0%");
  const wide = [{ head: "policy" }, { head: "x".repeat(25) }];
  for (const each of layOutTable(wide, [["a".repeat(30), "1"]], { width: 40 }))
    expect(each.length).toBeLessThanOrEqual(40);
});
