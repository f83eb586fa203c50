import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** What the receiver answers on each path. */
const ANSWERS: Readonly<Record<string, string>> = {
  "/deep": `{"action":"continue","parameters":${nested(4_200)}}`,
  "/very-deep": `{"action":"continue","parameters":${nested(100_000)}}`,
  "/deep-reason": `{"action":"block","block_reason":${nested(4_200)}}`,
  "/fine": `{"action":"continue","parameters":${nested(150)}}`,
};

let receiver: Server;
let origin: string;
let calls: string[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    calls.push(request.url ?? "");
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(ANSWERS[request.url ?? ""]);
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => receiver.close());

function hooked(path: string, on_error: "block" | "continue"): BlueprintInput {
  const on_run_start = { type: "http", url: `${origin}${path}`, on_error } as const;
  return {
    name: `hooked${path.slice(1)}-${on_error}`,
    type: "procedural",
    command: ["cat"],
    hooks: { on_run_start },
  };
}

describe.each(["embedded", "server"] as const)("over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let url: string | undefined;
  const open = (folder?: string) =>
    TestCoordinator.open({
      url,
      webhooks: { allowPrivate: ["127.0.0.1"] },
      ...(folder !== undefined && { folder }),
    });

  beforeAll(async () => {
    url = kind === "server" ? await freshPostgres() : undefined;
    coordinator = await open();
  });
  afterAll(() => coordinator.close());

  test.each(["/deep", "/very-deep", "/deep-reason"])(
    "a hook that answers %s fails by its on_error, is called once, and the reason is recorded",
    async (path) => {
      calls = [];
      await coordinator.save(hooked(path, "block"), hooked(path, "continue"));
      const blocked = await coordinator.start(hooked(path, "block").name);
      await coordinator.start(hooked(path, "continue").name, { kept: true });
      const runner = await coordinator.runner();
      const run = await runner.claim();
      expect(run).toMatchObject({ agent_name: hooked(path, "continue").name, parameters: { kept: true } });
      await runner.complete(run);
      const { status, error_code, hooks } = await coordinator.ended(blocked.run_id);
      expect([status, error_code, hooks[0]?.state]).toEqual(["failed", "hook_failed", "failed"]);
      expect(hooks[0]?.error).toContain("nested deeper than 200 levels");
      expect(calls).toEqual([path, path]);
      expect(coordinator.errors).toEqual([]);
    },
  );

  test("an answer within the limits is taken whole", async () => {
    await coordinator.save(hooked("/fine", "block"));
    await coordinator.start(hooked("/fine", "block").name);
    const runner = await coordinator.runner();
    const run = await runner.claim();
    expect(JSON.stringify(run.parameters)).toBe(nested(150));
    await runner.complete(run, { result_data: run.parameters });
    expect(JSON.stringify((await coordinator.ended(run.run_id)).result_data)).toBe(nested(150));
  });

  test("an agent whose text is JSON beyond the limits has failed as a hook", async () => {
    const judge: BlueprintInput = { name: "judge", type: "procedural", command: ["cat"] };
    const on_run_start = { type: "agent", agent_name: "judge", on_error: "block" } as const;
    await coordinator.save(judge, { ...judge, name: "judged", hooks: { on_run_start } });
    const { run_id } = await coordinator.start("judged");
    const runner = await coordinator.runner();
    const hookRun = await runner.claim();
    expect(hookRun.agent_name).toBe("judge");
    const result_text = `{"action":"continue","parameters":${nested(4_200)}}`;
    expect((await runner.complete(hookRun, { result_text })).status).toBe(200);
    const { status, error, error_code } = await coordinator.ended(run_id);
    expect([status, error_code]).toEqual(["failed", "hook_failed"]);
    expect(error).toContain("nested deeper than 200 levels");
  });

  test("a coordinator that is opened again over the same data works", async () => {
    calls = [];
    await coordinator.save(hooked("/deep", "block"));
    const { run_id } = await coordinator.start(hooked("/deep", "block").name);
    const runner = await coordinator.runner();
    expect(await runner.next(0.2)).toBeUndefined();
    const { folder } = coordinator;
    await coordinator.served.close();
    coordinator = await open(folder);
    expect(await coordinator.ended(run_id)).toMatchObject({ status: "failed", error_code: "hook_failed" });
    await coordinator.save({ name: "plain", type: "procedural", command: ["cat"] });
    await coordinator.start("plain");
    const next = await coordinator.runner();
    expect((await next.complete(await next.claim())).status).toBe(200);
    expect(calls).toEqual(["/deep"]);
  });
});
