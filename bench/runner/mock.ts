// The server of the runner benchmark, in a process of its own: answers every chat completion at once with the same
// text, since what a client costs shows best when the server costs nothing. Prints its base URL, and on "count" on
// standard input the number of completions it has served.
import { createInterface } from "node:readline";
import { textReply } from "../../test/mock-server/reply.js";
import { startMockServer } from "../../test/mock-server/server.js";
import { readScenario } from "./scenario.js";

const { answer, model } = readScenario();
const instant = textReply(answer);
const server = await startMockServer({ script: () => instant, instant, models: [model], recording: false });
process.stdout.write(`${server.url}\n`);
createInterface(process.stdin).on("line", () => process.stdout.write(`${server.callCount}\n`));
