import type { Immutable, ToolUse } from "@tenterhook/protocol";

/** A tool call of the model. A value: `withArgs` makes another one. */
export class ToolCall {
  readonly #name: string;
  readonly #args: Readonly<Record<string, unknown>>;
  readonly #id: string | undefined;

  constructor(name: string, args: Readonly<Record<string, unknown>> = {}, id?: string) {
    this.#name = name;
    this.#args = args;
    this.#id = id;
  }

  name(): string {
    return this.#name;
  }

  args(): Readonly<Record<string, unknown>> {
    return this.#args;
  }

  /** The id that the model gave the call; calls that hooks make need none. */
  id(): string | undefined {
    return this.#id;
  }

  /** The same call with other arguments. A hook cannot change the tool's name. */
  withArgs(args: Readonly<Record<string, unknown>>): ToolCall {
    return new ToolCall(this.#name, args, this.#id);
  }

  toJSON(): object {
    return { id: this.#id, name: this.#name, args: this.#args };
  }
}

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
