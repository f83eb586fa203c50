import type { DashboardWorld } from "./dashboard-world.ts";

/** Saves an agent that ends at once, one whose start hook asks a person, one that no runner can take, and a named hook. */
export async function saveSampleAgents({ fleet }: DashboardWorld): Promise<void> {
  await fleet.program({ name: "quick" }, "return { done: true };");
  await fleet.program({ name: "asker" }, 'return { action: "ask", reason: "may I?" };');
  const asks = { type: "agent", agent_name: "asker", on_error: "block" } as const;
  await fleet.program({ name: "asking", hooks: { on_run_start: asks } }, "return {};");
  await fleet.put({ name: "waiting", type: "procedural", command: ["true"], tags: ["no-such-runner"] });
  await fleet.demand("PUT", "/hooks/curfew", asks);
}
