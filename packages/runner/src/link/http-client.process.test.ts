import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { HttpClient } from "./http-client.ts";
import { Refusal, reasonOf } from "./refusal.ts";

/** A client of a server of the test. */
async function clientOf(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new HttpClient({ url: `http://127.0.0.1:${port}/base/`, token: "secret" });
  onTestFinished(async () => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const controller = new AbortController();
  const ask = (body?: unknown, timeoutMs = 10_000) => {
    const { signal } = controller;
    return client.send({
      method: body === undefined ? "GET" : "POST",
      path: "/x?a=1",
      body,
      timeoutMs,
      signal,
    });
  };
  return { server, client, ask, controller };
}

test("the client sends a request to its path below the base URL, with the token, and parses the JSON answer", async () => {
  const seen: unknown[] = [];
  const { ask } = await clientOf(async (request, response) => {
    const { method, url, headers } = request;
    seen.push([method, url, headers.authorization, headers["content-type"], await text(request)]);
    response.end(JSON.stringify({ ok: true }));
  });
  expect(await ask({ name: "Zoë" })).toEqual({ ok: true });
  expect(await ask()).toEqual({ ok: true });
  expect(seen).toEqual([
    ["POST", "/base/x?a=1", "Bearer secret", "application/json", '{"name":"Zoë"}'],
    ["GET", "/base/x?a=1", "Bearer secret", undefined, ""],
  ]);
});

test("an answer without content is undefined", async () => {
  const { ask } = await clientOf((_, response) => response.writeHead(204).end());
  expect(await ask()).toBeUndefined();
});

test("a problem of the coordinator is a refusal with its code and a message for people", async () => {
  const problem = { code: "lease_lost", title: "Lost", detail: "It is gone.", hint: "Stop working on it." };
  const { ask } = await clientOf((_, response) => response.writeHead(409).end(JSON.stringify(problem)));
  const refused = await ask().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({
    status: 409,
    code: "lease_lost",
    message: "It is gone. Stop working on it.",
  });
});

test.each([
  [502, "<html>Bad gateway</html>"],
  [302, ""],
  [200, "<html>Log in to the hotel's network</html>"],
])("an answer of status %d that is not the coordinator's is no refusal", async (status, body) => {
  const { ask } = await clientOf((_, response) => response.writeHead(status, { location: "/y" }).end(body));
  const error = await ask().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(Refusal);
});

test("a proxy that finds the request too large refuses it for good", async () => {
  const { ask } = await clientOf((_, response) => response.writeHead(413).end("<html>Too large</html>"));
  await expect(ask({})).rejects.toMatchObject({ name: "Refusal", status: 413 });
});

test("a body that cannot be sent is no failure of the network, and nothing is sent", async () => {
  let requests = 0;
  const { ask } = await clientOf((_, response) => response.end(String(++requests)));
  let deep: unknown = 1;
  for (let level = 0; level < 5_000; level++) deep = { deep };
  await expect(ask(deep)).rejects.toMatchObject({ code: "json_limit" });
  await expect(ask({ big: 1n })).rejects.toThrow(TypeError);
  expect(requests).toBe(0);
});

test("a request that is not answered in time fails with that reason", async () => {
  const { ask } = await clientOf(() => {});
  expect(reasonOf(await ask(undefined, 20).catch((error: unknown) => error))).toBe("no answer within 20 ms");
});

test("an answer that breaks off is a failure", async () => {
  const { ask } = await clientOf((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"ok":', () => response.destroy());
  });
  await expect(ask()).rejects.toThrow();
});

test("a kept connection that was closed meanwhile is skipped, and the request is sent over another one", async () => {
  let requests = 0;
  const { ask } = await clientOf((request, response) => {
    if (++requests === 2) request.socket.destroy();
    else response.end(String(requests));
  });
  expect([await ask(), await ask()]).toEqual([1, 3]);
});

test("a request that is aborted ends", async () => {
  const { ask, controller } = await clientOf(() => controller.abort(new Error("enough")));
  await expect(ask()).rejects.toThrow("enough");
});

test("an answer that has begun is read to its end, also after an abort", async () => {
  const { ask, controller } = await clientOf((_, response) => {
    onceAnswered(() => {
      controller.abort(new Error("enough"));
      response.end("true}");
    });
    response.writeHead(200).write('{"ok":');
  });
  expect(await ask()).toEqual({ ok: true });
});

/** Calls back when the head of the next answer has arrived. */
function onceAnswered(listener: () => void): void {
  const onFinish = () => {
    unsubscribe("http.client.response.finish", onFinish);
    setImmediate(listener);
  };
  subscribe("http.client.response.finish", onFinish);
}

test("a client that is closed leaves no connection behind, also none for an aborted request", async () => {
  const { server, client, ask, controller } = await clientOf((request, response) => {
    if (request.method === "POST") response.end("{}");
    else controller.abort();
  });
  await ask({});
  await ask().catch(() => undefined);
  client.close();
  const closed = once(server, "close");
  server.close();
  await closed;
});
