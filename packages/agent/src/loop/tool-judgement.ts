import type { ApprovalDecision } from "@tenterhook/engine";
import { messageOf, type Payload, TenterhookError } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import type { ModelToolCall } from "../model/model.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { ReadyTool, Toolbox } from "../tools/toolbox.ts";
import { jsonExcess } from "./bounded-answer.ts";
import type { RunScope } from "./run-scope.ts";
import { firstRefusal } from "./tool-checks.ts";

/** What was decided about a tool call before it runs. */
export type Judgement =
  | {
      readonly type: "run";
      readonly tool: ReadyTool;
      /** The call after the hooks. */
      readonly payload: Payload<"before_tool">;
      /** Its input as the tool's schema reads it. */
      readonly input: unknown;
      readonly context: readonly string[];
    }
  | {
      readonly type: "skip";
      readonly result: unknown;
      readonly payload: Payload<"before_tool">;
      readonly context: readonly string[];
    }
  | { readonly type: "blocked"; readonly reason: string; readonly isRejected: boolean }
  /** It could not be judged, because there is no such tool or its input does not fit. */
  | { readonly type: "invalid"; readonly error: Error };

/**
 * Judges a tool call: can it be read, do permissions and guardrails allow it, and what do hooks say? What hooks change is
 * checked against the tool's schema and the permissions again. `asking` is called when hooks are about to be asked.
 */
export async function judgeTool(
  run: RunScope,
  toolbox: Toolbox,
  call: ModelToolCall,
  context: ToolCallContext,
  asking: () => void,
): Promise<Judgement> {
  const tool = toolbox.get(call.name);
  const problem = tool === undefined ? unknownTool(call, toolbox) : await problemWith(call, tool);
  if (tool === undefined || problem !== undefined || !isRecord(call.input)) {
    return {
      type: "invalid",
      error: new TenterhookError("bad_tool_input", problem ?? "its input is no object."),
    };
  }
  const { id: toolUseId, name: toolName, input: toolInput } = call;
  const { sessionId, runId } = run.identity;
  const { checks } = run.shares;
  const permit = (now: Payload<"before_tool">) =>
    firstRefusal(checks, { toolName, toolUseId, sessionId, runId, toolInput: now.toolInput });
  const refused = checks.length === 0 ? undefined : await permit({ toolName, toolInput });
  if (refused !== undefined) return { type: "blocked", reason: refused, isRejected: false };

  run.checkAborted();
  asking();
  const before = await run.ask(
    "before_tool",
    { toolName, toolInput, toolUseId },
    {
      validate: async (changed) => {
        const excess = jsonExcess(changed.toolInput, "the changed input");
        if (excess !== undefined) return excess;
        const checked = await tool.schema.check(changed.toolInput);
        return "problem" in checked ? checked.problem : undefined;
      },
      ...(checks.length > 0 && { permit }),
    },
  );
  const { payload, reason = "no reason given" } = before;
  if (before.action === "refuse") {
    const isRejected = before.trace.entries.some(({ approval }) => approval === "reject");
    return { type: "blocked", reason, isRejected };
  }
  if (before.action === "skip")
    return { type: "skip", result: before.result, payload, context: before.context };
  const rejection = await rejected(run, tool, payload, context);
  if (rejection !== undefined) return { type: "blocked", reason: rejection, isRejected: true };
  const checked = await tool.schema.check(payload.toolInput);
  if ("problem" in checked) {
    return { type: "invalid", error: new TenterhookError("bad_tool_input", checked.problem) };
  }
  return { type: "run", tool, payload, input: checked.value, context: before.context };
}

async function problemWith(call: ModelToolCall, tool: ReadyTool): Promise<string | undefined> {
  if (call.invalid !== undefined) return call.invalid;
  if (!isRecord(call.input)) return `the input of ${call.name} must be an object.`;
  const checked = await tool.schema.check(call.input);
  return "problem" in checked ? `the input of ${call.name} does not fit: ${checked.problem}` : undefined;
}

function unknownTool({ name }: ModelToolCall, { names }: Toolbox): string {
  return `there is no tool "${name}". ${names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`}`;
}

/** A tool of the AI SDK may itself demand a person's approval; without an approver it is not run. */
async function rejected(
  run: RunScope,
  tool: ReadyTool,
  payload: Payload<"before_tool">,
  context: ToolCallContext,
): Promise<string | undefined> {
  if (!(await tool.needsApproval?.(payload.toolInput, context))) return undefined;
  const reason = `the tool "${payload.toolName}" demands a person's approval`;
  if (run.shares.approve === undefined) return `${reason}, and no approver is connected`;
  const request = {
    event: "before_tool",
    hook: "needsApproval",
    reason,
    payload,
    signal: run.signal,
  } as const;
  let decision: ApprovalDecision;
  try {
    decision = await run.shares.approve(request);
  } catch (error) {
    // Whoever could not be asked has not approved.
    return `${reason}, and the approver failed: ${messageOf(error)}`;
  }
  run.checkAborted();
  if (decision.type === "approve") return undefined;
  return decision.type === "reject"
    ? (decision.reason ?? `${reason}, and it was rejected`)
    : `${reason}, not an edit`;
}
