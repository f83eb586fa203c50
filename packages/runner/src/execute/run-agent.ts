import {
  type AgentOptions,
  createAgent,
  foldTranscript,
  type RunResult,
  type SessionStore,
  type TranscriptEntry,
} from "@tenterhook/agent";
import { type Approver, block, createHooks, type Hooks, proceed } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";
import { isRecord, LONGEST_TIMER_MS, messageOf } from "@tenterhook/internal";
import { agentEvent } from "../events/agent-events.ts";
import { boundedText } from "../events/bounded.ts";
import { HookTallies } from "../events/hook-tallies.ts";
import { chosenModel } from "../machine/chosen-model.ts";
import { chosenServers, chosenTools } from "../machine/chosen-tools.ts";
import type { Machine } from "../machine/machine.ts";
import { runVariable } from "./current-run.ts";
import { type Ending, type Finished, failedEnding } from "./ending.ts";
import { messageText } from "./message-text.ts";
import type { Task } from "./task.ts";

/** Executes a run of an autonomous agent, with the hooks of this machine. Rejects when the agent cannot be created. */
export async function runAgent(task: Task, machine: Machine, workDir: string): Promise<Finished> {
  const { run, signal } = task;
  const { session_id: sessionId, withhold_text: withholdText } = run;
  const { output_schema: outputSchema } = run.blueprint;
  const hooks = createHooksFor(task, machine, workDir);
  const tallies = new HookTallies(task.report);
  hooks.onTrace(tallies.count);
  const history = new RunHistory(task);
  // The session of a run that executes a hook is never resumed.
  const sessions = run.kind === "hook" ? undefined : history;
  const approve = approverOf(task, tallies);
  const agent = createAgent({ ...(await readOptions(task, machine)), approve, hooks, workDir, sessions });
  const stream = agent.stream<unknown>(messageText(run.parameters), { sessionId, signal, as: outputSchema });
  for await (const event of stream) {
    const reported = agentEvent(event, { withholdText });
    if (reported !== undefined) task.report(reported);
  }
  const ended = await stream.finished;
  await agent.endSession(sessionId, ended.stopReason);
  tallies.flush();
  // A run that did its work has not failed because its conversation was not stored; but it is logged.
  if (task.isOurs())
    await history.keep().catch((error) => log(task, `the conversation was not kept: ${messageOf(error)}`));
  return { ending: readEnding(ended, outputSchema !== undefined), background: closed(hooks, signal) };
}

/** The machine's file hooks, and after them the coordinator's hook. */
function createHooksFor(task: Task, { env }: Machine, workDir: string): Hooks {
  const hooks = createHooks({ report: ({ message }) => log(task, message, "hooks") });
  new FileHooks({
    cwd: workDir,
    env: { ...env, ...runVariable(task.run) },
    log: (text) => log(task, text, "hooks"),
  }).attach(hooks);
  if (task.run.has_tool_hook) attachToolCallHook(hooks, task);
  return hooks;
}

function log(task: Task, text: string, source = "runner"): void {
  task.report({ type: "log", data: { source, text: boundedText(text) } });
}

async function readOptions(task: Task, machine: Machine): Promise<AgentOptions> {
  const { agent_name: name, blueprint } = task.run;
  const { description, system_prompt: instructions, model, tools, mcp_servers } = blueprint;
  const variable = runVariable(task.run);
  return {
    name,
    description,
    instructions,
    ...(await chosenModel(model, machine)),
    tools: chosenTools(tools, machine, variable),
    mcpServers: chosenServers(mcp_servers, machine, variable),
    args: { ui: "runner" },
  };
}

function readEnding(run: RunResult<unknown>, hasShape: boolean): Ending {
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

/** Background hooks may finish, unless the run was stopped. */
async function closed(hooks: Hooks, signal: AbortSignal): Promise<void> {
  await hooks.close(signal.aborted ? { timeoutMs: 0 } : {});
}

/** Lets a person decide at the coordinator when a hook on this machine answers `ask`. It ends with the run. */
function approverOf({ askPerson }: Task, tallies: HookTallies): Approver {
  const approve: Approver = (request) => {
    const { event, hook, reason, notBy, payload, edits, signal } = request;
    tallies.question(request);
    // Only tool calls are asked about; of another event only the name would be reported.
    const { toolName, toolInput, toolUseId } = payload as {
      readonly toolName?: string;
      readonly toolInput?: Readonly<Record<string, unknown>>;
      readonly toolUseId?: string;
    };
    const subject = {
      event,
      ...(toolName !== undefined && { tool_name: toolName }),
      ...(toolInput !== undefined && { tool_input: toolInput }),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
      is_editable: edits !== undefined,
    };
    return askPerson({ hook, reason, ...(notBy !== undefined && { not_by: notBy }), subject }, signal);
  };
  // The coordinator knows who started the run and who decides.
  return Object.assign(approve, { enforcesNotBy: true });
}

/** The conversation of a session during one run: read from the coordinator; what the run adds is stored when the run has ended. */
class RunHistory implements SessionStore {
  readonly #task: Task;
  #added: TranscriptEntry[] = [];

  constructor(task: Task) {
    this.#task = task;
  }

  async load(): ReturnType<SessionStore["load"]> {
    // The coordinator stores the entries without reading them.
    const entries = (await this.#task.readConversation()) as unknown as readonly TranscriptEntry[];
    return entries.length === 0 ? undefined : foldTranscript(entries);
  }

  async append(_sessionId: string, entries: readonly TranscriptEntry[]): Promise<void> {
    this.#added.push(...entries);
  }

  async delete(): Promise<void> {
    this.#added = [];
  }

  /** Stores what was added, for the next run of the session. */
  async keep(): Promise<void> {
    const entries = this.#added;
    this.#added = [];
    if (entries.length > 0)
      await this.#task.keepConversation(entries as unknown as Parameters<Task["keepConversation"]>[0]);
  }
}

/**
 * Asks the coordinator before every tool call. Last of all hooks, because it must check the input that is really used. Without an
 * answer the call is blocked.
 */
function attachToolCallHook(hooks: Hooks, { askAboutTool }: Task): void {
  hooks.on(
    "before_tool",
    async ({ toolName, toolInput, toolUseId, signal }) => {
      const question = { tool_use_id: toolUseId ?? "", tool_name: toolName, tool_input: toolInput };
      try {
        const verdict = await askAboutTool(question, signal);
        if (verdict.action === "block") return block(verdict.block_reason);
        return verdict.tool_input === undefined ? undefined : proceed({ toolInput: verdict.tool_input });
      } catch (error) {
        return block(`the coordinator did not allow it: ${messageOf(error)}`);
      }
    },
    {
      name: "on_tool_call",
      priority: Number.MIN_SAFE_INTEGER,
      // The coordinator limits how long its hook may take; here only the end of the run does.
      timeoutMs: LONGEST_TIMER_MS,
      source: "coordinator",
    },
  );
}
