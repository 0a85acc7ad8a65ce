/** The two builds of the runtime: compiled code, or WebAssembly for machines that have no such build. */
export type TrainingBackend = "node" | "web";
