import { freshPostgres, RunningClock } from "@tenterhook/test-support";
import { beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let url: string;
beforeAll(async () => {
  url = await freshPostgres();
});

test("closing answers held requests, ends the streams and stops listening", async () => {
  const coordinator = await TestCoordinator.open({ url, graceMs: 60_000 });
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
  const runner = await coordinator.runner({ tags: ["waits"] });
  const poll = runner.next(30, 0);
  const sync = coordinator.admin.post("/runs", { agent_name: "echo", execution_mode: "sync" });
  const stream = await coordinator.follow();
  await expect
    .poll(async () => (await coordinator.admin.get<string>("/metrics")).body)
    .toContain("tenterhook_waiting_requests 2");
  const since = new RunningClock();
  const reading = (async () => {
    for await (const _ of stream.messages());
  })();
  await Promise.all([coordinator.served.close(), coordinator.served.close()]);
  // Neither as long as the requests were to wait, nor as the grace period.
  expect(since.elapsedMs).toBeLessThan(15_000);
  expect(await poll).toBeUndefined();
  expect(await sync).toMatchObject({ status: 202, body: { status: "pending" } });
  await reading;
  await expect(coordinator.admin.get("/healthz")).rejects.toThrow();
  await coordinator.close();
});

test("a request that takes too long does not keep it from closing", async () => {
  const coordinator = await TestCoordinator.open({ url, graceMs: 100 });
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(coordinator.served.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.write(
    `POST /runs HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${coordinator.served.token}\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{`,
  );
  await expect.poll(async () => (await coordinator.admin.get("/healthz")).status).toBe(200);
  await coordinator.served.close();
  await coordinator.close();
  expect(coordinator.errors).toEqual([]);
});
