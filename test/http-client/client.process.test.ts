import { TenterhookClient } from "@tenterhook/client";
import { type ServedCoordinator, serveCoordinator } from "@tenterhook/coordinator";
import { TenterhookError } from "@tenterhook/protocol";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startCuttingProxy } from "./cutting-proxy.ts";

// The client with the real coordinator: one for all tests.

const folder = temporaryFolder();
let served: ServedCoordinator;
let client: TenterhookClient;

beforeAll(async () => {
  served = await serveCoordinator({ folder, port: 0 });
  client = new TenterhookClient(served);
  await client.agents.save("echo", { type: "procedural", command: ["cat"] });
});
afterAll(() => served.close());

const register = () => TestRunner.register(new ApiClient(served.url, served.token));

test("a run is started, waited for and found by a word of its parameters", async () => {
  const runner = await register();
  const { run_id, status } = await client.runs.start({
    agent_name: "echo",
    parameters: { text: "aubergine" },
  });
  expect(status).toBe("pending");
  const waiting = client.runs.wait(run_id);
  const claimed = await runner.claim();
  await runner.report(claimed, "started");
  await runner.complete(claimed, { result_data: { done: true } });
  expect(await waiting).toMatchObject({ run_id, status: "completed", result_data: { done: true } });
  const find = async () => (await client.runs.list({ search: "aubergine" })).runs.map((run) => run.run_id);
  // Words are indexed after the run is stored.
  await expect.poll(find).toEqual([run_id]);
});

test("the same idempotency key starts one run", async () => {
  const options = { idempotencyKey: "order-7" };
  const first = await client.runs.start({ agent_name: "echo" }, options);
  const again = await client.runs.start({ agent_name: "echo" }, options);
  expect(again.run_id).toBe(first.run_id);
  await client.runs.stop(first.run_id);
});

test("the events of a run come once and in order while connections are cut in the middle of the stream", async () => {
  const proxy = await startCuttingProxy(served.url);
  onTestFinished(() => proxy.close());
  const cutClient = new TenterhookClient({ url: proxy.url, token: served.token, retry: { attempts: 1 } });
  const runner = await register();
  const { run_id } = await client.runs.start({ agent_name: "echo" });
  const claimed = await runner.claim();
  await runner.report(claimed, "started");
  const received: RunEvent[] = [];
  const states: string[] = [];
  let sent = 0;
  for await (const event of cutClient.runs.events(run_id, { onConnection: (state) => states.push(state) })) {
    received.push(event);
    const isNewest = received.length > sent;
    if (!isNewest) continue;
    // The next event happens while the client is cut off.
    proxy.cut();
    sent = received.length;
    const events = [{ event_type: "progress", data: { message: `step ${sent}` }, ms_ago: 0 }];
    if (sent < 8) await runner.report(claimed, "events", { first: sent, events });
    else await runner.complete(claimed);
  }
  const { events } = await client.runs.listEvents(run_id, { limit: 200 });
  expect(received.map(({ number }) => number)).toEqual(events.map(({ number }) => number));
  expect(received.at(-1)?.event_type).toBe("run_completed");
  expect(proxy.connections()).toBeGreaterThan(2);
});

test("the stream of all events continues after the last event when it is cut, and after a cursor", async () => {
  const proxy = await startCuttingProxy(served.url);
  onTestFinished(() => proxy.close());
  const cutClient = new TenterhookClient({ url: proxy.url, token: served.token });
  const ending = new AbortController();
  const cursors: string[] = [];
  const states: string[] = [];
  const filters = { types: "agent_saved" };
  const { events } = await client.events.listLatest({ limit: 1 });
  const after = events.at(-1)?.id;
  const save = (name: string) => client.agents.save(name, { type: "procedural", command: ["cat"] });
  await save("first");
  const onConnection = (state: string) => states.push(state);
  for await (const event of cutClient.events.follow({
    filters,
    after,
    signal: ending.signal,
    onConnection,
  })) {
    cursors.push(event.id);
    if (cursors.length === 1) {
      proxy.cut();
      await save("second");
    } else ending.abort();
  }
  expect(states).toEqual(["lost", "back"]);
  expect(cursors).toHaveLength(2);
  const again = client.events.follow({ filters, after: cursors[0], signal: AbortSignal.timeout(60_000) });
  expect((await again.next()).value?.id).toBe(cursors[1]);
  await again.return(undefined);
});

test("a signal ends the wait for a run with its reason, and the events of one without an error", async () => {
  const { run_id } = await client.runs.start({ agent_name: "echo" });
  const ending = new AbortController();
  const waiting = client.runs.wait(run_id, { signal: ending.signal });
  const received: RunEvent[] = [];
  for await (const event of client.runs.events(run_id, { signal: ending.signal })) {
    received.push(event);
    ending.abort(new Error("enough"));
  }
  await expect(waiting).rejects.toThrow("enough");
  expect(received).toHaveLength(1);
  await client.runs.stop(run_id);
});

test("a refusal is a TenterhookError with the code and the field of the coordinator's problem", async () => {
  const error = await client.runs.start({ agent_name: "unknown" }).catch((thrown: unknown) => thrown);
  expect(TenterhookError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ code: "unknown_agent", status: 422, problem: { field: "agent_name" } });
  const unknown = new TenterhookClient({ url: served.url, token: "wrong" });
  await expect(unknown.runs.list()).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
  await expect(client.runs.wait("run_unknown")).rejects.toMatchObject({ code: "not_found" });
});

test("every kind of thing can be listed", async () => {
  expect(await client.access.whoAmI()).toMatchObject({ scope: "admin" });
  expect(await client.coordinator.checkReadiness()).toBeDefined();
  expect((await client.sessions.list()).sessions).not.toEqual([]);
  expect((await client.agents.list()).agents.map(({ name }) => name)).toContain("echo");
  expect((await client.tokens.list()).tokens).not.toEqual([]);
  expect((await client.runners.list()).runners).not.toEqual([]);
  expect([(await client.hooks.list()).hooks, (await client.approvals.list()).approvals]).toEqual([[], []]);
});
