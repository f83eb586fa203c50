import type { ToolStatus } from "../../loop/run-event.ts";
import type { ToolCall } from "./tool-call.ts";
import type { ToolResult } from "./tool-result.ts";

export interface ExecutionFacts {
  /** Default: what the result says. */
  readonly status?: ToolStatus | undefined;
  readonly durationMs?: number | undefined;
}

/** A tool call that is over, however it ended. A value: `withResult` makes another one. */
export class AgentExecution {
  readonly #toolCall: ToolCall;
  readonly #result: ToolResult;
  readonly #facts: ExecutionFacts;

  constructor(toolCall: ToolCall, result: ToolResult, facts: ExecutionFacts = {}) {
    this.#toolCall = toolCall;
    this.#result = result;
    this.#facts = facts;
  }

  toolCall(): ToolCall {
    return this.#toolCall;
  }

  result(): ToolResult {
    return this.#result;
  }

  /** Tells a call that was blocked or skipped, and so never ran, from one that did. */
  status(): ToolStatus {
    return this.#facts.status ?? (this.#result.isSuccess() ? "completed" : "failed");
  }

  durationMs(): number {
    return this.#facts.durationMs ?? 0;
  }

  toJSON(): object {
    const [result, status, durationMs] = [this.#result.toJSON(), this.status(), this.durationMs()];
    return { toolCall: this.#toolCall.toJSON(), result, status, durationMs };
  }

  /** The same execution with another result. A success in a failure's place recovers from it. */
  withResult(result: ToolResult): AgentExecution {
    const { durationMs } = this.#facts;
    const isSameKind = result.isSuccess() === this.#result.isSuccess();
    return new AgentExecution(this.#toolCall, result, isSameKind ? this.#facts : { durationMs });
  }
}
