import { afterStep, type HostRun, startSubagent, type ToolEnd } from "@tenterhook/engine/host";
import { isRecord, messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import {
  addedContext,
  deny,
  denyAndStop,
  isIgnored,
  replaceOutput,
  stopAgent,
  toText,
  withhold,
} from "./answers.ts";
import type {
  CanUseTool,
  HookAnswer,
  HookInput,
  HookMatcher,
  PermissionContext,
  PermissionResult,
  PreToolUseOutput,
  UserCallback,
} from "./sdk-types.ts";
import type { ClaudeSession } from "./session.ts";
import { askPerson, type ClaudeCall, isSameInput } from "./tool-calls.ts";
import { callUserCallbacks, type UserAnswer } from "./user-callbacks.ts";

/** `PreToolUse`: decides whether the tool runs, and with which input. */
export async function beforeTool(
  session: ClaudeSession,
  input: HookInput,
  signal: AbortSignal,
  matchers: readonly HookMatcher<UserCallback>[],
): Promise<HookAnswer> {
  const { tool_name: toolName = "", tool_use_id: toolUseId = "", agent_id: agentId } = input;
  const user = await callUserCallbacks(matchers, input, toolUseId, signal, session.warn);
  if (user.stop !== undefined) return denyAndStop(user.stop);
  if (user.decision === "deny") return deny(user.reason ?? "a callback refused the call", user.context);
  const toolInput = user.updatedInput ?? input.tool_input;
  const run = session.findRun(input);
  if (!run.steps.isOpen) run.steps.begin();
  const handOver = handOverTo(session, run, toolName);
  const call = session.calls.open(run, { toolName, toolInput, toolUseId, agentId }, handOver);
  const start = await call.start();
  if (start.type === "run") return letRun(start.input, input.tool_input, call, user);
  session.calls.take(toolUseId);
  return refuseCall(start.end, user.context);
}

/** What happens before a tool runs: a tool that starts a subagent asks the hooks of `subagent_start`. */
function handOverTo(session: ClaudeSession, run: HostRun, toolName: string) {
  const startsSubagent = toolName === "Agent" || toolName === "Task";
  return (input: unknown) => (startsSubagent && isRecord(input) ? delegate(session, run, input) : input);
}

async function delegate(session: ClaudeSession, run: HostRun, input: Record<string, unknown>) {
  const { prompt, subagent_type: type } = input;
  const subagentName = typeof type === "string" ? type : "general-purpose";
  const task = typeof prompt === "string" ? prompt : "";
  const subagent = { subagentName, subagentType: subagentName };
  const start = await startSubagent(run, { ...subagent, taskDescription: task });
  if (start.type === "refused") throw new TenterhookError("tool_blocked", start.reason);
  const { taskDescription } = start.delegation;
  session.delegations.push({ subagentName, taskDescription });
  return start.text === task ? input : { ...input, prompt: start.text };
}

function letRun(input: unknown, original: unknown, call: ClaudeCall, user: UserAnswer): HookAnswer {
  const output: PreToolUseOutput = { hookEventName: "PreToolUse", ...addedContext(user.context) };
  if (isRecord(input) && !isSameInput(input, original)) output.updatedInput = { ...input };
  // The person was asked by a hook: the same function would ask again.
  const decision = call.isApproved ? "allow" : user.decision;
  if (decision !== undefined) output.permissionDecision = decision;
  if (decision === "ask" && user.reason !== undefined) output.permissionDecisionReason = user.reason;
  return { hookSpecificOutput: output };
}

function refuseCall(end: ToolEnd, userContext: readonly string[]): HookAnswer {
  const context = [...userContext, ...end.context];
  switch (end.type) {
    case "refused":
      return deny(end.reason, context);
    case "failed":
      return deny(toText(end.shown), context);
    case "stopped":
      return denyAndStop(end.reason);
    case "result":
      // There is no other way to give a result without running the tool.
      return deny(`The tool was not run; this is its result: ${toText(end.value)}`, context);
  }
}

/**
 * The user's `canUseTool` with hooks: `permission_request` before it, and once more the hooks of the call if the person gives it
 * another input, because they have checked the one before. A rejection refuses the call.
 */
export function hookCanUseTool(session: ClaudeSession, canUseTool: CanUseTool): CanUseTool {
  return async (toolName, input, options) => {
    // The SDK gives these fields and others, which the user's function gets too.
    const context = options as PermissionContext;
    const { toolUseID: toolUseId, agentID: agentId } = context;
    try {
      const run = session.findRun({ agent_id: agentId });
      const request = await run.fire("permission_request", { toolName, toolInput: input, toolUseId });
      if (request.action === "refuse")
        return { behavior: "deny", message: request.reason ?? "a hook refused the request" };
      const answer = await askPerson(canUseTool, toolName, input, context);
      if (answer?.behavior !== "allow") return answer;
      const { updatedInput: toolInput = input } = answer;
      if (isSameInput(toolInput, input)) return answer;
      const handOver = handOverTo(session, run, toolName);
      const call = session.calls.open(run, { toolName, toolInput, toolUseId, agentId }, handOver, true);
      const start = await call.start();
      if (start.type === "run")
        return isRecord(start.input) ? { ...answer, updatedInput: { ...start.input } } : answer;
      session.calls.take(toolUseId);
      return refuseEdit(start.end);
    } catch (error) {
      const { stopped } = session;
      if (stopped === undefined) throw error;
      return { behavior: "deny", message: stopped.message, interrupt: true };
    }
  };
}

function refuseEdit(end: ToolEnd): PermissionResult {
  if (end.type === "stopped") return { behavior: "deny", message: end.reason, interrupt: true };
  const message = end.type === "refused" ? end.reason : toText(end.type === "failed" ? end.shown : end.value);
  return { behavior: "deny", message };
}

/** `PostToolUse`: replaces or withholds the result. */
export async function afterTool(
  session: ClaudeSession,
  input: HookInput,
  signal: AbortSignal,
  matchers: readonly HookMatcher<UserCallback>[],
): Promise<HookAnswer> {
  const { tool_use_id: toolUseId = "", tool_response: original } = input;
  const user = await callUserCallbacks(matchers, input, toolUseId, signal, session.warn);
  const call = session.calls.take(toolUseId);
  if (call === undefined) return withhold(original, "hooks have not seen this call before it ran");
  const agentId = isRecord(original) ? original.agentId : undefined;
  const failure = typeof agentId === "string" ? session.failedSubagents.get(agentId) : undefined;
  const result = user.output === undefined ? original : user.output.value;
  const end = await call.settle(failure === undefined ? { value: result } : { error: failure });
  const answer = answerResult(end, original, user);
  const { hookSpecificOutput: output } = answer;
  const replacement = output?.hookEventName === "PostToolUse" ? output.updatedToolOutput : undefined;
  if (replacement !== undefined) session.calls.replaced.set(toolUseId, { original, replacement });
  return answer;
}

function answerResult(end: ToolEnd, original: unknown, user: UserAnswer): HookAnswer {
  const added = [...user.context, ...end.context];
  // A callback that blocks here only adds its reason, as in Claude Code.
  const context = user.decision === "deny" && user.reason !== undefined ? [...added, user.reason] : added;
  const stopped = user.stop === undefined ? {} : stopAgent(user.stop);
  switch (end.type) {
    case "refused":
      return { ...withhold(original, end.reason, context), ...stopped };
    case "failed":
      return { ...withhold(original, toText(end.shown), context), ...stopped };
    case "stopped":
      return { ...withhold(original, end.reason), ...stopAgent(end.reason) };
    case "result":
      return { ...replaceOutput(end.value, original, context), ...stopped };
  }
}

/** `PostToolUseFailure`: only context can be added, and a stop waits for the end of the batch. */
export async function afterToolFailure(session: ClaudeSession, input: HookInput): Promise<HookAnswer> {
  const { tool_use_id: toolUseId = "", error = "the tool failed" } = input;
  const call = session.calls.take(toolUseId);
  if (call === undefined) return {};
  const end = await call.settle({ error: new Error(error) });
  const context = [...end.context, ...describeChange(end, error)];
  return { hookSpecificOutput: { hookEventName: "PostToolUseFailure", ...addedContext(context) } };
}

function describeChange(end: ToolEnd, error: string): readonly string[] {
  if (end.type === "result")
    return [`The failure was handled; use this result instead: ${toText(end.value ?? "none")}`];
  if (end.type === "failed" && end.shown !== error) return [toText(end.shown)];
  return end.type === "refused" ? [end.reason] : [];
}

/** `PostToolBatch`: ends the step. It is the last moment before the model reads the results. */
export async function closeBatch(session: ClaudeSession, input: HookInput): Promise<HookAnswer> {
  const { tool_calls: calls = [] } = input;
  for (const { tool_use_id: id, tool_response: rendered, tool_name: name } of calls) {
    // Claude Code, a rule or a person refused it: neither of the other callbacks was called.
    await session.calls.refuse(id, toText(rendered));
    const replaced = session.calls.replaced.get(id);
    session.calls.replaced.delete(id);
    if (replaced !== undefined && isIgnored(replaced.original, replaced.replacement, rendered))
      session.stop(`the result of ${name} had to be replaced, and Claude Code ignored that`);
  }
  const run = session.findRun(input);
  if (session.stopped === undefined) {
    const toolUses = calls.map(({ tool_use_id: id, tool_name: name, tool_input: toolInput }) => ({
      id,
      name,
      input: isRecord(toolInput) ? toolInput : {},
    }));
    run.steps.recordAnswer("", toolUses);
    try {
      await afterStep(run, []);
    } catch (error) {
      if (session.stopped !== undefined) throw error;
      // A hook of `after_step` has failed, which fails the turn.
      session.turn.error = error as Error;
      return stopAgent(messageOf(error));
    }
  }
  return session.stopped === undefined ? {} : stopAgent(session.stopped.message);
}
