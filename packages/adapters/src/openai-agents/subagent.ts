import { isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { endRun, readFailure, startSubagent, toError } from "../core/index.ts";
import type { HookedScopes, Scope } from "./scope.ts";
import type { FunctionTool, RunContext, ToolCallDetails } from "./sdk.ts";

/** The call of a tool that is an agent. */
export interface SubagentCall {
  readonly tool: FunctionTool;
  readonly callId: string;
  readonly context: RunContext;
  readonly details: ToolCallDetails | undefined;
  /** Called with what the SDK makes of an error of the agent's run, before that error is thrown. */
  readonly noteFailure: (result: unknown) => void;
}

/** Leaves the call of a tool whose agent waits for a person: the call has not ended. */
export class SubagentPause extends Error {
  /** What the SDK expects of the tool meanwhile. */
  readonly result: unknown;

  constructor(result: unknown) {
    super("the agent waits for a person's approval.");
    this.result = result;
  }
}

/** Runs an agent that is a tool, in a run of its own: `subagent_start`, the events of that run, `subagent_stop`. */
export async function runSubagent(
  hooked: HookedScopes,
  parent: Scope,
  { tool, callId, context, details, noteFailure }: SubagentCall,
  input: unknown,
  text: string,
): Promise<unknown> {
  const agentName = readAgentName(tool);
  const subagentName = agentName ?? tool.name;
  const task = isRecord(input) && typeof input.input === "string" ? input.input : text;
  let started = { taskDescription: task, text };
  // A run that continues after an approval has started already.
  if (details?.resumeState === undefined)
    started = await start(parent, { subagentName, subagentId: callId }, task, input, text);
  const delegation = { subagentName, subagentId: callId, taskDescription: started.taskDescription };
  const child = hooked.createChild(parent, { delegation });
  try {
    const result = await child.enter(() => tool.invoke(context, started.text, details));
    child.run.check();
    if (child.isPaused) throw new SubagentPause(result);
    // The SDK makes a result of an error of the agent's run.
    if (agentName !== undefined && !child.isFinished) {
      noteFailure(result);
      throw child.failure ?? new Error(String(result));
    }
    await endRun(child.run, { status: "completed" });
    return result;
  } catch (error) {
    if (error instanceof SubagentPause) throw error;
    await endRun(child.run, readFailure(child.run, toError(error)));
    throw error;
  }
}

async function start(
  { run }: Scope,
  names: { readonly subagentName: string; readonly subagentId: string },
  task: string,
  input: unknown,
  text: string,
): Promise<{ readonly taskDescription: string; readonly text: string }> {
  const start = await startSubagent(run, { ...names, taskDescription: task });
  if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
  const { taskDescription } = start.delegation;
  if (start.text === task) return { taskDescription, text };
  if (!isRecord(input) || typeof input.input !== "string") {
    const problem = `a hook changed the task of the agent tool "${names.subagentName}", whose input is not a text.`;
    throw new TenterhookError("unsupported_hook", problem, { event: "subagent_start" });
  }
  return { taskDescription, text: JSON.stringify({ ...input, input: start.text }) };
}

/** The name of the agent that a tool is; only tools of agents with hooks have it. */
const AGENT_NAME = Symbol.for("tenterhook.openai-agents.agent");

/** Stores which agent a tool is. */
export function nameAgentTool(tool: FunctionTool, agentName: string): void {
  Object.assign(tool, { [AGENT_NAME]: agentName });
}

/** The name of the agent that a tool is, if that agent has hooks itself. */
export function readAgentName(tool: object): string | undefined {
  return (tool as { readonly [AGENT_NAME]?: string })[AGENT_NAME];
}
