import type { ApprovalDecision, Approver } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import type { Payload } from "@tenterhook/protocol";
import type { CanUseTool, PermissionContext, PermissionResult } from "./sdk-types.ts";
import type { ToolCalls } from "./tool-calls.ts";

/**
 * Asks the user's `canUseTool` when a hook returns `ask`. It is called in the middle of the dispatch, not by answering `ask` to
 * Claude Code: there a `PermissionRequest` hook of the settings may approve the call while the person still reads the question,
 * and hooks behind the one that asked would not be called.
 */
export function canUseToolApprover(
  canUseTool: CanUseTool,
  calls: ToolCalls,
  interrupt: (reason: string) => void,
): Approver {
  return async ({ payload, reason, signal }): Promise<ApprovalDecision> => {
    const { toolName, toolInput, toolUseId = "" } = payload as Payload<"before_tool">;
    const call = calls.get(toolUseId);
    // The person wrote this very input.
    if (call?.isDecided === true) return { type: "approve" };
    const context = {
      signal,
      toolUseID: toolUseId,
      // The SDK's own requests have an id each; this question is asked in the process.
      requestId: toolUseId,
      decisionReason: reason,
      ...(call?.agentId !== undefined && { agentID: call.agentId }),
    };
    const answer = await askPerson(canUseTool, toolName, toolInput, context);
    if (answer === null) return { type: "reject", reason: `${reason} (canUseTool gave no decision)` };
    if (answer.behavior === "deny") {
      if (answer.interrupt === true) interrupt(answer.message);
      return { type: "reject", reason: answer.message };
    }
    if (call !== undefined) call.isApproved = true;
    const { updatedInput } = answer;
    if (updatedInput === undefined || isSameInput(updatedInput, toolInput)) return { type: "approve" };
    return { type: "edit", value: updatedInput };
  };
}

/** Calls `canUseTool` with a copy of the input: it may be changed there. */
export function askPerson(
  canUseTool: CanUseTool,
  toolName: string,
  toolInput: unknown,
  context: PermissionContext,
): Promise<PermissionResult | null> {
  const input = isRecord(toolInput) ? structuredClone(toolInput) : {};
  // The SDK gives more fields than the adapter can; those are optional but for `requestId`.
  return canUseTool(toolName, input, context as never);
}

/** Whether two inputs are the same as JSON. */
export function isSameInput(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
