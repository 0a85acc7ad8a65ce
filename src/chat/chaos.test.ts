import { afterEach, expect, test } from "vitest";
import { createMockKit, hello } from "../../test/mock-server/kit.js";
import { faultNames, faultReply, textReply } from "../../test/mock-server/reply.js";
import { createRandom } from "../core/index.js";
import { systemClock } from "./clock.js";

const { serve, connect, closeAll } = createMockKit();
afterEach(closeAll);

// Faults that pass, mixed at random into concurrent calls over real sockets and the real clock.
const lasting = new Set([
  "hang",
  "blank_forever",
  "comments_forever",
  "endless_answer", // 64 MiB each time
  "endless_stream",
  "html", // from the start it is taken for a wrong address
  "context_overflow",
  "unauthorized",
  "broken_arguments",
  "reasoning_only",
  "rate_limit_retry_after",
]);
const passing = faultNames.filter((name) => !lasting.has(name));

test.each([
  { streaming: false, serverCount: 1 },
  { streaming: true, serverCount: 3 },
])(
  "300 calls come through $serverCount servers that fail at random (streaming: $streaming)",
  async ({ streaming, serverCount }) => {
    const random = createRandom("chaos", serverCount);
    const servers = await Promise.all(
      Array.from({ length: serverCount }, () =>
        serve(() => (random.next() < 0.3 ? faultReply(random.pick(passing)) : textReply("fine and well"))),
      ),
    );
    const { client } = connect(servers, {
      streaming,
      clock: systemClock,
      maxConcurrency: 20,
      retry: { baseSeconds: 0.001, maxSeconds: 0.01, maxAttempts: 30 },
      circuit: { openSeconds: 0.005, maxOpenSeconds: 0.01 },
    });
    const answers = await Promise.all(Array.from({ length: 300 }, () => client.complete(hello)));
    expect(new Set(answers.map(({ message }) => message.content))).toEqual(new Set(["fine and well"]));
    const requests = answers.reduce((sum, { requestCount }) => sum + requestCount, 0);
    expect(servers.reduce((sum, { callCount }) => sum + callCount, 0)).toBe(requests);
    expect(Math.max(...servers.map(({ peakConcurrency }) => peakConcurrency))).toBeLessThanOrEqual(20);
  },
);
