import type { ToolStatus } from "../../run/agent-event.ts";
import type { ToolCall } from "./tool-call.ts";
import type { ToolResult } from "./tool-result.ts";

export interface ExecutionDetails {
  /** Default: by the result, `completed` or `failed`. */
  readonly status?: ToolStatus | undefined;
  readonly durationMs?: number | undefined;
}

/** A finished tool call, with any result. A value: `withResult` makes another one. */
export class AgentExecution {
  readonly #toolCall: ToolCall;
  readonly #result: ToolResult;
  readonly #details: ExecutionDetails;

  constructor(toolCall: ToolCall, result: ToolResult, details: ExecutionDetails = {}) {
    this.#toolCall = toolCall;
    this.#result = result;
    this.#details = details;
  }

  toolCall(): ToolCall {
    return this.#toolCall;
  }

  result(): ToolResult {
    return this.#result;
  }

  /** Distinguishes a call that was blocked or skipped, and so never ran, from one that did. */
  status(): ToolStatus {
    return this.#details.status ?? (this.#result.isSuccess() ? "completed" : "failed");
  }

  durationMs(): number {
    return this.#details.durationMs ?? 0;
  }

  toJSON(): object {
    const [result, status, durationMs] = [this.#result.toJSON(), this.status(), this.durationMs()];
    return { toolCall: this.#toolCall.toJSON(), result, status, durationMs };
  }

  /** The same execution with another result. Replacing a failure by a success recovers from it. */
  withResult(result: ToolResult): AgentExecution {
    const { durationMs } = this.#details;
    const isSameKind = result.isSuccess() === this.#result.isSuccess();
    return new AgentExecution(this.#toolCall, result, isSameKind ? this.#details : { durationMs });
  }
}
