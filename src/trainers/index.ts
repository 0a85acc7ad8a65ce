export type { TrainingRuntimeCheck } from "./embedded/check-training-runtime.js";
export { checkTrainingRuntime, loadTrainingRuntime } from "./embedded/check-training-runtime.js";
export type { CheckpointInfo, CodecIdentity } from "./embedded/checkpoint/checkpoint-info.js";
export { checkCodec } from "./embedded/checkpoint/checkpoint-info.js";
export type { SafetensorsArray, SafetensorsFile, SafetensorsType } from "./embedded/checkpoint/safetensors.js";
export { decodeSafetensors, encodeSafetensors, fromHalf, toHalf } from "./embedded/checkpoint/safetensors.js";
export type { EmbeddedTrainer, EmbeddedTrainerOptions } from "./embedded/embedded-trainer.js";
export { TrainingDivergedError, createEmbeddedTrainer } from "./embedded/embedded-trainer.js";
export type { OptimizerConfig } from "./embedded/engine/optimizer-config.js";
export type { NetworkConfig, ParameterSpec } from "./embedded/network/network-config.js";
export {
  checkNetworkConfig,
  countElements,
  listParameters,
  startParameter,
} from "./embedded/network/network-config.js";
export type { TrainingBackend } from "./embedded/training-backend.js";
export type { PlainDecoder } from "./plain/plain-decoder.js";
export { createPlainDecoder } from "./plain/plain-decoder.js";
export type { PolicyFile } from "./plain/policy-file.js";
export { exportPolicyFile, readPolicyFile } from "./plain/policy-file.js";
export type { TokenGenerator, TokenPolicy, TokenPolicyOptions } from "./token-policy.js";
export { createTokenPolicy } from "./token-policy.js";
