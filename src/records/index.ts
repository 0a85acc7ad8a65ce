export type { ImportItem, ImportOptions, ImportSource, Importer } from "./importers/importer.js";
