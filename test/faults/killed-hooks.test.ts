import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Run, RunDetail, RunEvent, RunSummary } from "@tenterhook/protocol/runs";
import { ApiClient, freshPostgres, restartPort, TestRunner } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "./follower.ts";
import { LiveProcess } from "./live-process.ts";

const PROCEED = JSON.stringify({ action: "continue", parameters: {} });
const RUNS = 8;

/** An endpoint that does what `respond` does until it is `healthy`; it notes the key of every call. */
async function openReceiver(respond: (response: ServerResponse) => unknown) {
  const receiver = { url: "", isHealthy: false, keys: [] as string[] };
  const server = createServer((request, response) => {
    receiver.keys.push(String(request.headers["idempotency-key"]));
    response.setHeader("content-type", "application/json");
    request.resume().once("end", () => (receiver.isHealthy ? response.end(PROCEED) : respond(response)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return receiver;
}

const callsOf = (keys: readonly string[], key: string) => keys.filter((each) => each === key).length;

test.each(["embedded", "server"] as const)(
  "a coordinator over an %s store that is killed while hooks are called and wait loses none, and repeats only calls that were active",
  async (kind) => {
    const folder = temporaryFolder();
    const options = {
      folder,
      ...(kind === "server" && { url: await freshPostgres() }),
      port: await restartPort(),
      limits: { leaseSeconds: 6 },
      calls: { awaited: 8, perTarget: 3 },
      sweepMs: 100,
      webhooks: { allowPrivate: ["127.0.0.1"] },
    };
    const start = async () => {
      const started = await LiveProcess.start<Endpoint>("coordinator", options);
      onTestFinished(() => started.kill());
      return started;
    };
    const silent = await openReceiver(() => undefined);
    const busy = await openReceiver((response) => response.writeHead(503, { "retry-after": "10" }).end());
    const first = await start();
    const api = new ApiClient(first.ready.url, first.ready.token);
    const save = (name: string, url: string) =>
      api.put(`/agents/${name}`, {
        name,
        type: "procedural",
        command: ["cat"],
        hooks: { on_run_start: { type: "http", url, on_error: "block", timeout_seconds: 300 } },
      });
    await save("silent", silent.url);
    await save("busy", busy.url);
    const ids: string[] = [];
    for (const agent_name of ["silent", "busy"])
      for (let count = 0; count < RUNS; count++)
        ids.push((await api.post<Run>("/runs", { agent_name, parameters: {} })).body.run_id);

    // Hooks become due when a runner comes for their runs.
    const polling = await TestRunner.register(api);
    const list = async (query: string) => (await api.get<{ runs: RunSummary[] }>(`/runs?${query}`)).body.runs;
    while ((await list("status=pending")).length > 0) expect(await polling.next(0)).toBeUndefined();
    const waiting = async (agent: string, reason: string) =>
      (await list(`agent=${agent}`)).filter(({ hook_waiting }) => hook_waiting?.includes(reason)).length;
    await expect.poll(() => silent.keys.length, { timeout: 60_000 }).toBe(3);
    await expect.poll(() => waiting("silent", "calls of its host"), { timeout: 60_000 }).toBe(RUNS - 3);
    await expect.poll(() => waiting("busy", "503"), { timeout: 60_000 }).toBeGreaterThan(0);
    await first.kill();
    const active = new Set(silent.keys);
    silent.isHealthy = true;
    busy.isHealthy = true;
    const calledBusy = new Map(busy.keys.map((key) => [key, callsOf(busy.keys, key)]));

    await start();
    const runner = await TestRunner.register(api);
    for (const _ of ids) await runner.complete(await runner.claim(90));
    for (const id of ids) {
      const { body } = await api.get<RunDetail>(`/runs/${id}`);
      expect(body).toMatchObject({ status: "completed", hooks: [{ state: "done" }] });
      const { events } = (await api.get<{ events: RunEvent[] }>(`/runs/${id}/events?limit=200`)).body;
      const types = events.map(({ event_type }) => event_type);
      for (const type of ["hook_start", "hook_complete", "run_completed"] as const)
        expect([type, types.filter((each) => each === type).length]).toEqual([type, 1]);
    }
    // At least once: a call that was active when the process ended is repeated, with the same key.
    expect(active.size).toBe(3);
    expect(new Set(silent.keys).size).toBe(RUNS);
    for (const key of silent.keys) expect(callsOf(silent.keys, key)).toBe(active.has(key) ? 2 : 1);
    expect(new Set(busy.keys).size).toBe(RUNS);
    // One of these may have been active too.
    for (const key of busy.keys)
      expect(callsOf(busy.keys, key)).toBeLessThanOrEqual((calledBusy.get(key) ?? 0) + 1);
  },
);
