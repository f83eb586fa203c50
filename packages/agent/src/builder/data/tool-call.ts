/** A tool call that the model asked for. A value: `withArgs` makes another one. */
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

  /** The id that the model gave the call; calls that you make yourself need none. */
  id(): string | undefined {
    return this.#id;
  }

  /** The same call with other arguments. What a hook cannot change is the tool's name. */
  withArgs(args: Readonly<Record<string, unknown>>): ToolCall {
    return new ToolCall(this.#name, args, this.#id);
  }

  toJSON(): object {
    return { id: this.#id, name: this.#name, args: this.#args };
  }
}
