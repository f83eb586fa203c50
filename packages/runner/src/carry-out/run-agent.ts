import { type AgentOptions, createAgent, type Run } from "@tenterhook/agent";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";
import { messageOf } from "@tenterhook/protocol";
import { agentEvent } from "../events/agent-events.ts";
import { boundedText } from "../events/bounded.ts";
import { chosenModel } from "../machine/chosen-model.ts";
import { chosenServers, chosenTools } from "../machine/chosen-tools.ts";
import type { Machine } from "../machine/machine.ts";
import { RunHistory } from "../machine/run-history.ts";
import { sessionName } from "../machine/session-name.ts";
import { approverOf } from "./approver.ts";
import type { Ending } from "./ending.ts";
import { failedEnding } from "./failed-ending.ts";
import { messageText } from "./message-text.ts";
import type { Task } from "./task.ts";
import { attachToolCallHook } from "./tool-call-hook.ts";

/** Carries out a run of an autonomous agent, with the hooks of this machine. Rejects when the agent cannot be made. */
export async function runAgent(task: Task, machine: Machine, workDir: string): Promise<Ending> {
  const { run, signal } = task;
  const { session_id: sessionId, blueprint, withhold_text: withholdText } = run;
  const hooks = hooksOf(task, machine, workDir);
  const history = new RunHistory(machine.sessions, sessionName(sessionId));
  const agent = createAgent({
    ...(await optionsOf(task, machine)),
    hooks,
    workDir,
    // The session of a hook's run never comes again.
    ...(run.kind !== "hook" && { sessions: history }),
  });
  try {
    const stream = agent.stream<unknown>(messageText(run.parameters), {
      sessionId,
      signal,
      ...(blueprint.output_schema !== undefined && { as: blueprint.output_schema }),
    });
    for await (const event of stream) {
      const told = agentEvent(event, { withholdText });
      if (told !== undefined) task.tell(told);
    }
    const ended = await stream.finished;
    await agent.endSession(sessionId, ended.stopReason);
    await history.keep();
    return endingOf(ended, blueprint.output_schema !== undefined);
  } finally {
    // Hooks in the background may finish, but nobody waits for them who wants to know the result.
    await closed(hooks, signal);
  }
}
