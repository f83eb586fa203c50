import type { TestDashboard } from "./test-dashboard.ts";

/** Saves an agent that ends at once, one whose start hook asks a person, one that no runner can take, and a named hook. */
export async function saveSampleAgents({ fleet }: TestDashboard): Promise<void> {
  await fleet.answer({ name: "quick" }, { done: true });
  await fleet.answer({ name: "asker" }, { action: "ask", reason: "may I?" });
  const asks = { type: "agent", agent_name: "asker", on_error: "block" } as const;
  await fleet.answer({ name: "asking", hooks: { on_run_start: asks } }, {});
  await fleet.put({ name: "waiting", type: "procedural", command: ["true"], tags: ["no-such-runner"] });
  await fleet.demand("PUT", "/hooks/curfew", asks);
}

/** Saves the agent of a start hook that asks about the environment of a deployment: `deploy to moon`. */
export async function saveFourEyes({ fleet }: TestDashboard): Promise<void> {
  const asks = 's/.*"environment": ?"([^"]*)".*/{"action": "ask", "reason": "deploy to \\1"}/';
  await fleet.put({ name: "four-eyes", type: "procedural", command: ["sed", "-E", asks] });
}
