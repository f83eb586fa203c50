import type { ApprovalDecision, Approver } from "@tenterhook/engine";
import { type HostRun, type OpenCall, openCall, type ToolCall } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { type Payload, TenterhookError } from "@tenterhook/protocol";
import { canonicalTools } from "@tenterhook/protocol/internal";
import type { CanUseTool, PermissionContext, PermissionResult } from "./sdk-types.ts";

/** A tool call between `PreToolUse` and `PostToolUse`: Claude Code executes the tool, once. */
export interface ClaudeCall extends Pick<OpenCall, "start" | "settle"> {
  readonly toolUseId: string;
  readonly agentId: string | undefined;
  /** A person has edited this call in `canUseTool`, so that hooks need not ask about it. */
  readonly isDecided: boolean;
  /** A person has approved this call in `canUseTool`, asked by a hook. */
  isApproved: boolean;
}

/** A result that hooks replaced, until it is certain that the model reads the replacement. */
interface ReplacedOutput {
  readonly original: unknown;
  readonly replacement: unknown;
}

/** The calls of a session that have not ended, by their ids. */
export class ToolCalls {
  readonly #open = new Map<string, ClaudeCall>();
  readonly replaced = new Map<string, ReplacedOutput>();

  /**
   * Opens a call; one that is open with its id is dropped: a person has given it another input. Its hooks find it by its id. `handOver` is
   * called after them, before the tool runs, and returns the input; what it throws refuses or fails the call.
   */
  open(
    run: HostRun,
    { agentId, ...call }: ToolCall & Pick<ClaudeCall, "agentId">,
    handOver: (input: unknown) => unknown,
    isDecided = false,
  ): ClaudeCall {
    const { toolUseId, toolName } = call;
    const { start, settle } = openCall(run, { ...call, toolAliases: findAliases(toolName) }, { handOver });
    const open = { start, settle, toolUseId, agentId, isDecided, isApproved: false };
    this.#open.set(toolUseId, open);
    return open;
  }

  get(toolUseId: string): ClaudeCall | undefined {
    return this.#open.get(toolUseId);
  }

  take(toolUseId: string): ClaudeCall | undefined {
    const call = this.#open.get(toolUseId);
    this.#open.delete(toolUseId);
    return call;
  }

  /** Refuses a call after its hooks: Claude Code, a rule or a person has done so. */
  async refuse(toolUseId: string, reason: string): Promise<void> {
    await this.take(toolUseId)?.settle({ error: new TenterhookError("tool_blocked", reason) });
  }

  /** Refuses the calls of an agent that has ended without running them. */
  async refuseAll(agentId: string | undefined): Promise<void> {
    for (const call of [...this.#open.values()])
      if (call.agentId === agentId) await this.refuse(call.toolUseId, "the call did not run");
  }
}

/** The other names of a tool: the shared one, and the bare name of a tool of an MCP server (`mcp__server__tool`). */
export function findAliases(toolName: string): readonly string[] {
  const shared = canonicalTools(toolName);
  if (shared.length > 0) return shared;
  const bare = /^mcp__.+?__(.+)$/.exec(toolName)?.[1];
  return bare === undefined ? [] : [bare];
}

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

/** Whether two inputs are the same as JSON: the values have crossed a process. */
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
