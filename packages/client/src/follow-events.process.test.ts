import { once } from "node:events";
import type { RequestListener } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { followEvents } from "./follow-events.ts";
import { HttpClient } from "./http-client.ts";
import { serve } from "./testing/serve.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function connect(listener: RequestListener): Promise<HttpClient> {
  return new HttpClient({ url: await serve(listener), token: "t" });
}

const message = (n: number) => `id: 1-${n}\ndata: {"id": "1-${n}"}\n\n`;

test("the signal ends a stream and its connection, also after a garbage collection", async () => {
  const ending = new AbortController();
  let closed: Promise<unknown> | undefined;
  const client = await connect((_, response) => {
    closed = once(response, "close");
    response.writeHead(200, { "content-type": "text/event-stream" }).write(message(1));
  });
  const stream = followEvents(client, { signal: ending.signal });
  expect((await stream.next()).value).toEqual({ id: "1-1" });
  const next = stream.next();
  for (let n = 0; n < 5; n++) {
    // Unreferenced objects are collected between two iterations of the event loop.
    await new Promise(setImmediate);
    collectGarbage();
  }
  ending.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  await closed;
});

test("the reader of events reconnects to a coordinator that is not ready, after the last received event", async () => {
  const ending = new AbortController();
  const requested: (string | undefined)[] = [];
  const states: string[] = [];
  const client = await connect(({ headers }, response) => {
    requested.push(headers["last-event-id"] as string | undefined);
    if (requested.length === 2) response.writeHead(503).end("starting");
    else response.writeHead(200).end(message(requested.length));
  });
  const received: RunEvent[] = [];
  const onConnection = (state: string) => states.push(state);
  for await (const event of followEvents(client, { signal: ending.signal, onConnection })) {
    received.push(event);
    if (received.length === 2) ending.abort();
  }
  expect(received.map(({ id }) => id)).toEqual(["1-1", "1-3"]);
  expect(requested).toEqual([undefined, "1-1", "1-1"]);
  expect(states).toEqual(["lost", "back"]);
});

test("the reader of events reopens a silent connection, after the last received event", async () => {
  const ending = new AbortController();
  const requested: (string | undefined)[] = [];
  const client = await connect(({ headers }, response) => {
    requested.push(headers["last-event-id"] as string | undefined);
    // Neither ended nor broken, as when a router has dropped the connection.
    response.writeHead(200, { "content-type": "text/event-stream" }).write(message(requested.length));
  });
  const received: RunEvent[] = [];
  for await (const event of followEvents(client, { signal: ending.signal, silenceMs: 1_000 })) {
    received.push(event);
    if (received.length === 2) ending.abort();
  }
  expect(received.map(({ id }) => id)).toEqual(["1-1", "1-2"]);
  expect(requested).toEqual([undefined, "1-1"]);
});

test("comments keep a connection without events open", async () => {
  const ending = new AbortController();
  const states: string[] = [];
  let connections = 0;
  const client = await connect((_, response) => {
    connections++;
    response.writeHead(200, { "content-type": "text/event-stream" });
    let beats = 0;
    const beat = setInterval(() => {
      // In total longer than the permitted silence.
      if (++beats < 40) response.write(":\nid: 1-0\n\n");
      else response.write(message(1));
    }, 50);
    response.once("close", () => clearInterval(beat));
  });
  const following = {
    signal: ending.signal,
    silenceMs: 1_500,
    onConnection: (state: string) => states.push(state),
  };
  for await (const event of followEvents(client, following)) {
    expect(event.id).toBe("1-1");
    ending.abort();
  }
  expect({ connections, states }).toEqual({ connections: 1, states: [] });
});

test("the reader of events continues after a cursor that came without an event", async () => {
  const ending = new AbortController();
  const requested: (string | undefined)[] = [];
  const client = await connect(({ headers }, response) => {
    requested.push(headers["last-event-id"] as string | undefined);
    if (requested.length === 1) response.end("retry: 1000\nid: 7-0\n\n");
    else response.writeHead(200).write(message(1));
  });
  for await (const _ of followEvents(client, { signal: ending.signal })) ending.abort();
  expect(requested).toEqual([undefined, "7-0"]);
});

test("the reader of events ends with the error of a coordinator that refuses the stream", async () => {
  const client = await connect((_, response) => response.writeHead(403).end('{"code":"forbidden"}'));
  await expect(followEvents(client).next()).rejects.toMatchObject({ code: "forbidden", status: 403 });
});

test.each(["<html>", "null", "[1]", '{"a":'])(
  "data that is not an event ends the stream with an error: %s",
  async (data) => {
    let requests = 0;
    const client = await connect((_, response) => {
      requests++;
      response.writeHead(200).write(`id: 1-1\ndata: ${data}\n\n`);
    });
    await expect(followEvents(client).next()).rejects.toMatchObject({ code: "bad_response", status: 200 });
    expect(requests).toBe(1);
  },
);

test("a stream without end of a line ends with an error, without reconnecting", async () => {
  let requests = 0;
  const client = await connect((_, response) => {
    requests++;
    const part = Buffer.alloc(1_000_000, "x");
    const write = () => {
      while (!response.destroyed && response.write(part));
    };
    response.on("drain", write);
    write();
  });
  await expect(followEvents(client).next()).rejects.toMatchObject({ code: "bad_response" });
  expect(requests).toBe(1);
});
