import { toError } from "../../run/recovery.ts";

/** The result of a tool call: a value, or an error. */
export class ToolResult {
  readonly #value: unknown;
  readonly #error: Error | undefined;

  private constructor(value: unknown, error: Error | undefined) {
    this.#value = value;
    this.#error = error;
  }

  static success(value: unknown): ToolResult {
    return new ToolResult(value, undefined);
  }

  /** Takes an error, or anything that can be thrown. */
  static failure(error: unknown): ToolResult {
    return new ToolResult(undefined, toError(error));
  }

  /** An error as its message and name. */
  toJSON(): object {
    const error = this.#error;
    if (error === undefined) return { success: true, value: this.#value };
    return { success: false, error: { name: error.name, message: error.message } };
  }

  isSuccess(): boolean {
    return this.#error === undefined;
  }

  isFailure(): boolean {
    return this.#error !== undefined;
  }

  /** The value; throws the error of a failure. */
  unwrap(): unknown {
    if (this.#error !== undefined) throw this.#error;
    return this.#value;
  }

  /** The value; `undefined` for a failure. */
  value(): unknown {
    return this.#value;
  }

  error(): Error | undefined {
    return this.#error;
  }
}
