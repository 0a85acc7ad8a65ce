// Runs the mock server as a process: prints its base URL on the first line, then serves until it is stopped.
//   npx tsx test/mock-server/main.ts --port 0 --behaviour random --seed 1
import { parseArgs } from "node:util";
import { createPlayer } from "./player.js";
import { faultNames, faultReply, textReply, toolReply, type Reply } from "./reply.js";
import { startMockServer, type MockCall } from "./server.js";

const help = `Usage: npx tsx test/mock-server/main.ts [options]

  --port N            port, 0 for any free one (default 0)
  --behaviour NAME    first, random: play any env; text: always answer --text;
                      instant: one fixed answer, as fast as can be (default random)
  --seed N            seed of "random" (default 0)
  --text TEXT         answer of "text" and "instant" (default "ok")
  --tool NAME --arguments JSON
                      call this tool instead of answering with text
  --delay SECONDS     wait before each answer (default 0)
  --fault NAME        fault to mix in: ${faultNames.join(", ")}
  --fault-every N     give it to every N-th request (default 2)
  --model NAME        name on the list of models (default mock)
  --api-key KEY       refuse requests without this key
`;

function readArguments() {
  return parseArgs({
    options: {
      port: { type: "string", default: "0" },
      behaviour: { type: "string", default: "random" },
      seed: { type: "string", default: "0" },
      text: { type: "string", default: "ok" },
      tool: { type: "string" },
      arguments: { type: "string", default: "{}" },
      delay: { type: "string", default: "0" },
      fault: { type: "string" },
      "fault-every": { type: "string", default: "2" },
      model: { type: "string", default: "mock" },
      "api-key": { type: "string" },
      help: { type: "boolean", default: false },
    },
  }).values;
}

async function main(): Promise<void> {
  const values = readArguments();
  const { behaviour, fault: faultText } = values;
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  if (!["first", "random", "text", "instant"].includes(behaviour))
    throw new Error(`Unknown behaviour: "${behaviour}"\n${help}`);
  const fault = faultNames.find((name) => name === faultText);
  if (faultText !== undefined && fault === undefined) throw new Error(`Unknown fault: "${faultText}"\n${help}`);
  const fixed =
    values.tool === undefined
      ? textReply(values.text)
      : toolReply([{ name: values.tool, arguments: values.arguments }]);
  const player = createPlayer(behaviour === "first" ? "first" : "random", Number(values.seed));
  const every = Number(values["fault-every"]);
  const delaySeconds = Number(values.delay);
  function script(call: MockCall): Reply {
    if (fault !== undefined && (call.index + 1) % every === 0) return faultReply(fault);
    const reply = behaviour === "text" ? fixed : player(call);
    return reply.type === "completion" && delaySeconds > 0 ? { ...reply, delaySeconds } : reply;
  }
  const server = await startMockServer({
    script,
    port: Number(values.port),
    models: [values.model],
    recording: false,
    ...(values["api-key"] === undefined ? {} : { apiKey: values["api-key"] }),
    ...(behaviour === "instant" ? { instant: fixed } : {}),
  });
  process.stdout.write(`${server.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
}

await main();
