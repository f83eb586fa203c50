import { randomUUID } from "node:crypto";
import { LONGEST_TIMER_MS } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, eventRow, TenterhookError } from "@tenterhook/protocol";
import { contextText } from "../loop/step.ts";
import type { Delegation } from "../loop/turn.ts";
import type { RunContext } from "../run/run-context.ts";
import type { RunResult } from "../run/run-result.ts";
import { RunStopped } from "../run/run-stopped.ts";
import { readSchema } from "../tools/input-schema.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { ResolvedTool } from "../tools/toolbox.ts";
import type { Subagent } from "./subagent.ts";

/** The events of a subagent that do not reach its parent's hooks. */
export const TURN_EVENTS: readonly EventName[] = EVENT_NAMES.filter((event) => eventRow(event).ownTurn);

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
  const subagent = { subagentName: agent.name, subagentType: agent.id, subagentId: randomUUID() };
  if (parent.identity.depth >= MAX_DEPTH) {
    const problem = `agents may delegate ${MAX_DEPTH} deep, and "${agent.name}" would be deeper.`;
    throw new TenterhookError("tool_failed", problem);
  }
  const start = await parent.fire("subagent_start", { ...subagent, taskDescription: task });
  const delegation: Delegation = { ...subagent, taskDescription: start.payload.taskDescription };
  if (start.action === "refuse") {
    await parent.fireLast("subagent_stop", { ...delegation, stopReason: "refused", finalMessage: null });
    throw new TenterhookError("tool_blocked", start.reason ?? "a hook refused the delegation");
  }
  const message =
    start.context.length === 0
      ? delegation.taskDescription
      : `${delegation.taskDescription}\n\n${contextText(start.context)}`;
  const run = await agent.runDelegated(message, delegation, parent, context);
  parent.addUsage(run.usage);
  return readToolResult(run, agent.name, parent);
}

/** The result of the parent's tool call. */
function readToolResult(run: RunResult<unknown>, name: string, parent: RunContext): unknown {
  const { status, stopReason, reason = "no reason given", text } = run;
  if (status === "completed") return run.output;
  // A `stop` ends the whole run, also from a nested subagent.
  if (stopReason === "stopped_by_hook") throw parent.stop(new RunStopped("stopped_by_hook", reason));
  if (stopReason === "refused" && run.error === undefined) throw new TenterhookError("tool_blocked", reason);
  if (status === "failed") throw run.error ?? new TenterhookError("tool_failed", `${name} failed: ${reason}`);
  if (stopReason === "aborted") throw new TenterhookError("tool_failed", `${name} was aborted: ${reason}`);
  return `${text}\n(${name} stopped early: ${reason})`.trim();
}
