import { fileURLToPath } from "node:url";
import type { BlueprintInput } from "@tenterhook/protocol/runs";

const AGENT = fileURLToPath(new URL("programs/agent.sh", import.meta.url));

/** An agent that runs `programs/agent.sh` in a role, for some seconds. */
export function shellAgent(name: string, role: string, ledger: string, seconds = 0): BlueprintInput {
  const time = seconds === 0 ? [] : [String(seconds)];
  return { name, type: "procedural", command: ["sh", AGENT, role, ledger, ...time] };
}

/** Agents with an asynchronous finish hook: events follow the end of their runs. */
export const CHAINED: ReadonlySet<unknown> = new Set(["chained", "broken", "silenced"]);

/** All agents, each of them `programs/agent.sh`. Agents that run hooks come first. */
export function agents(ledger: string, receiver: string): readonly BlueprintInput[] {
  const http = { type: "http", on_error: "continue", timeout_seconds: 5 } as const;
  const agent = (name: string, role: string, more: Partial<BlueprintInput> = {}): BlueprintInput => ({
    ...shellAgent(name, role, ledger, role === "worker" ? 0.05 : 0),
    ...more,
  });
  const by = (agent_name: string, more: object = {}) =>
    ({ type: "agent", agent_name, on_error: "continue", ...more }) as const;
  return [
    // One attempt only: if it is lost, the hook fails and the run continues without it.
    agent("enricher", "enricher"),
    agent("sealer", "sealer", { max_attempts: 3 }),
    agent("watcher", "watcher", { max_attempts: 3 }),
    agent("follower", "follower", { max_attempts: 3 }),
    agent("plain", "worker", { max_attempts: 3 }),
    agent("fragile", "worker"),
    agent("broken", "broken", {
      hooks: { on_run_error: by("watcher", { mode: "sync" }), on_run_finish: by("follower") },
    }),
    agent("hooked", "worker", {
      max_attempts: 3,
      hooks: {
        on_run_start: by("enricher"),
        on_result: by("sealer"),
        on_run_finish: by("watcher", { mode: "sync" }),
      },
    }),
    agent("deep", "deep", { hooks: { on_run_error: by("watcher", { mode: "sync" }) } }),
    agent("huge", "huge"),
    agent("misled", "worker", {
      max_attempts: 3,
      hooks: { on_run_start: { ...http, url: `${receiver}deep` } },
    }),
    agent("flooded", "worker", {
      max_attempts: 3,
      hooks: { on_run_start: { ...http, url: `${receiver}huge` } },
    }),
    // Nothing waits for this hook, and its server accepts the call and never responds.
    agent("silenced", "worker", {
      max_attempts: 3,
      hooks: { on_run_finish: { ...http, url: `${receiver}silent`, timeout_seconds: 1 } },
    }),
    agent("noisy", "noisy", { max_attempts: 3 }),
    agent("chained", "worker", { max_attempts: 3, hooks: { on_run_finish: by("follower") } }),
    agent("called", "worker", {
      max_attempts: 3,
      hooks: { on_run_start: { type: "http", url: receiver, on_error: "block" }, on_result: by("sealer") },
    }),
  ];
}
