import { messageOf } from "@tenterhook/internal";
import type { Payload } from "@tenterhook/protocol";

/** A tool call as permissions and guardrails see it. */
export type CheckedCall = Pick<
  Payload<"before_tool">,
  "toolName" | "toolInput" | "toolUseId" | "sessionId" | "runId"
>;

/** Checks a tool call before hooks run: returns why it is refused, or nothing. An error refuses the call too. */
export type ToolCheck = (call: CheckedCall) => string | undefined | Promise<string | undefined>;

/** The first refusal, if there is one. */
export async function firstRefusal(
  checks: readonly ToolCheck[],
  call: CheckedCall,
): Promise<string | undefined> {
  for (const check of checks) {
    try {
      const refused = await check(call);
      if (refused !== undefined) return refused;
    } catch (error) {
      // A check that could not run has not permitted anything.
      return `A permission check failed: ${messageOf(error)}`;
    }
  }
  return undefined;
}
