import type { ApprovalDecision } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import type { ToolCall } from "../core/index.ts";
import type { Part, PromptMessage } from "./sdk-types.ts";

/** A call that a person was asked about, and the decision. */
export interface AnsweredCall {
  readonly call: ToolCall;
  readonly decision: ApprovalDecision;
}

const NONE: ReadonlyMap<string, AnsweredCall> = new Map();

/**
 * The calls that a resumed conversation has decisions for, by the id of the call. As the SDK does, only the last message is read: it
 * contains the responses.
 */
export function findAnsweredCalls(
  messages: readonly PromptMessage[] | undefined,
): ReadonlyMap<string, AnsweredCall> {
  const last = messages?.at(-1);
  if (messages === undefined || last?.role !== "tool" || typeof last.content === "string") return NONE;
  const responses = last.content.filter(({ type }) => type === "tool-approval-response");
  if (responses.length === 0) return NONE;
  const answered = new Map<string, AnsweredCall>();
  const parts = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content : [],
  );
  for (const { approvalId, approved, reason } of responses) {
    const request = parts.find(
      (part) => part.type === "tool-approval-request" && part.approvalId === approvalId,
    );
    const call = parts.find((part) => part.type === "tool-call" && part.toolCallId === request?.toolCallId);
    if (call === undefined) continue;
    const text = typeof reason === "string" ? { reason } : {};
    const decision: ApprovalDecision = approved === true ? { type: "approve" } : { type: "reject", ...text };
    answered.set(String(call.toolCallId), { call: readCall(call), decision });
  }
  return answered;
}

function readCall({ toolName, toolCallId, input }: Part): ToolCall {
  return {
    toolName: String(toolName),
    toolUseId: String(toolCallId),
    toolInput: isRecord(input) ? input : {},
  };
}
