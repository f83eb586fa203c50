import { randomUUID } from "node:crypto";
import { type Delegation, startSubagent } from "@tenterhook/engine/host";
import { LONGEST_TIMER_MS } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { RunContext } from "../run/run-context.ts";
import type { RunResult } from "../run/run-result.ts";
import { readSchema } from "../tools/input-schema.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { ResolvedTool } from "../tools/toolbox.ts";

/** An agent that others may delegate to. Every `Agent` is one. */
export interface Subagent {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Runs with the parent's hooks, permissions, approver, metadata and signal. */
  runDelegated(
    message: string,
    delegation: Delegation,
    parent: RunContext,
    context: ToolCallContext,
  ): Promise<RunResult<unknown>>;
}

/** Agents that delegate in a cycle would do so forever. */
const MAX_DEPTH = 8;

const TASK = {
  type: "object",
  properties: {
    task: { type: "string", description: "What to do, with everything that must be known to do it." },
  },
  required: ["task"],
  additionalProperties: false,
} as const;

/** An agent as a tool of another agent. */
export async function subagentTool(agent: Subagent): Promise<ResolvedTool> {
  const schema = await readSchema(TASK, `the subagent "${agent.name}"`);
  const description = agent.description ?? `Delegates a task to the agent ${agent.name}.`;
  return {
    definition: { name: agent.name, description, inputSchema: schema.jsonSchema },
    schema,
    execute: (input, context, run) =>
      delegate(agent, (input as { readonly task: string }).task, context, run),
    // Its own limits apply: steps, tokens, and the timeout of each of its tools.
    timeoutMs: LONGEST_TIMER_MS,
    needsApproval: undefined,
    toModelOutput: undefined,
  };
}

async function delegate(
  agent: Subagent,
  task: string,
  context: ToolCallContext,
  parent: RunContext,
): Promise<unknown> {
  if (parent.resources.depth >= MAX_DEPTH) {
    const problem = `agents may delegate ${MAX_DEPTH} deep, and "${agent.name}" would be deeper.`;
    throw new TenterhookError("tool_failed", problem);
  }
  const start = await startSubagent(parent.host, {
    subagentName: agent.name,
    subagentType: agent.id,
    subagentId: randomUUID(),
    taskDescription: task,
  });
  if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
  const running = agent.runDelegated(start.text, start.delegation, parent, context).then((ended) => {
    parent.host.steps.recordUsage(ended.usage);
    return ended;
  });
  parent.delegated.add(running);
  const run = await running.finally(() => parent.delegated.delete(running));
  // A stop ends the whole run, also from a nested subagent.
  parent.host.check();
  return readToolResult(run, agent.name);
}

/** The result of the parent's tool call. */
function readToolResult(run: RunResult<unknown>, name: string): unknown {
  const { status, stopReason, reason = "no reason given", text } = run;
  if (status === "completed") return run.output;
  if (stopReason === "refused" && run.error === undefined) throw new TenterhookError("tool_blocked", reason);
  if (status === "failed") throw run.error ?? new TenterhookError("tool_failed", `${name} failed: ${reason}`);
  if (stopReason === "aborted") throw new TenterhookError("tool_failed", `${name} was aborted: ${reason}`);
  return `${text}\n(${name} stopped early: ${reason})`.trim();
}
