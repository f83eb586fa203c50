import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describeCause } from "@tenterhook/client";
import { expect, onTestFinished, test } from "vitest";
import { ConnectionStatus } from "./connection-status.ts";
import { CoordinatorLink } from "./coordinator-link.ts";
import { isLost, isNetworkFailure, isRefusal } from "./refusal.ts";

const proof = { runId: "run_1", leaseToken: "lease" };

/** A link to a server of the test. */
async function connect(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = { url: `http://127.0.0.1:${port}/base/`, token: "secret" };
  const link = new CoordinatorLink(address, new ConnectionStatus(() => {}));
  onTestFinished(() => {
    link.close();
    server.closeAllConnections();
    server.close();
  });
  const controller = new AbortController();
  const { signal } = controller;
  const report = (facts: object = {}) => link.report(proof, "completed", facts, signal);
  const poll = (unstarted: readonly string[] = []) =>
    link.nextOffer("runner_1", { waitSeconds: 1, hasSlot: true, unstarted, isRetry: false }, signal);
  return { server, link, report, poll, controller };
}

const caught = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);

test("a link sends requests to their paths below the base URL, with the token and the proof of the lease", async () => {
  const seen: unknown[] = [];
  const { link, report, poll, controller } = await connect(async (request, response) => {
    const { method, url, headers } = request;
    const { authorization, "content-length": length, "tenterhook-lease": lease } = headers;
    seen.push([method, url, authorization, length, lease, await text(request)]);
    response.writeHead(204).end();
  });
  await report({ result_text: "Zoë" });
  expect(await poll()).toBeUndefined();
  await link.readConversation(proof, 3, controller.signal).catch(() => undefined);
  expect(seen).toEqual([
    [
      "POST",
      "/base/runner/runs/run_1/completed",
      "Bearer secret",
      "44",
      undefined,
      '{"lease_token":"lease","result_text":"Zoë"}',
    ],
    ["GET", "/base/runner/runs?runner_id=runner_1&wait=1&slots=1", "Bearer secret", undefined, undefined, ""],
    ["GET", "/base/runner/runs/run_1/conversation?after=3", "Bearer secret", undefined, "lease", ""],
  ]);
});

test("a problem of the coordinator is a refusal with its code and a message for people", async () => {
  const problem = { code: "lease_lost", title: "Lost", detail: "It is gone.", hint: "Stop working on it." };
  const { report } = await connect((_, response) => response.writeHead(409).end(JSON.stringify(problem)));
  const error = await caught(report());
  expect([isRefusal(error), isLost(error), isNetworkFailure(error)]).toEqual([true, true, false]);
  expect(error).toMatchObject({
    status: 409,
    code: "lease_lost",
    message: "It is gone. Stop working on it.",
  });
});

test.each([
  [502, "<html>Bad gateway</html>"],
  [302, ""],
  [404, "<html>Not found</html>"],
  [200, "<html>Log in to the hotel's network</html>"],
])(
  "a response of status %d that is not the coordinator's is a failure of the network",
  async (status, body) => {
    const { report } = await connect((_, response) =>
      response.writeHead(status, { location: "/y" }).end(body),
    );
    const error = await caught(report());
    expect([isNetworkFailure(error), isRefusal(error), isLost(error)]).toEqual([true, false, false]);
  },
);

test("a proxy that finds the request too large refuses it for good", async () => {
  const { report } = await connect((_, response) => response.writeHead(413).end("<html>Too large</html>"));
  const error = await caught(report());
  expect(isRefusal(error)).toBe(true);
  expect(error).toMatchObject({ status: 413 });
});

test("a body that cannot be sent is no failure of the network, and nothing is sent", async () => {
  let requests = 0;
  const { report } = await connect((_, response) => response.end(String(++requests)));
  let deep: unknown = 1;
  for (let level = 0; level < 5_000; level++) deep = { deep };
  const limit = await caught(report({ deep }));
  expect(limit).toMatchObject({ code: "json_limit" });
  expect([isNetworkFailure(limit), isRefusal(limit)]).toEqual([false, false]);
  await expect(report({ big: 1n })).rejects.toThrow(TypeError);
  expect(requests).toBe(0);
});

test("a request that is not answered in time fails with that reason", async () => {
  const { link, controller } = await connect(() => {});
  const error = await caught(link.heartbeat("runner_1", [], 20, controller.signal));
  expect(isNetworkFailure(error)).toBe(true);
  expect(describeCause(error)).toBe("no response within 20 ms");
});

test("a response that breaks off is a failure of the network", async () => {
  const { report } = await connect((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"ok":', () => response.destroy());
  });
  expect(isNetworkFailure(await caught(report()))).toBe(true);
});

test("a kept connection that was closed meanwhile is skipped, and the request is sent over another one", async () => {
  const seen: unknown[] = [];
  const { report, poll } = await connect((request, response) => {
    seen.push(request.url);
    if (seen.length === 2) request.socket.destroy();
    else response.writeHead(204).end();
  });
  await report();
  expect(await poll(["run_1", "run_2"])).toBeUndefined();
  // The lost response may have contained a run, so the repeated poll says which ones have arrived.
  expect(seen.slice(1)).toEqual([
    "/base/runner/runs?runner_id=runner_1&wait=1&slots=1",
    "/base/runner/runs?runner_id=runner_1&wait=1&slots=1&unstarted=run_1%2Crun_2",
  ]);
});

test("a request that is aborted ends", async () => {
  const { report, controller } = await connect(() => controller.abort(new Error("enough")));
  await expect(report()).rejects.toThrow("enough");
});

test("a response that has begun is read to its end, also after an abort", async () => {
  const { poll, controller } = await connect((_, response) => {
    onceAnswered(() => {
      controller.abort(new Error("enough"));
      response.end('{"run_id":"run_7","lease_token":"t"}}');
    });
    response.writeHead(200).write('{"run":');
  });
  expect(await poll()).toMatchObject({ type: "unreadable", proof: { runId: "run_7", leaseToken: "t" } });
});

/** Calls back when the head of the next response has arrived. */
function onceAnswered(listener: () => void): void {
  const onFinish = () => {
    unsubscribe("http.client.response.finish", onFinish);
    setImmediate(listener);
  };
  subscribe("http.client.response.finish", onFinish);
}

test("a link that is closed leaves no connection behind, also none for an aborted request", async () => {
  const { server, link, report, poll, controller } = await connect((request, response) => {
    if (request.method === "POST") response.end("{}");
    else controller.abort();
  });
  await report();
  await poll().catch(() => undefined);
  link.close();
  const closed = once(server, "close");
  server.close();
  await closed;
});
