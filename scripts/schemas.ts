// Writes schemas/trajectory.schema.json, the published form of the record schema.
// Run with: npx tsx scripts/schemas.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { createTrajectoryJsonSchema } from "../src/records/index.js";

mkdirSync("schemas", { recursive: true });
writeFileSync("schemas/trajectory.schema.json", `${JSON.stringify(createTrajectoryJsonSchema(), null, 2)}\n`);
process.stdout.write("wrote schemas/trajectory.schema.json\n");
