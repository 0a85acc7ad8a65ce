import { createHash } from "node:crypto";
import { canonicalJson, type EpisodeKey } from "../../core/index.js";

/**
 * Says whether an episode belongs to shard `shardNumber` of `shardCount` (1-based, as in `--shard 1/4`). Stable: it
 * depends on the key alone, so every machine agrees and each episode is in exactly one shard.
 *
 * @throws {RangeError} when the numbers name no shard.
 */
export function isInShard(key: EpisodeKey, shardNumber: number, shardCount: number): boolean {
  if (!Number.isInteger(shardCount) || !Number.isInteger(shardNumber) || shardNumber < 1 || shardNumber > shardCount) {
    throw new RangeError(
      `Cannot take shard ${shardNumber} of ${shardCount}: expected a whole number from 1 to the count`,
    );
  }
  const { policyId, taskHash, sampleIndex, budget, disclosure, terminalRule } = key;
  const text = canonicalJson({ budget, disclosure, policyId, sampleIndex, taskHash, terminalRule });
  const digest = createHash("sha256").update(`shard ${text}`).digest();
  return digest.readUIntBE(0, 6) % shardCount === shardNumber - 1;
}
