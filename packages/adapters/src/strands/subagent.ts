import { randomUUID } from "node:crypto";
import type * as sdk from "@strands-agents/sdk";
import { Hooks } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import { EVENT_NAMES, TenterhookError } from "@tenterhook/protocol";
import { childHooks, type HostRun, startSubagent } from "../core/index.ts";
import { isHookedWith } from "./installed-hooks.ts";
import type { AgentParts } from "./invocation.ts";

/** An agent that is a tool of another one. */
export interface Subagent {
  readonly name: string;
  readonly agent: sdk.LocalAgent;
}

/** The agent behind a tool, if it is one that runs in this process. */
export function findSubagent(tool: sdk.Tool | undefined): Subagent | undefined {
  const agent = (tool as { readonly agent?: unknown } | undefined)?.agent;
  if (tool === undefined || typeof agent !== "object" || agent === null) return undefined;
  const { addHook, addMiddleware } = agent as Partial<sdk.LocalAgent>;
  return typeof addHook === "function" && typeof addMiddleware === "function"
    ? { name: tool.name, agent: agent as sdk.LocalAgent }
    : undefined;
}

/**
 * Runs a subagent with its hooks: `subagent_start`, then the hooks of the agent that delegates inside the subagent too, except those
 * of an agent's own turn, and `subagent_stop`. A refused delegation throws `tool_blocked`.
 */
export async function delegate(
  parts: AgentParts,
  run: HostRun,
  { name, agent }: Subagent,
  input: unknown,
  execute: (input: unknown) => Promise<unknown>,
): Promise<unknown> {
  const subagent = { subagentName: name, subagentType: agent.id, subagentId: randomUUID() };
  const task = isRecord(input) && typeof input.input === "string" ? input.input : "";
  const start = await startSubagent(run, { ...subagent, taskDescription: task });
  if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
  const { delegation, text } = start;
  // Its own plugins are installed now, not when it runs.
  await agent.initialize?.();
  // An agent that has the plugin itself, with the same hooks, calls them already; only its parent's gate is added.
  const hooks = isHookedWith(agent, parts.hooks) ? stopHooks(parts.hooks) : childHooks(parts.hooks);
  const uninstall = parts.install({
    ...parts,
    agent,
    hooks,
    check: undefined,
    parent: run,
    delegation,
  });
  try {
    return await execute(text === task ? input : { ...(isRecord(input) && input), input: text });
  } finally {
    uninstall();
  }
}

const NOT_STOP = EVENT_NAMES.filter((event) => event !== "subagent_stop");

/** Only the gates of subagents, by the set that has them. */
const gates = new WeakMap<Hooks, Hooks>();

function stopHooks(from: Hooks): Hooks {
  const known = gates.get(from) ?? new Hooks({ inherits: [{ from, except: NOT_STOP }] });
  gates.set(from, known);
  return known;
}
