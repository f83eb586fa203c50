import { type AgentOptions, createAgent, type Run } from "@tenterhook/agent";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";
import { messageOf } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import { agentEvent } from "../events/agent-events.ts";
import { boundedText } from "../events/bounded.ts";
import { chosenModel } from "../machine/chosen-model.ts";
import { chosenServers, chosenTools } from "../machine/chosen-tools.ts";
import type { Machine } from "../machine/machine.ts";
import { approverOf } from "./approver.ts";
import { type Ending, type Finished, failedEnding } from "./ending.ts";
import { messageText } from "./message-text.ts";
import { RunHistory } from "./run-history.ts";
import type { Task } from "./task.ts";
import { attachToolCallHook } from "./tool-call-hook.ts";

/** Carries out a run of an autonomous agent, with the hooks of this machine. Rejects when the agent cannot be made. */
export async function runAgent(task: Task, machine: Machine, workDir: string): Promise<Finished> {
  const { run, signal } = task;
  const { session_id: sessionId, withhold_text: withholdText } = run;
  const { output_schema: outputSchema } = run.blueprint;
  const hooks = hooksOf(task, machine, workDir);
  const history = new RunHistory(task);
  // The session of a run that carries out a hook never comes again.
  const sessions = run.kind === "hook" ? undefined : history;
  const agent = createAgent({ ...(await optionsOf(task, machine)), hooks, workDir, sessions });
  const stream = agent.stream<unknown>(messageText(run.parameters), { sessionId, signal, as: outputSchema });
  for await (const event of stream) {
    const told = agentEvent(event, { withholdText });
    if (told !== undefined) task.tell(told);
  }
  const ended = await stream.finished;
  await agent.endSession(sessionId, ended.stopReason);
  // A run that did its work has not failed because the next one will not remember it; but it is told.
  if (task.isOurs())
    await history.keep().catch((error) => say(task, `the conversation was not kept: ${messageOf(error)}`));
  return { ending: endingOf(ended, outputSchema !== undefined), rest: closed(hooks, signal) };
}

/** The machine's hooks in files, and behind them the coordinator's. */
function hooksOf(task: Task, { env }: Machine, workDir: string): Hooks {
  const hooks = createHooks({ report: ({ message }) => say(task, message, "hooks") });
  new FileHooks({ cwd: workDir, env, log: (text) => say(task, text, "hooks") }).attach(hooks);
  if (task.run.has_tool_hook) attachToolCallHook(hooks, task);
  return hooks;
}

function say(task: Task, text: string, source = "runner"): void {
  task.tell({ type: "log", data: { source, text: boundedText(text) } });
}

async function optionsOf(task: Task, machine: Machine): Promise<AgentOptions> {
  const { agent_name: name, blueprint } = task.run;
  const { description, system_prompt: instructions, model, tools, mcp_servers } = blueprint;
  return {
    name,
    description,
    instructions,
    ...(await chosenModel(model, machine)),
    tools: chosenTools(tools, machine),
    mcpServers: chosenServers(mcp_servers, machine),
    approve: approverOf(task),
    args: { ui: "runner" },
  };
}

function endingOf(run: Run<unknown>, hasShape: boolean): Ending {
  switch (run.status) {
    case "failed":
      return failedEnding(run.error ?? new Error(run.reason), "agent_failed");
    case "stopped":
      return { type: "stopped", reason: run.reason ?? run.stopReason };
    case "completed":
      if (!hasShape) return { type: "completed", resultText: run.text, resultData: null };
      if (isRecord(run.output)) return { type: "completed", resultText: null, resultData: run.output };
      return { type: "failed", error: "the result must be a JSON object", errorCode: "bad_output" };
  }
}

/** Hooks in the background may finish what they do, unless the run was told to end. */
async function closed(hooks: Hooks, signal: AbortSignal): Promise<void> {
  await hooks.close(signal.aborted ? { timeoutMs: 0 } : {});
}
