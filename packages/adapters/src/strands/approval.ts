import { createHash } from "node:crypto";
import type * as sdk from "@strands-agents/sdk";
import type { ApprovalDecision, ApprovalRequest } from "@tenterhook/engine";
import { isRecord } from "@tenterhook/internal";
import { decideApproval, type ToolCall } from "../core/index.ts";
import type { Invocation } from "./invocation.ts";

/**
 * Calls the hooks of a tool call, and asks a person through Strands' interrupt if one of them wants that: then it throws, and the run
 * pauses. When the agent is called with the answer, hooks are called again, and the answer is the decision.
 */
export async function askPerson(
  { run, toolEvents }: Invocation,
  call: ToolCall,
  context: sdk.ExecuteToolContext,
): Promise<void> {
  let pause: unknown;
  // Registers a question at once, so that all questions of a step are asked together; the middleware's own form loses some.
  const point = toolEvents.get(call.toolUseId);
  const ask = (request: ApprovalRequest): ApprovalDecision | undefined => {
    const question = createQuestion(request, call);
    try {
      return readDecision(
        point === undefined ? context.interrupt(question).response : point.interrupt(question),
      );
    } catch (error) {
      if (!isInterrupt(error)) throw error;
      pause = error;
      return undefined;
    }
  };
  try {
    const { type } = await decideApproval(run, call, { ask });
    if (type === "needs_approval") throw pause;
  } catch (error) {
    if (error === pause) throw error;
    // A stop is stored in the run, where `callTool` finds it.
  }
}

/**
 * The interrupt for a question. Its name contains a digest of the input, because Strands gives the same answer to the same name, and
 * a person who approved one input did not approve another.
 */
function createQuestion({ hook, reason, payload }: ApprovalRequest, { toolName }: ToolCall) {
  const { toolInput } = payload as { readonly toolInput: sdk.JSONValue };
  const digest = createHash("sha256")
    .update(JSON.stringify([toolName, toolInput]))
    .digest("hex");
  return { name: `${hook} (${digest.slice(0, 12)})`, reason: { reason, hook, toolName, toolInput } };
}

const YES = /^(y|yes|approved?)$/i;

/** Reads the answer of a person to the interrupt. What is not an approval is a rejection. */
export function readDecision(response: unknown): ApprovalDecision {
  if (response === true || (typeof response === "string" && YES.test(response.trim())))
    return { type: "approve" };
  if (!isRecord(response)) return { type: "reject" };
  const { type, approved, reason, value } = response;
  if (type === "edit" && isRecord(value)) return { type: "edit", value };
  if (type === "approve" || approved === true) return { type: "approve" };
  return typeof reason === "string" ? { type: "reject", reason } : { type: "reject" };
}

/** Whether Strands pauses the run by this error: a tool, or a hook of another plugin, asks a person. */
export function isInterrupt(error: unknown): boolean {
  return error instanceof Error && error.name === "InterruptError";
}
