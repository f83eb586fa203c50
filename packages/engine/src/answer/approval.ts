import { isRecord, readable } from "@tenterhook/internal";
import { type EventName, type Immutable, type Payload, TenterhookError } from "@tenterhook/protocol";
import type { NotBy } from "@tenterhook/protocol/internal";
import { textOf } from "./failure.ts";
import { acceptedValue } from "./snapshot.ts";

/** What an approver is asked to decide. */
export interface ApprovalRequest {
  readonly event: EventName;
  /** The hook that asked, and why. */
  readonly hook: string;
  readonly reason: string;
  /** Who may not decide. Only an approver that enforces it is asked with it. */
  readonly notBy?: NotBy;
  readonly payload: Immutable<Payload<EventName>>;
  /** The field an edit replaces; absent while a changed value is judged again, where there is only yes or no. */
  readonly edits?: string;
  readonly signal: AbortSignal;
}

/** What a person, or a program for them, decided about an outcome `ask`. */
export type ApprovalDecision =
  | { readonly type: "approve" }
  | { readonly type: "reject"; readonly reason?: string }
  | { readonly type: "edit"; readonly value: Readonly<Record<string, unknown>> };

/** Decides for a person. It may take as long as the person does; when it throws, the action is blocked. */
export interface Approver {
  (request: ApprovalRequest): ApprovalDecision | Promise<ApprovalDecision>;
  /**
   * It knows who decides, and lets nobody decide whom `notBy` excludes. Without this, a request with `notBy` does not reach the
   * approver, and the action is blocked.
   */
  readonly enforcesNotBy?: boolean;
}

/** Added to the reason of a question that was refused because its `notBy` cannot be enforced. */
const NOT_ENFORCED =
  "a person other than the requester must decide, and nothing here can check who decides; the approvals of a coordinator can";

/** Calls the approver. It never throws: an error becomes a rejection with that error. */
export async function requestApproval(
  approve: Approver,
  request: ApprovalRequest,
): Promise<ApprovalDecision & { readonly error?: TenterhookError }> {
  const failed = (why: string, cause?: unknown) => {
    const error = new TenterhookError("approver_failed", `the approver ${why}.`, {
      hook: request.hook,
      event: request.event,
      hint: "The action was blocked.",
      cause: readable(cause),
    });
    return { type: "reject", reason: error.message, error } as const;
  };
  if (request.notBy !== undefined && approve.enforcesNotBy !== true) {
    const { error } = failed(`was not asked: ${NOT_ENFORCED}`);
    return { type: "reject", reason: `${request.reason} (${NOT_ENFORCED})`, error };
  }
  try {
    const decision: unknown = await approve(request);
    // Each field is read once: what is decided on is what was checked.
    const { type, reason, value } = (decision ?? {}) as Record<string, unknown>;
    switch (type) {
      case "approve":
        return { type };
      case "reject":
        if (reason === undefined || reason === null) return { type };
        return typeof reason === "string"
          ? { type, reason }
          : failed("rejected with a reason that is not text");
      case "edit":
        if (request.edits === undefined)
          return failed("edited a value that could only be approved or rejected");
        if (!isRecord(value)) return failed("edited without a value");
        return { type, value: acceptedValue(value) };
      default:
        return failed("gave no decision (approve, reject or edit)");
    }
  } catch (error) {
    return failed(`failed: ${textOf(error)}`, error);
  }
}
