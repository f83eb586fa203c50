import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { expect, onTestFinished, test } from "vitest";
import { shellAgent } from "./agents.ts";
import { ProcessFleet } from "./process-fleet.ts";

interface Detail {
  readonly status: string;
  readonly error_code: string | null;
  readonly result_data: unknown;
  readonly hooks: readonly { readonly hook_type: string; readonly state: string }[];
}

/** Synchronous agent hooks of every type. */
const HOOKS = {
  on_run_start: by("enricher"),
  on_tool_call: by("guard"),
  on_result: by("sealer"),
  on_run_finish: by("watcher"),
  on_run_error: by("watcher"),
  on_timeout: by("watcher"),
} satisfies BlueprintInput["hooks"];

function by(agent_name: string) {
  return { type: "agent", agent_name, on_error: "block", mode: "sync" } as const;
}

/** Agents that complete with a tool call, fail, and time out. */
function hookedAgents(ledger: string): readonly BlueprintInput[] {
  const script = [{ toolCalls: [{ name: "Shell", input: { command: "true" } }] }, "done"];
  return [
    shellAgent("guard", "guard", ledger),
    {
      name: "diligent",
      type: "autonomous",
      model: { provider: "scripted", script },
      tools: ["Shell"],
      hooks: HOOKS,
    },
    { ...shellAgent("failing", "broken", ledger), hooks: HOOKS },
    { ...shellAgent("endless", "worker", ledger, 60), hooks: HOOKS, timeout_seconds: 3 },
  ];
}

const EXPECTED = {
  diligent: {
    status: "completed",
    error_code: null,
    hooks: ["on_run_start", "on_tool_call", "on_result", "on_run_finish"],
  },
  failing: {
    status: "failed",
    error_code: "program_failed",
    hooks: ["on_run_start", "on_run_error", "on_run_finish"],
  },
  endless: {
    status: "failed",
    error_code: "timeout",
    hooks: ["on_run_start", "on_timeout", "on_run_error", "on_run_finish"],
  },
} as const;

test("a lone runner with one slot finishes every run, with agent hooks of every type on each", async () => {
  const fleet = await ProcessFleet.start(
    {
      store: "embedded",
      coordinators: 1,
      runners: 1,
      concurrency: 1,
      leaseSeconds: 10,
    },
    onTestFinished,
  );
  const { client, ledger, occurrences } = fleet;
  for (const each of hookedAgents(ledger)) await client.put(each);
  const names = ["diligent", "failing", "endless", "diligent", "failing", "diligent"] as const;
  const runs = await Promise.all(names.map((name) => client.start(name)));
  for (const [index, { run_id }] of runs.entries()) {
    const { hooks, ...expected } = EXPECTED[names[index] ?? "diligent"];
    let detail = await client.read<Detail>(`/runs/${run_id}`);
    while (!["completed", "failed", "stopped"].includes(detail.status)) {
      await occurrences.after("event", 1, 1_000);
      detail = await client.read<Detail>(`/runs/${run_id}`);
    }
    expect(detail).toMatchObject(expected);
    expect(detail.hooks.map(({ hook_type }) => hook_type)).toEqual(expect.arrayContaining([...hooks]));
    expect(detail.hooks.map(({ state }) => state)).toEqual(hooks.map(() => "done"));
    if (detail.status === "completed") expect(detail.result_data).toEqual({ count: 1, seals: 1 });
  }
});
