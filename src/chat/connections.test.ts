import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { catchPolicyError, hello } from "../../test/mock-server/kit.js";
import { createRandom } from "../core/index.js";
import { createChatClient } from "./client.js";
import { systemClock } from "./clock.js";

const servers: (Server | SocketServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server | SocketServer): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port; // listening on TCP
}

function connect(baseUrl: string, maxConcurrency = 4) {
  const endpoints = [{ baseUrl, model: "m" }];
  return createChatClient({ endpoints, maxConcurrency, environment: {}, clock: systemClock, random: createRandom(1) });
}

const answer = JSON.stringify({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] });

test("calls use connections again, and open no more than are in flight", async () => {
  let connectionCount = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(answer));
  });
  server.on("connection", () => (connectionCount += 1));
  const client = connect(`http://127.0.0.1:${await listen(server)}`);
  for (let i = 0; i < 5; i += 1) await client.complete(hello);
  expect(connectionCount).toBe(1);
  await Promise.all(Array.from({ length: 20 }, () => client.complete(hello)));
  expect(connectionCount).toBe(4);
  await client.close();
});

test("an answer in UTF-8 pieces with a byte order mark is read after interim answers", async () => {
  const bytes = Buffer.from(`\ufeff${answer.replace("ok", "größer 🙂")}`);
  const server = createSocketServer((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      let sent = 0;
      const send = (): void => {
        socket.write(bytes.subarray(sent, sent + 1), () => {
          sent += 1;
          if (sent < bytes.length) setImmediate(send);
          else socket.end();
        });
      };
      send();
    });
  });
  const client = connect(`http://127.0.0.1:${await listen(server)}`);
  expect((await client.complete(hello)).message.content).toBe("größer 🙂");
  await client.close();
});

test("a call aborted while its connection is being opened does not wait for that", async () => {
  // Accepts connections and never answers, so that the TLS handshake does not end.
  const silent = createSocketServer();
  const accepted = once(silent, "connection");
  const client = connect(`https://127.0.0.1:${await listen(silent)}`);
  const controller = new AbortController();
  const failure = catchPolicyError(client.complete(hello, { signal: controller.signal }));
  await accepted;
  controller.abort(new Error("enough"));
  expect(await failure).toMatchObject({ errorClass: "aborted", usage: { requests: 1 } });
  await client.close();
});
