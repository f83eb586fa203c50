import type { Immutable, ToolUse } from "@tenterhook/protocol";
import { ToolCall } from "./tool-call.ts";

/** The tool calls of one step, in the model's order. */
export class ToolCalls implements Iterable<ToolCall> {
  readonly #calls: readonly ToolCall[];

  constructor(calls: readonly ToolCall[]) {
    this.#calls = calls;
  }

  static of(uses: readonly Immutable<ToolUse>[]): ToolCalls {
    return new ToolCalls(uses.map(({ id, name, input }) => new ToolCall(name, input, id)));
  }

  first(): ToolCall | undefined {
    return this.#calls[0];
  }

  last(): ToolCall | undefined {
    return this.#calls.at(-1);
  }

  all(): readonly ToolCall[] {
    return this.#calls;
  }

  count(): number {
    return this.#calls.length;
  }

  [Symbol.iterator](): Iterator<ToolCall> {
    return this.#calls[Symbol.iterator]();
  }
}
