import { randomUUID } from "node:crypto";
import { type EventName, TenterhookError } from "@tenterhook/protocol";
import { LONGEST_TIMER_MS } from "@tenterhook/protocol/support";
import type { Agent } from "../agent.ts";
import type { Run } from "../loop/run.ts";
import type { RunScope } from "../loop/run-scope.ts";
import { RunStopped } from "../loop/run-stopped.ts";
import { contextText } from "../loop/step.ts";
import type { Delegation } from "../loop/turn.ts";
import { readSchema } from "../tools/input-schema.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { ReadyTool } from "../tools/toolbox.ts";

/**
 * The events of a subagent that its parent's hooks are not asked about, because they are about a turn of one's own; the
 * parent's hooks hear of `subagent_start` and `subagent_stop` instead. All else in a subagent passes through them.
 */
export const TURN_EVENTS = [
  "session_start",
  "session_end",
  "before_agent",
  "after_agent",
  "before_stop",
  "agent_failed",
] as const satisfies readonly EventName[];

/** Agents that delegate in a ring would do so for ever. */
const DEEPEST = 8;

const TASK = {
  type: "object",
  properties: {
    task: { type: "string", description: "What to do, with everything that must be known to do it." },
  },
  required: ["task"],
  additionalProperties: false,
} as const;

/** An agent as a tool of another agent. */
export async function subagentTool(agent: Agent): Promise<ReadyTool> {
  const schema = await readSchema(TASK, `the subagent "${agent.name}"`);
  const description = agent.description ?? `Delegates a task to the agent ${agent.name}.`;
  return {
    definition: { name: agent.name, description, inputSchema: schema.jsonSchema },
    schema,
    execute: (input, context, run) =>
      delegate(agent, (input as { readonly task: string }).task, context, run),
    // Its own limits bound it: steps, tokens, and the time of each of its tools.
    timeoutMs: LONGEST_TIMER_MS,
    needsApproval: undefined,
    toModelOutput: undefined,
  };
}

async function delegate(
  agent: Agent,
  task: string,
  context: ToolCallContext,
  parent: RunScope,
): Promise<unknown> {
  const subagent = { subagentName: agent.name, subagentType: agent.id, subagentId: randomUUID() };
  if (parent.identity.depth >= DEEPEST) {
    throw new TenterhookError(
      "tool_failed",
      `agents may delegate ${DEEPEST} deep, and "${agent.name}" would be deeper.`,
    );
  }
  const start = await parent.ask("subagent_start", { ...subagent, taskDescription: task });
  const delegation: Delegation = { ...subagent, taskDescription: start.payload.taskDescription };
  if (start.action === "refuse") {
    await parent.tellLast("subagent_stop", { ...delegation, stopReason: "refused", finalMessage: null });
    throw new TenterhookError("tool_blocked", start.reason ?? "a hook refused the delegation");
  }
  const message =
    start.context.length === 0
      ? delegation.taskDescription
      : `${delegation.taskDescription}\n\n${contextText(start.context)}`;
  const run = await agent.runDelegated(message, delegation, parent, context);
  parent.addUsage(run.usage);
  return outcomeOf(run, agent.name, parent);
}

/** What the parent's tool call comes to. */
function outcomeOf(run: Run<unknown>, name: string, parent: RunScope): unknown {
  const { status, stopReason, reason = "no reason given", text } = run;
  if (status === "completed") return run.output;
  // A `stop` ends the whole run, also when it is said deep down.
  if (stopReason === "stopped_by_hook") throw parent.stop(new RunStopped("stopped_by_hook", reason));
  if (stopReason === "refused" && run.error === undefined) throw new TenterhookError("tool_blocked", reason);
  if (status === "failed") throw run.error ?? new TenterhookError("tool_failed", `${name} failed: ${reason}`);
  if (stopReason === "aborted") throw new TenterhookError("tool_failed", `${name} was aborted: ${reason}`);
  return `${text}\n(${name} stopped early: ${reason})`.trim();
}
