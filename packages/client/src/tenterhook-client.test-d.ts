import type { Run, RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { expectTypeOf, test } from "vitest";
import type { TenterhookClient } from "./tenterhook-client.ts";

declare const client: TenterhookClient;

test("a method takes what its operation takes, and resolves to what it answers", () => {
  expectTypeOf(client.runs.start).toBeCallableWith({ agent_name: "a" }, { idempotencyKey: "k" });
  expectTypeOf(client.runs.start({ agent_name: "a" })).resolves.toEqualTypeOf<Run>();
  expectTypeOf(client.runs.wait("run_1")).resolves.toEqualTypeOf<RunDetail>();
  expectTypeOf(client.runs.events("run_1")).toEqualTypeOf<AsyncGenerator<RunEvent>>();
});

test("a wrong field, a missing one and a key that the operation has not are type errors", () => {
  // @ts-expect-error: the agent is missing.
  void client.runs.start({ parameters: {} });
  // @ts-expect-error: no such filter.
  void client.runs.list({ agent_name: "a" });
  // @ts-expect-error: an agent is saved without a key.
  void client.agents.save("a", { type: "procedural", command: ["cat"] }, { idempotencyKey: "k" });
});
