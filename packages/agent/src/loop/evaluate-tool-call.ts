import type { ApprovalDecision } from "@tenterhook/engine";
import { isRecord, messageOf } from "@tenterhook/internal";
import { type Payload, TenterhookError } from "@tenterhook/protocol";
import type { ModelToolCall } from "../model/model.ts";
import type { RunContext } from "../run/run-context.ts";
import { firstRefusal } from "../run/tool-checks.ts";
import { jsonProblem } from "../tools/json-problem.ts";
import type { ToolCallContext } from "../tools/tool.ts";
import type { ResolvedTool, Toolbox } from "../tools/toolbox.ts";

/** The decision about a tool call before it runs. */
export type Evaluation =
  | {
      readonly type: "run";
      readonly tool: ResolvedTool;
      /** The call after the hooks. */
      readonly payload: Payload<"before_tool">;
      /** The input as the tool's schema parsed it. */
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
  /** The tool does not exist, or the input does not match its schema. */
  | { readonly type: "invalid"; readonly error: Error };

/**
 * Evaluates a tool call: its schema, permissions and guardrails, then hooks. An input that hooks changed is checked against the schema
 * and the permissions again. `onDispatch` is called before the hooks run.
 */
export async function evaluateToolCall(
  run: RunContext,
  toolbox: Toolbox,
  call: ModelToolCall,
  context: ToolCallContext,
  onDispatch: () => void,
): Promise<Evaluation> {
  const tool = toolbox.get(call.name);
  const problem = tool === undefined ? unknownTool(call, toolbox) : await inputProblem(call, tool);
  if (tool === undefined || problem !== undefined || !isRecord(call.input)) {
    return {
      type: "invalid",
      error: new TenterhookError("bad_tool_input", problem ?? "its input is not an object."),
    };
  }
  const { id: toolUseId, name: toolName, input: toolInput } = call;
  const { sessionId, runId } = run.identity;
  const { checks } = run.resources;
  const permit = ({ toolInput: current }: Payload<"before_tool">) =>
    firstRefusal(checks, { toolName, toolUseId, sessionId, runId, toolInput: current });
  const refusal = checks.length === 0 ? undefined : await permit({ toolName, toolInput });
  if (refusal !== undefined) return { type: "blocked", reason: refusal, isRejected: false };

  run.checkAborted();
  onDispatch();
  const before = await run.fire(
    "before_tool",
    { toolName, toolInput, toolUseId },
    {
      validate: async (changed) => {
        const problem = jsonProblem(changed.toolInput, "the changed input");
        if (problem !== undefined) return problem;
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
  const rejection = await askApprover(run, tool, payload, context);
  if (rejection !== undefined) return { type: "blocked", reason: rejection, isRejected: true };
  const checked = await tool.schema.check(payload.toolInput);
  if ("problem" in checked) {
    return { type: "invalid", error: new TenterhookError("bad_tool_input", checked.problem) };
  }
  return { type: "run", tool, payload, input: checked.value, context: before.context };
}

async function inputProblem(call: ModelToolCall, tool: ResolvedTool): Promise<string | undefined> {
  if (call.invalid !== undefined) return call.invalid;
  if (!isRecord(call.input)) return `the input of ${call.name} must be an object.`;
  const checked = await tool.schema.check(call.input);
  return "problem" in checked ? `the input of ${call.name} does not fit: ${checked.problem}` : undefined;
}

function unknownTool({ name }: ModelToolCall, { names }: Toolbox): string {
  return `there is no tool "${name}". ${names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`}`;
}

/** A tool of the AI SDK may require a person's approval; without an approver it does not run. Returns why it was rejected. */
async function askApprover(
  run: RunContext,
  tool: ResolvedTool,
  payload: Payload<"before_tool">,
  context: ToolCallContext,
): Promise<string | undefined> {
  if (!(await tool.needsApproval?.(payload.toolInput, context))) return undefined;
  const reason = `the tool "${payload.toolName}" demands a person's approval`;
  if (run.resources.approve === undefined) return `${reason}, and no approver is connected`;
  const request = {
    event: "before_tool",
    hook: "needsApproval",
    reason,
    payload,
    signal: run.signal,
  } as const;
  let decision: ApprovalDecision;
  try {
    decision = await run.resources.approve(request);
  } catch (error) {
    // Without an answer the call is not approved.
    return `${reason}, and the approver failed: ${messageOf(error)}`;
  }
  run.checkAborted();
  if (decision.type === "approve") return undefined;
  return decision.type === "reject"
    ? (decision.reason ?? `${reason}, and it was rejected`)
    : `${reason}, not an edit`;
}
