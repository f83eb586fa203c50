import type { ApprovalDecision, ApprovalRequest } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import type { Payload } from "@tenterhook/protocol";

/** The question to a person, in the format of LangChain's own `humanInTheLoopMiddleware`, which user interfaces know already. */
export function createQuestion({ reason, hook, payload, edits }: ApprovalRequest) {
  const { toolName, toolInput } = payload as Payload<"before_tool">;
  const description = `Hook "${hook}" asks for approval: ${reason}`;
  const allowedDecisions = edits === undefined ? ["approve", "reject"] : ["approve", "edit", "reject"];
  return {
    actionRequests: [{ name: toolName, args: toolInput, description }],
    reviewConfigs: [{ actionName: toolName, allowedDecisions }],
  };
}

/**
 * Reads the value that the run was resumed with: `{ decisions: [{ type: "approve" }] }` as for `humanInTheLoopMiddleware`, or the
 * decision alone. Everything else is a rejection, because nobody approved.
 */
export function readDecision(answer: unknown): ApprovalDecision {
  const { decisions } = isRecord(answer) ? answer : {};
  const decision: unknown = Array.isArray(decisions) ? decisions[0] : answer;
  if (isRecord(decision)) {
    const { type, message, editedAction } = decision;
    if (type === "approve") return { type };
    if (type === "reject") return typeof message === "string" ? { type, reason: message } : { type };
    if (type === "edit" && isRecord(editedAction) && isRecord(editedAction.args))
      return { type, value: editedAction.args };
  }
  return {
    type: "reject",
    reason: 'the run was resumed without a decision: { decisions: [{ type: "approve" }] } approves.',
  };
}
