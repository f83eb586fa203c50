import type { RunEvent } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { RunAgents } from "./run-agents.ts";

const event = (event_type: string, run_id: string | null, more: object = {}): RunEvent => ({
  id: "1-1",
  event_type,
  run_id,
  session_id: null,
  number: 1,
  timestamp: "2026-11-15T10:00:00.000Z",
  ...more,
});

test("the first event of a run names its agent, without a request", async () => {
  const agents = new RunAgents(() => Promise.reject(new Error("asked")));
  expect(
    await agents.learn([event("run_created", "run_1", { agent_name: "echo" }), event("text", "run_1")]),
  ).toBe(false);
  expect(agents.of("run_1")).toBe("echo");
});

test("the page requests earlier runs once, at most 200 per request", async () => {
  const requested: number[] = [];
  const agents = new RunAgents(async (ids) => {
    requested.push(ids.length);
    return new Map(ids.filter((id) => id !== "run_0").map((id) => [id, "echo"]));
  });
  const events = Array.from({ length: 250 }, (_, index) => event("text", `run_${index}`));
  expect(await agents.learn([...events, event("text", null)])).toBe(true);
  expect(await agents.learn(events)).toBe(false);
  expect(requested).toEqual([200, 50]);
  expect([agents.of("run_0"), agents.of("run_249")]).toEqual([undefined, "echo"]);
});

test("a failed request leaves agents unknown", async () => {
  const agents = new RunAgents(() => Promise.reject(new Error("unreachable")));
  expect(await agents.learn([event("text", "run_1")])).toBe(false);
  expect(agents.of("run_1")).toBeUndefined();
});
