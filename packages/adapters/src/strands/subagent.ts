import { randomUUID } from "node:crypto";
import type * as sdk from "@strands-agents/sdk";
import type { Hooks } from "@tenterhook/engine";
import { childHooks, type HostRun, startSubagent } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentParts } from "./invocation.ts";

/** What agents are hooked with, by the sets of hooks that plugins were given. */
const installed = new WeakMap<sdk.LocalAgent, Map<Hooks, AgentParts>>();

/** Records that a set is installed on an agent; returns the function that removes the record. */
export function recordHooks(parts: AgentParts): () => void {
  const { agent, source } = parts;
  const sets = installed.get(agent) ?? new Map<Hooks, AgentParts>();
  installed.set(agent, sets.set(source, parts));
  return () => void sets.delete(source);
}

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
  const taskDescription = isRecord(input) && typeof input.input === "string" ? input.input : "";
  const start = await startSubagent(run, { ...subagent, taskDescription });
  if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
  const { delegation, text } = start;
  // Its own plugins are installed now, not when it runs.
  await agent.initialize?.();
  const uninstall = installTask(parts, agent, { parent: run, delegation });
  try {
    return await execute(text === taskDescription ? input : { ...(isRecord(input) && input), input: text });
  } finally {
    uninstall();
  }
}

/** An agent that has the plugin itself, with the same hooks, calls them already, and is only told its task. */
function installTask(
  parts: AgentParts,
  agent: sdk.LocalAgent,
  task: NonNullable<AgentParts["task"]>,
): () => void {
  const { source } = parts;
  const own = installed.get(agent)?.get(source);
  if (own === undefined) {
    const agentHooks = { ...parts.agentHooks, hooks: childHooks(source), findRefusal: undefined };
    return parts.install({ ...parts, agent, agentHooks, task });
  }
  own.task = task;
  return () => {
    own.task = undefined;
  };
}
