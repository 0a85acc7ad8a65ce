import { expect, test } from "vitest";
import { toSarif, type SarifRule } from "./sarif.js";

const rules: readonly SarifRule[] = [
  { id: "kl-blow-up", severity: "error", description: "Finds it.", rationale: "It matters.", remedy: "Mend it" },
];
const tool = { name: "turnwise", version: "1.2.3" };

test("toSarif() gives a run with its rules, and a result for each finding", () => {
  const finding = {
    ruleId: "kl-blow-up",
    severity: "warning",
    message: "too far",
    remedy: "Mend it",
    evidence: { limit: 10 },
  } as const;
  expect(
    toSarif([{ ...finding, place: { file: "runs/my log.csv", line: 7, detail: "update 6" } }], rules, tool),
  ).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "turnwise",
            version: "1.2.3",
            rules: [
              {
                id: "kl-blow-up",
                shortDescription: { text: "Finds it." },
                fullDescription: { text: "It matters." },
                help: { text: "Mend it" },
                defaultConfiguration: { level: "error" },
              },
            ],
          },
        },
        columnKind: "utf16CodeUnits",
        results: [
          {
            ruleId: "kl-blow-up",
            ruleIndex: 0,
            level: "warning",
            message: { text: "too far. Mend it" },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: "runs/my%20log.csv" }, region: { startLine: 7 } },
                logicalLocations: [{ fullyQualifiedName: "update 6" }],
              },
            ],
            properties: { evidence: { limit: 10 } },
          },
        ],
      },
    ],
  });
});

test.each([
  { file: "/abs/log.csv", uri: "file:///abs/log.csv" },
  { file: "C:\\logs\\a b.csv", uri: "file:///C:/logs/a%20b.csv" },
  { file: "50%#1.csv", uri: "50%25%231.csv" },
])("toSarif() writes $file as $uri", ({ file, uri }) => {
  const text = JSON.stringify(toSarif([{ ruleId: "x", severity: "note", message: "m", place: { file } }], rules, tool));
  expect(text).toContain(`"uri":"${uri}"`);
  expect(text).not.toContain("ruleIndex");
});
