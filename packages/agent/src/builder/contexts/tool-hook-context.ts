import type { Context } from "@tenterhook/engine";
import type { AgentExecution } from "../data/agent-execution.ts";
import type { AgentState } from "../data/agent-state.ts";
import type { ToolCall } from "../data/tool-call.ts";
import { type EngineEvent, HookEvent } from "../hook-event.ts";
import { HookContext } from "./hook-context.ts";

type ToolEvent = EngineEvent<"PreToolUse" | "PostToolUse">;

export interface ToolParts {
  readonly toolCall: ToolCall;
  /** Set once the call is over. */
  readonly execution?: AgentExecution | undefined;
}

/** A tool call before it is carried out, or after. */
export class ToolHookContext extends HookContext<ToolEvent> {
  readonly #event: "PreToolUse" | "PostToolUse";
  readonly #parts: ToolParts;

  constructor(
    event: "PreToolUse" | "PostToolUse",
    parts: ToolParts,
    state: AgentState,
    engineContext?: Context<ToolEvent>,
  ) {
    super(state, engineContext);
    this.#event = event;
    this.#parts = parts;
  }

  static beforeTool(toolCall: ToolCall, state: AgentState): ToolHookContext {
    return new ToolHookContext(HookEvent.PreToolUse, { toolCall }, state);
  }

  static afterTool(execution: AgentExecution, state: AgentState): ToolHookContext {
    return new ToolHookContext(HookEvent.PostToolUse, { toolCall: execution.toolCall(), execution }, state);
  }

  eventType(): "PreToolUse" | "PostToolUse" {
    return this.#event;
  }

  isBeforeTool(): boolean {
    return this.#event === HookEvent.PreToolUse;
  }

  isAfterTool(): boolean {
    return this.#event === HookEvent.PostToolUse;
  }

  toolCall(): ToolCall {
    return this.#parts.toolCall;
  }

  /** What the call came to; `undefined` before it was made. */
  execution(): AgentExecution | undefined {
    return this.#parts.execution;
  }

  withState(state: AgentState): ToolHookContext {
    return new ToolHookContext(this.#event, this.#parts, state, this.engineContext());
  }

  /** A copy with other arguments. Only for PreToolUse: later, proceeding with it is an error of the hook. */
  withToolCall(toolCall: ToolCall): ToolHookContext {
    return this.#with({ ...this.#parts, toolCall });
  }

  /** A copy with another result. Only for PostToolUse: earlier, proceeding with it is an error of the hook. */
  withExecution(execution: AgentExecution): ToolHookContext {
    return this.#with({ ...this.#parts, execution });
  }

  protected override subject(): object {
    const { toolCall, execution } = this.#parts;
    return { toolCall: toolCall.toJSON(), ...(execution && { execution: execution.toJSON() }) };
  }

  #with(parts: ToolParts): ToolHookContext {
    return new ToolHookContext(this.#event, parts, this.state(), this.engineContext());
  }
}
