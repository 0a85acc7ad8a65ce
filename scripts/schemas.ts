// Writes schemas/trajectory.schema.json, the published form of the record schema, and that of audit files.
// Run with: npx tsx scripts/schemas.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { createAuditJsonSchema } from "../src/publish/audit/audit-file.js";
import { createTrajectoryJsonSchema } from "../src/records/index.js";

mkdirSync("schemas", { recursive: true });
writeFileSync("schemas/trajectory.schema.json", `${JSON.stringify(createTrajectoryJsonSchema(), null, 2)}\n`);
writeFileSync("schemas/publish-audit.schema.json", `${JSON.stringify(createAuditJsonSchema(), null, 2)}\n`);
process.stdout.write("wrote schemas/trajectory.schema.json and schemas/publish-audit.schema.json\n");
