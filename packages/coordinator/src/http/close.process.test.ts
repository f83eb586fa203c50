import { freshPostgres, RunningClock } from "@tenterhook/test-support";
import { beforeAll, expect, test } from "vitest";
import { CoordinatorWorld } from "../testing/coordinator-world.ts";

let url: string;
beforeAll(async () => {
  url = await freshPostgres();
});

test("closing answers held requests, ends the streams and stops listening", async () => {
  const world = await CoordinatorWorld.open({ url });
  await world.save({ name: "echo", type: "procedural", command: ["cat"] });
  const runner = await world.runner({ tags: ["waits"] });
  const poll = runner.next(30, 0);
  const sync = world.admin.post("/runs", { agent_name: "echo", execution_mode: "sync" });
  const stream = await world.follow();
  await expect
    .poll(async () => (await world.admin.get<string>("/metrics")).body)
    .toContain("tenterhook_waiting_requests 2");
  const since = new RunningClock();
  const reading = (async () => {
    for await (const _ of stream.messages());
  })();
  await Promise.all([world.served.close(), world.served.close()]);
  expect(since.elapsedMs).toBeLessThan(900);
  expect(await poll).toBeUndefined();
  expect(await sync).toMatchObject({ status: 202, body: { status: "pending" } });
  await reading;
  await expect(world.admin.get("/healthz")).rejects.toThrow();
  await world.close();
});

test("a request that takes too long does not keep it from closing", async () => {
  const world = await CoordinatorWorld.open({ url, graceMs: 100 });
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(world.served.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.write(
    `POST /runs HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${world.served.token}\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{`,
  );
  await expect.poll(async () => (await world.admin.get("/healthz")).status).toBe(200);
  await world.served.close();
  await world.close();
  expect(world.errors).toEqual([]);
});
