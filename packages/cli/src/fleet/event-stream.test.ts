import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, onTestFinished, test } from "vitest";
import { CoordinatorClient } from "./coordinator-client.ts";
import { followEvents } from "./event-stream.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function clientOf(answer: RequestListener): Promise<CoordinatorClient> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return new CoordinatorClient({ url: `http://127.0.0.1:${port}`, token: "t" });
}

const message = (n: number) => `id: 1-${n}\ndata: {"id": "1-${n}"}\n\n`;

test("a stream ends with its signal, and its connection with it, also when its memory was cleaned up meanwhile", async () => {
  const ending = new AbortController();
  let closed: Promise<unknown> | undefined;
  const client = await clientOf((_, response) => {
    closed = once(response, "close");
    response.writeHead(200, { "content-type": "text/event-stream" }).write(message(1));
  });
  const stream = followEvents(client, { signal: ending.signal });
  expect((await stream.next()).value).toEqual({ id: "1-1" });
  const next = stream.next();
  for (let n = 0; n < 5; n++) {
    // What nobody holds is let go of between two turns of the loop.
    await new Promise(setImmediate);
    collectGarbage();
  }
  ending.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  await closed;
});

test("a coordinator that is not ready yet is asked again, from the last event that came", async () => {
  const ending = new AbortController();
  const asked: (string | undefined)[] = [];
  const states: string[] = [];
  const client = await clientOf(({ headers }, response) => {
    asked.push(headers["last-event-id"] as string | undefined);
    if (asked.length === 2) response.writeHead(503).end("starting");
    else response.writeHead(200).end(message(asked.length));
  });
  const told: RunEvent[] = [];
  const onConnection = (state: string) => states.push(state);
  for await (const event of followEvents(client, { signal: ending.signal, onConnection })) {
    told.push(event);
    if (told.length === 2) ending.abort();
  }
  expect(told.map(({ id }) => id)).toEqual(["1-1", "1-3"]);
  expect(asked).toEqual([undefined, "1-1", "1-1"]);
  expect(states).toEqual(["lost", "back"]);
});

test("a connection that says nothing any more is made again, from the last event that came", async () => {
  const ending = new AbortController();
  const asked: (string | undefined)[] = [];
  const client = await clientOf(({ headers }, response) => {
    asked.push(headers["last-event-id"] as string | undefined);
    // Neither ended nor broken: as when a router has forgotten the connection.
    response.writeHead(200, { "content-type": "text/event-stream" }).write(message(asked.length));
  });
  const told: RunEvent[] = [];
  for await (const event of followEvents(client, { signal: ending.signal, silenceMs: 100 })) {
    told.push(event);
    if (told.length === 2) ending.abort();
  }
  expect(told.map(({ id }) => id)).toEqual(["1-1", "1-2"]);
  expect(asked).toEqual([undefined, "1-1"]);
});

test("a stream without events stays one connection for as long as comments come", async () => {
  const ending = new AbortController();
  const states: string[] = [];
  let connections = 0;
  const client = await clientOf((_, response) => {
    connections++;
    response.writeHead(200, { "content-type": "text/event-stream" });
    let beats = 0;
    const beat = setInterval(() => {
      // Longer than the silence that is allowed, all in all.
      if (++beats < 20) response.write(":\nid: 1-0\n\n");
      else response.write(message(1));
    }, 50);
    response.once("close", () => clearInterval(beat));
  });
  const following = {
    signal: ending.signal,
    silenceMs: 600,
    onConnection: (state: string) => states.push(state),
  };
  for await (const event of followEvents(client, following)) {
    expect(event.id).toBe("1-1");
    ending.abort();
  }
  expect({ connections, states }).toEqual({ connections: 1, states: [] });
});
