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
 * Returns in what an env is not the one that a codec was learnt from: what weights were trained with, and what this is.
 * `undefined` where it is that one.
 */
export function findCodecMismatch(
  { data }: WordCodec,
  env: Pick<Env, "id" | "tools">,
): { readonly trained: string; readonly now: string } | undefined {
  if (data.envId !== env.id) return { trained: `in env "${data.envId}"`, now: `"${env.id}"` };
  const known = listTools(
    data.tools.map(({ name, parameters }) => ({ name, parameters: parameters.map((each) => each.name) })),
  );
  const now = listTools(
    env.tools.map(({ name, parameters }) => ({ name, parameters: Object.keys(parameters.properties ?? {}) })),
  );
  return known === now ? undefined : { trained: `with the tools ${known}`, now };
}

/**
 * Returns the codec of the checkpoint that training begins with: its weights know these words and no others.
 *
 * @throws {TurnwiseError} (input) when the checkpoint cannot be read, or was trained in another env or with other tools.
 */
export function readStartCodec(path: string, env: Pick<Env, "id" | "tools">): WordCodec {
  const codec = readStoredCodec(createPlainDecoder(path).policy, path);
  const mismatch = findCodecMismatch(codec, env);
  if (mismatch !== undefined) {
    throw inputError(
      `Cannot begin with the weights in "${path}": they were trained ${mismatch.trained}, and this is ${mismatch.now}`,
      "Begin with weights of this env, or with a warm start",
    );
  }
  return codec;
}
