import type { Finding } from "./finding.js";
import type { JsonObject } from "./json.js";
import type { Rule } from "./rule.js";

/** What SARIF needs to know of a rule. */
export type SarifRule = Pick<Rule<never>, "id" | "severity" | "description" | "rationale" | "remedy">;

/** The tool that found something. */
export interface SarifTool {
  readonly name: string;
  readonly version: string;
}

/** Returns a path as the URI reference SARIF asks for: forward slashes, other characters percent-encoded. */
function toUri(path: string): string {
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  const drive = /^([A-Za-z])%3A\//.exec(encoded);
  if (drive !== null) return `file:///${drive[1]}:/${encoded.slice(drive[0].length)}`;
  return encoded.startsWith("/") ? `file://${encoded}` : encoded;
}

function toLocation({ place }: Finding): JsonObject | undefined {
  if (place === undefined) return undefined;
  const { file, line, detail } = place;
  const region = line === undefined ? {} : { region: { startLine: line } };
  return {
    ...(file === undefined ? {} : { physicalLocation: { artifactLocation: { uri: toUri(file) }, ...region } }),
    ...(detail === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: detail }] }),
  };
}

/**
 * Returns findings as a SARIF 2.1.0 log of one run, which code hosts and editors show beside the files. Findings of a
 * rule that is not in `rules` are kept without a rule index.
 */
export function toSarif(findings: readonly Finding[], rules: readonly SarifRule[], tool: SarifTool): JsonObject {
  const driver = {
    name: tool.name,
    version: tool.version,
    rules: rules.map(({ id, severity, description, rationale, remedy }) => ({
      id,
      shortDescription: { text: description },
      fullDescription: { text: rationale },
      help: { text: remedy },
      defaultConfiguration: { level: severity },
    })),
  };
  const results = findings.map((finding) => {
    const ruleIndex = rules.findIndex((rule) => rule.id === finding.ruleId);
    const location = toLocation(finding);
    const text = finding.remedy === undefined ? finding.message : `${finding.message}. ${finding.remedy}`;
    return {
      ruleId: finding.ruleId,
      ...(ruleIndex === -1 ? {} : { ruleIndex }),
      level: finding.severity,
      message: { text },
      ...(location === undefined ? {} : { locations: [location] }),
      ...(finding.evidence === undefined ? {} : { properties: { evidence: finding.evidence } }),
    };
  });
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
}
