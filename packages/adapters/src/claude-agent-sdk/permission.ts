import { isRecord } from "@tenterhook/internal";
import { askPerson, isSameInput } from "./approval.ts";
import type { CanUseTool, PermissionContext, PermissionResult } from "./sdk-types.ts";
import type { ClaudeSession } from "./session.ts";
import { beforeExecution } from "./tool-callbacks.ts";
import { toText } from "./tool-output.ts";

/**
 * The user's `canUseTool` with hooks: `permission_request` before it, and once more the hooks of the call if the person gives it
 * another input, because they have checked the one before. A rejection refuses the call.
 */
export function hookedCanUseTool(session: ClaudeSession, canUseTool: CanUseTool): CanUseTool {
  return async (toolName, input, options) => {
    // The SDK gives these fields and others, which the user's function gets too.
    const context = options as PermissionContext;
    try {
      const refusal = await requestPermission(session, toolName, input, context);
      if (refusal !== undefined) return refusal;
      const answer = await askPerson(canUseTool, toolName, input, context);
      if (answer?.behavior !== "allow") return answer;
      const { updatedInput = input } = answer;
      return isSameInput(updatedInput, input)
        ? answer
        : await checkEdit(session, toolName, updatedInput, context, answer);
    } catch (error) {
      const { stopped } = session;
      if (stopped === undefined) throw error;
      return { behavior: "deny", message: stopped.message, interrupt: true };
    }
  };
}

async function requestPermission(
  session: ClaudeSession,
  toolName: string,
  toolInput: Record<string, unknown>,
  { toolUseID: toolUseId, agentID }: PermissionContext,
): Promise<PermissionResult | undefined> {
  const run = findAgentRun(session, agentID);
  const request = await run.fire("permission_request", { toolName, toolInput, toolUseId });
  if (request.action !== "refuse") return undefined;
  return { behavior: "deny", message: request.reason ?? "a hook refused the request" };
}

async function checkEdit(
  session: ClaudeSession,
  toolName: string,
  toolInput: Record<string, unknown>,
  { toolUseID: toolUseId, agentID: agentId }: PermissionContext,
  answer: PermissionResult & { behavior: "allow" },
): Promise<PermissionResult> {
  const run = findAgentRun(session, agentId);
  const before = beforeExecution(session, run, toolName);
  const call = session.calls.open(run, { toolName, toolInput, toolUseId, agentId }, before, true);
  const start = await call.start();
  if (start.type === "run")
    return isRecord(start.input) ? { ...answer, updatedInput: { ...start.input } } : answer;
  session.calls.take(toolUseId);
  const { end } = start;
  if (end.type === "stopped") return { behavior: "deny", message: end.reason, interrupt: true };
  const message = end.type === "refused" ? end.reason : toText(end.type === "failed" ? end.shown : end.value);
  return { behavior: "deny", message };
}

function findAgentRun(session: ClaudeSession, agentId: string | undefined) {
  return session.findRun({
    hook_event_name: "PermissionRequest",
    session_id: session.run.sessionId,
    cwd: "",
    ...(agentId !== undefined && { agent_id: agentId }),
  });
}
