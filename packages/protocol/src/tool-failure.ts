import { hasField } from "@tenterhook/internal";
import type { ErrorInfo } from "./types.ts";

// Registered, so that two copies of this package in one process recognise each other's failures.
const MARK = Symbol.for("tenterhook.tool_failure");

/** What a tool failure has besides its message. */
export interface ToolFailureDetails {
  /** What the tool gave beside its error. */
  readonly result?: unknown;
  /** What the model reads. Default: the message. */
  readonly shown?: unknown;
  /** The error that this one replaces. Its name and code are kept. */
  readonly cause?: ErrorInfo | undefined;
}

/**
 * A failure as a tool's result. A hook that skips a call with one, or changes a result into one, makes the
 * call fail. All its fields are plain properties, so that copies of it, frozen or redacted, are failures too.
 */
export class ToolFailure extends Error {
  declare readonly result?: unknown;
  declare readonly shown: unknown;

  constructor(message: string, { result, shown = message, cause }: ToolFailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = cause?.name ?? "ToolFailure";
    if (cause?.code !== undefined) Object.assign(this, { code: cause.code });
    // Not enumerable, as `message` is not: on the wire an error has the fields that the event declares.
    if (result !== undefined) Object.defineProperty(this, "result", { value: result });
    Object.defineProperty(this, "shown", { value: shown });
  }

  get [MARK](): true {
    return true;
  }

  /** Recognises failures of any copy of this package, unlike `instanceof`. */
  static isInstance(value: unknown): value is ToolFailure {
    return hasField(value, MARK);
  }

  /** The error of a failed call after hooks changed its result: they may give a failure, a text, or any other value. */
  static of<E extends ErrorInfo>(changed: unknown, error: E): E | ToolFailure {
    if (changed === undefined) return error;
    if (ToolFailure.isInstance(changed)) return changed;
    if (typeof changed === "string") return new ToolFailure(changed, { cause: error });
    return new ToolFailure(error.message, { result: changed, shown: changed, cause: error });
  }

  /** The error of a call that has ended, as hooks left it; `undefined` if the call succeeded. */
  static ofCall(call: { readonly toolResult?: unknown; readonly error?: ErrorInfo }): ErrorInfo | undefined {
    if (call.error !== undefined) return ToolFailure.of(call.toolResult, call.error);
    return ToolFailure.isInstance(call.toolResult) ? call.toolResult : undefined;
  }

  /** As a tool's result, for scripts. */
  toJSON(): { readonly success: false; readonly error: string; readonly result?: unknown } {
    const { message: error, result } = this;
    return { success: false, error, ...(result !== undefined && { result }) };
  }
}
