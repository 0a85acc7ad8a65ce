// internal
import { inputError, type Env } from "../core/index.js";
import { readWordCodec, type WordCodec } from "../train/index.js";
import { createPlainDecoder, type PolicyFile } from "../trainers/index.js";

/**
 * Returns the codec that is stored with weights.
 *
 * @throws {TurnwiseError} (input) when there is none, or it is not theirs.
 */
export function readStoredCodec({ meta, codec: identity }: PolicyFile, path: string): WordCodec {
  const stored = meta["codec"];
  if (stored === undefined) {
    throw inputError(
      `Cannot play the trained policy "${path}": no codec is stored with its weights`,
      "Save checkpoints with turnwise train, or store the codec's JSON in their meta",
    );
  }
  const codec = readWordCodec(stored);
  if (codec.hash === identity.hash) return codec;
  throw inputError(
    `Cannot play the trained policy "${path}": its weights belong to another codec than the one stored with them`,
  );
}

/** Returns the tools as texts: their names with those of their parameters. */
function listTools(tools: readonly { readonly name: string; readonly parameters: readonly string[] }[]): string {
  return tools.map(({ name, parameters }) => `${name}(${[...parameters].sort().join(", ")})`).join(", ");
}

/**
 * Returns the codec of the checkpoint that training begins with: its weights know these words and no others.
 *
 * @throws {TurnwiseError} (input) when the checkpoint cannot be read, or was trained in another env or with other tools.
 */
export function readStartCodec(path: string, env: Pick<Env, "id" | "tools">): WordCodec {
  const codec = readStoredCodec(createPlainDecoder(path).policy, path);
  const { envId, tools } = codec.data;
  const refuse = (found: string, expected: string): never => {
    throw inputError(
      `Cannot begin with the weights in "${path}": they were trained ${found}, and this is ${expected}`,
      "Begin with weights of this env, or with a warm start",
    );
  };
  if (envId !== env.id) refuse(`in env "${envId}"`, `"${env.id}"`);
  const [known, now] = [
    listTools(tools.map(({ name, parameters }) => ({ name, parameters: parameters.map((each) => each.name) }))),
    listTools(
      env.tools.map(({ name, parameters }) => ({ name, parameters: Object.keys(parameters.properties ?? {}) })),
    ),
  ];
  if (known !== now) refuse(`with the tools ${known}`, now);
  return codec;
}
